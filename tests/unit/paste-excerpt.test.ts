import { expect, test } from 'vitest'
import { beginningOf, SHOWN_CHARACTERS, SHOWN_LINES } from '#server/features/paste/excerpt.ts'
import type { PasteView } from '#src/contract/paste.ts'

const shown = (content: string, encoding: PasteView['encoding'] = 'utf-8') => {
  const { paste, whole } = beginningOf({ content, encoding } as PasteView)
  return { content: paste.content, whole }
}

test.each([
  ['an empty text', ''],
  ['a line', 'a'],
  ['as many lines as are shown', 'a\n'.repeat(SHOWN_LINES)],
  ['as many characters as are shown', 'a'.repeat(SHOWN_CHARACTERS)],
])('shows %s whole', (_name, content) => {
  expect(shown(content)).toEqual({ content, whole: null })
})

test('shows the first lines of many, and says how many there are', () => {
  const content = 'ä\n'.repeat(SHOWN_LINES + 2)
  expect(shown(content)).toEqual({
    content: 'ä\n'.repeat(SHOWN_LINES),
    whole: { bytes: 3 * (SHOWN_LINES + 2), lines: SHOWN_LINES + 2 },
  })
})

test('ends behind a line rather than within it', () => {
  const line = `${'x'.repeat(999)}\n`
  expect(shown(`${line.repeat(99)}${'y'.repeat(5000)}`).content).toBe(line.repeat(99))
})

test('cuts a single long line, but no character', () => {
  const content = `${'x'.repeat(SHOWN_CHARACTERS - 1)}😀`
  expect(shown(content).content).toBe('x'.repeat(SHOWN_CHARACTERS - 1))
  expect(shown(content).whole).toEqual({ bytes: SHOWN_CHARACTERS + 3, lines: 1 })
})

test('shows the first bytes of what is no text', () => {
  const bytes = Buffer.alloc(200_000, 0xff)
  const { content, whole } = shown(bytes.toString('base64'), 'base64')
  expect(Buffer.from(content, 'base64')).toEqual(bytes.subarray(0, 75_000))
  expect(whole).toEqual({ bytes: 200_000, lines: 1 })
})
