import { EventEmitter } from 'node:events'
import type { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { createHighlighter } from '#server/features/paste/highlighter.ts'

const HIGHLIGHTS = [1, 2]

/** Creates a highlighter whose worker never answers for a text that begins with `slow`. */
function highlighter(limits: { highlightMs: number; queueMs?: number; slowTexts?: number }) {
  const asked: string[] = []
  const start = async () => {
    const thread = Object.assign(new EventEmitter(), {
      postMessage: ({ text }: { text: string }) => {
        asked.push(text)
        if (!text.startsWith('slow')) setImmediate(() => thread.emit('message', HIGHLIGHTS))
      },
      terminate: async () => 0,
    })
    return thread as unknown as Worker
  }
  return { highlightText: createHighlighter({ start, ...limits }), asked }
}

test('tries a text that takes too long only once', async () => {
  const { highlightText, asked } = highlighter({ highlightMs: 20 })
  expect(await highlightText('slow', 'ini')).toEqual([])
  expect(await highlightText('slow', 'ini')).toEqual([])
  expect(await Promise.all([highlightText('slow 2', 'ini'), highlightText('slow 2', 'ini')])).toEqual([[], []])
  expect(await highlightText('fast', 'ini')).toEqual(HIGHLIGHTS)
  expect(asked).toEqual(['slow', 'slow 2', 'fast'])
})

test('forgets the oldest slow text when there are too many', async () => {
  const { highlightText, asked } = highlighter({ highlightMs: 20, slowTexts: 1 })
  for (const text of ['slow 1', 'slow 2', 'slow 2', 'slow 1']) await highlightText(text, 'ini')
  expect(asked).toEqual(['slow 1', 'slow 2', 'slow 1'])
})

test('does not highlight a text that waits too long for another', async () => {
  const { highlightText, asked } = highlighter({ highlightMs: 60_000, queueMs: 50 })
  void highlightText('slow', 'ini')
  expect(await highlightText('fast', 'ini')).toEqual([])
  expect(asked).toEqual(['slow'])
})
