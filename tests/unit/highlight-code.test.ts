import { afterEach, expect, test, vi } from 'vitest'
import { createCodeHighlighter } from '#server/features/board/read/highlightCode.ts'
import type { PostRow } from '#server/features/board/read/view.ts'
import type { PasteLanguage } from '#src/contract/paste.ts'

afterEach(() => vi.useRealTimers())

const post = (...texts: string[]) => ({ content: texts.map((text) => `\`\`\`\n${text}\n\`\`\``).join('\n') }) as PostRow

/** Guesses that texts with an `a` are in a language. */
const guessA = (text: string): PasteLanguage | null => (text.includes('a') ? 'css' : null)
const highlight = async (text: string) => [text.length, 1]

test('guesses the language of a text once, also if it has none', async () => {
  const guess = vi.fn(guessA)
  const highlightCode = createCodeHighlighter(guess, highlight)
  const rows = [post('an a', 'none'), post('none', 'an a')]
  await highlightCode(rows)
  await highlightCode(rows)
  expect(guess.mock.calls).toEqual([['an a'], ['none']])
  expect(rows.map(({ highlights }) => highlights)).toEqual([
    [[4, 1], []],
    [[], [4, 1]],
  ])
})

test('guesses no language after the deadline, and continues at the next read', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const guess = vi.fn((text: string) => {
    vi.advanceTimersByTime(300)
    return guessA(text)
  })
  const highlightCode = createCodeHighlighter(guess, highlight)
  const texts = ['a 1', 'a 2', 'a 3', 'a 4', 'a 5']
  const first = post(...texts)
  await highlightCode([first])
  // The deadline starts after the first block.
  expect(guess.mock.calls.flat()).toEqual(['a 1', 'a 2', 'a 3'])
  expect(first.highlights).toEqual([[3, 1], [3, 1], [3, 1], [], []])
  await highlightCode([post(...texts)])
  const third = post(...texts)
  await highlightCode([third])
  expect(guess.mock.calls.flat()).toEqual(texts)
  expect(third.highlights).toEqual(texts.map(() => [3, 1]))
})

test('lets other work run between two guesses', async () => {
  const order: string[] = []
  const guess = (text: string) => {
    order.push(text)
    setImmediate(() => order.push('other work'))
    return null
  }
  await createCodeHighlighter(guess, highlight)([post('1', '2'), post('3')])
  expect(order).toEqual(['1', 'other work', '2', 'other work', '3'])
})
