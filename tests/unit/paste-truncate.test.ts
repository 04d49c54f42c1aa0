import { expect, test } from 'vitest'
import { MAX_SHOWN_CHARACTERS, MAX_SHOWN_LINES, truncatePaste } from '#server/features/paste/view.ts'
import type { PasteView } from '#src/contract/paste.ts'

const shown = (content: string, encoding: PasteView['encoding'] = 'utf-8') => {
  const { paste, fullSize } = truncatePaste({ content, encoding } as PasteView)
  return { content: paste.content, fullSize }
}

test.each([
  ['an empty text', ''],
  ['a line', 'a'],
  ['the maximum number of lines', 'a\n'.repeat(MAX_SHOWN_LINES)],
  ['the maximum number of characters', 'a'.repeat(MAX_SHOWN_CHARACTERS)],
])('does not truncate %s', (_name, content) => {
  expect(shown(content)).toEqual({ content, fullSize: null })
})

test('truncates to the first lines and returns the full size', () => {
  const content = 'ä\n'.repeat(MAX_SHOWN_LINES + 2)
  expect(shown(content)).toEqual({
    content: 'ä\n'.repeat(MAX_SHOWN_LINES),
    fullSize: { bytes: 3 * (MAX_SHOWN_LINES + 2), lines: MAX_SHOWN_LINES + 2 },
  })
})

test('cuts at the end of a line', () => {
  const line = `${'x'.repeat(999)}\n`
  expect(shown(`${line.repeat(99)}${'y'.repeat(5000)}`).content).toBe(line.repeat(99))
})

test('cuts a single long line between characters', () => {
  const content = `${'x'.repeat(MAX_SHOWN_CHARACTERS - 1)}😀`
  expect(shown(content).content).toBe('x'.repeat(MAX_SHOWN_CHARACTERS - 1))
  expect(shown(content).fullSize).toEqual({ bytes: MAX_SHOWN_CHARACTERS + 3, lines: 1 })
})

test('truncates binary data', () => {
  const bytes = Buffer.alloc(200_000, 0xff)
  const { content, fullSize } = shown(bytes.toString('base64'), 'base64')
  expect(Buffer.from(content, 'base64')).toEqual(bytes.subarray(0, 75_000))
  expect(fullSize).toEqual({ bytes: 200_000, lines: 1 })
})
