import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { guessLanguage } from '#server/features/paste/guessLanguage.ts'
import { createHighlighter } from '#server/features/paste/highlighter.ts'
import { type HighlightRuns, highlightStyles, type PasteLanguage, pasteLanguages } from '#src/contract/paste.ts'
import { type CodeBlock, maxCodeSpans, parseMarkup } from '#src/lib/markup.ts'
import type { PostRow } from './view.ts'

/**
 * Limits the time that a block, and all blocks of a thread, wait for colours. A block that exceeds it never gets any;
 * those after it get theirs at the next render.
 */
const MAX_WAIT_MS = 500
/** Limits the memory of stored colours, in numbers. A block without colours counts as 50. */
const MAX_STORED = 500_000

const PLAIN = highlightStyles.indexOf('plain')

/** Short names that posters use. */
const ALIASES: Record<string, PasteLanguage> = {
  'c++': 'cpp',
  'c#': 'csharp',
  cs: 'csharp',
  docker: 'dockerfile',
  golang: 'go',
  html: 'xml',
  js: 'javascript',
  jsx: 'javascript',
  make: 'makefile',
  md: 'markdown',
  patch: 'diff',
  pl: 'perl',
  py: 'python',
  rb: 'ruby',
  rs: 'rust',
  sh: 'bash',
  shell: 'bash',
  svg: 'xml',
  toml: 'ini',
  ts: 'typescript',
  tsx: 'typescript',
  yml: 'yaml',
  zsh: 'bash',
}

/**
 * Creates a function that adds colours to posts with blocks of code. It has a highlighter of its own: slow code in posts
 * does not delay pastes.
 */
export function createCodeHighlighter(
  guess: (text: string) => PasteLanguage | null = guessLanguage,
  highlight: (text: string, language: PasteLanguage) => Promise<HighlightRuns> = createHighlighter({
    highlightMs: MAX_WAIT_MS,
    queueMs: MAX_WAIT_MS,
  }),
) {
  const stored = new LRUCache<string, HighlightRuns>({
    maxSize: MAX_STORED,
    sizeCalculation: ({ length }) => length + 50,
  })

  async function highlightBlock({ language: name, text }: CodeBlock, deadline: number): Promise<HighlightRuns> {
    const key = createHash('sha256').update(`${name}\n${text}`).digest('base64')
    const known = stored.get(key)
    if (known || performance.now() > deadline) return known ?? []
    // A guess can take ten milliseconds, so other requests run between two guesses.
    if (name === '') await nextTurn()
    const language = name === '' ? guess(text) : findLanguage(name.toLowerCase())
    const highlights = language ? await highlight(text, language) : []
    // There was no time to highlight it.
    if (language && highlights.length === 0) return []
    const spans = highlights.filter((style, index) => index % 2 === 1 && style !== PLAIN).length
    const shown = spans > 0 && spans <= maxCodeSpans(text) ? highlights : []
    stored.set(key, shown)
    return shown
  }

  /** Adds colours to posts with blocks of code. A post keeps none if the time is over or its code takes too long. */
  return async function highlightCode(rows: PostRow[]): Promise<void> {
    let deadline = Number.POSITIVE_INFINITY
    for (const row of rows) {
      if (!row.content.includes('```')) continue
      const highlights: HighlightRuns[] = []
      for (const block of parseMarkup(row.content)) {
        if (block.kind !== 'code') continue
        highlights.push(await highlightBlock(block, deadline))
        // The first block may wait until the worker has started.
        deadline = Math.min(deadline, performance.now() + MAX_WAIT_MS)
      }
      if (highlights.some(({ length }) => length > 0)) row.highlights = highlights
    }
  }
}

export const highlightCode = createCodeHighlighter()

const findLanguage = (name: string): PasteLanguage | undefined =>
  Object.hasOwn(ALIASES, name)
    ? ALIASES[name]
    : Object.hasOwn(pasteLanguages, name)
      ? (name as PasteLanguage)
      : undefined
