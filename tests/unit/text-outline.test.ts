import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { withSvgDecoder } from '#server/core/media/svg.ts'
import { loadFace } from '#server/core/media/textOutline.ts'

/** Returns the share of the image that a line of text covers. */
async function inkOf(family: 'hanken-grotesk' | 'martian-mono', weight: number, text: string): Promise<number> {
  const face = await loadFace(family, weight, [text])
  expect(face.covers(text)).toBe(true)
  const path = face.outline(text, { x: 20, y: 80, size: 60 })
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="800" height="120"><path fill="#fff" d="${path}"/></svg>`
  const image = sharp(Buffer.from(svg)).flatten({ background: '#000' })
  const { channels } = await withSvgDecoder(() => image.stats())
  return (channels[0]?.mean ?? 0) / 255
}

describe.each(['hanken-grotesk', 'martian-mono'] as const)('%s', (family) => {
  // Letters with accents are composed of other glyphs, and the others are in files of their own.
  test.each(['Soldering iron', 'Éàüñ', 'Łódź', family === 'hanken-grotesk' ? 'Tiếng Việt' : 'Привет'])(
    'draws heavier letters for a heavier weight: %s',
    async (text) => {
      const [regular, semibold, bold] = [
        await inkOf(family, 400, text),
        await inkOf(family, 600, text),
        await inkOf(family, 700, text),
      ]
      expect(semibold).toBeGreaterThan(regular * 1.1)
      expect(bold).toBeGreaterThan(semibold * 1.03)
      expect(bold).toBeLessThan(regular * 1.8)
    },
  )
})

test('a heavier weight of the proportional typeface is wider, and of the other equally wide', async () => {
  const width = async (family: 'hanken-grotesk' | 'martian-mono', weight: number) =>
    (await loadFace(family, weight, ['Which one?'])).measure('Which one?', 100)
  expect(await width('hanken-grotesk', 700)).toBeGreaterThan(await width('hanken-grotesk', 400))
  expect(await width('martian-mono', 700)).toBe(await width('martian-mono', 400))
})
