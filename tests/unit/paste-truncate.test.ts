import { expect, test } from 'vitest'
import { MAX_SHOWN_CHARACTERS, MAX_SHOWN_LINES, truncatePaste } from '#server/features/paste/truncatePaste.ts'
import type { PasteView } from '#src/contract/paste.ts'

const shown = (content: string, encoding: PasteView['encoding'] = 'utf-8') => {
  const { paste, fullSize } = truncatePaste({ content, encoding } as PasteView)
  return { content: paste.content, fullSize }
}

test.each([
  ['an empty text', ''],
  ['a line', 'a'],
  ['as many lines as are shown', 'a\n'.repeat(MAX_SHOWN_LINES)],
  ['as many characters as are shown', 'a'.repeat(MAX_SHOWN_CHARACTERS)],
])('shows %s fullSize', (_name, content) => {
  expect(shown(content)).toEqual({ content, fullSize: null })
})

test('shows the first lines of many, and says how many there are', () => {
  const content = 'ä\n'.repeat(MAX_SHOWN_LINES + 2)
  expect(shown(content)).toEqual({
    content: 'ä\n'.repeat(MAX_SHOWN_LINES),
    fullSize: { bytes: 3 * (MAX_SHOWN_LINES + 2), lines: MAX_SHOWN_LINES + 2 },
  })
})

test('ends behind a line rather than within it', () => {
  const line = `${'x'.repeat(999)}\n`
  expect(shown(`${line.repeat(99)}${'y'.repeat(5000)}`).content).toBe(line.repeat(99))
})

test('cuts a single long line, but no character', () => {
  const content = `${'x'.repeat(MAX_SHOWN_CHARACTERS - 1)}😀`
  expect(shown(content).content).toBe('x'.repeat(MAX_SHOWN_CHARACTERS - 1))
  expect(shown(content).fullSize).toEqual({ bytes: MAX_SHOWN_CHARACTERS + 3, lines: 1 })
})

test('shows the first bytes of what is no text', () => {
  const bytes = Buffer.alloc(200_000, 0xff)
  const { content, fullSize } = shown(bytes.toString('base64'), 'base64')
  expect(Buffer.from(content, 'base64')).toEqual(bytes.subarray(0, 75_000))
  expect(fullSize).toEqual({ bytes: 200_000, lines: 1 })
})
