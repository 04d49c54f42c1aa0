import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { guessLanguage } from '#server/features/paste/guessLanguage.ts'
import { createHighlighter } from '#server/features/paste/highlighter.ts'
import { type HighlightRuns, highlightStyles } from '#src/contract/highlightStyles.ts'
import { type PasteLanguage, pasteLanguages } from '#src/contract/paste.ts'
import { type CodeBlock, maxCodeSpans, parseMarkup } from '#src/lib/markup.ts'
import type { PostRow } from './view.ts'

/**
 * Limits the time that a block, and all blocks of a thread, wait for colours. A block that exceeds it never gets any;
 * those after it get theirs at the next render.
 */
const MAX_WAIT_MS = 500
/** Limits the memory of stored colours, in numbers. */
const MAX_STORED = 500_000
/** Limits the memory of guessed languages: about 2 MB. */
const MAX_GUESSES = 10_000
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

type CodeHighlighterOptions = {
  guess?: (text: string) => PasteLanguage | null
  highlight?: (text: string, language: PasteLanguage) => Promise<HighlightRuns>
}

/** Creates a function that adds colours to posts with blocks of code. */
export function createCodeHighlighter({
  guess = guessLanguage,
  // A highlighter of its own: slow code in posts does not delay pastes.
  highlight = createHighlighter({ highlightMs: MAX_WAIT_MS, queueMs: MAX_WAIT_MS }),
}: CodeHighlighterOptions = {}) {
  const stored = new LRUCache<string, HighlightRuns>({
    maxSize: MAX_STORED,
    sizeCalculation: ({ length }) => length + 50,
  })
  const guesses = new LRUCache<string, PasteLanguage | 'none'>({ max: MAX_GUESSES })

  /** @returns null for no language, and after the deadline */
  async function guessOnce(text: string, deadline: number): Promise<PasteLanguage | null> {
    const key = hash(text)
    let known = guesses.get(key)
    if (known === undefined) {
      if (performance.now() > deadline) return null
      // A guess can take ten milliseconds, so other requests run between two guesses. One may guess the same text.
      await nextTurn()
      known = guesses.get(key) ?? guess(text) ?? 'none'
      guesses.set(key, known)
    }
    return known === 'none' ? null : known
  }

  async function highlightBlock({ language: name, text }: CodeBlock, deadline: number): Promise<HighlightRuns> {
    const language = name === '' ? await guessOnce(text, deadline) : findLanguage(name.toLowerCase())
    if (!language) return []
    const key = hash(`${language}\n${text}`)
    const known = stored.get(key)
    if (known || performance.now() > deadline) return known ?? []
    const found = await highlight(text, language)
    // There was no time to highlight it.
    if (found.length === 0) return []
    const highlights = mergeRuns(text, found)
    const spans = highlights.filter((style, index) => index % 2 === 1 && style !== PLAIN).length
    const shown = spans <= maxCodeSpans(text) ? highlights : []
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

const hash = (text: string) => createHash('sha256').update(text).digest('base64')

const findLanguage = (name: string): PasteLanguage | undefined =>
  Object.hasOwn(ALIASES, name)
    ? ALIASES[name]
    : Object.hasOwn(pasteLanguages, name)
      ? (name as PasteLanguage)
      : undefined

/** Joins runs of one style with the white space between them, and omits plain text at the end. */
function mergeRuns(text: string, highlights: HighlightRuns): HighlightRuns {
  const merged: HighlightRuns = []
  let at = 0
  for (let index = 0; index < highlights.length; index += 2) {
    const [length = 0, style = PLAIN] = highlights.slice(index, index + 2)
    const isBlank = text.slice(at, at + length).trim() === ''
    at += length
    const isJoined = merged.length > 0 && (merged.at(-1) === style || isBlank)
    if (isJoined) merged[merged.length - 2] = (merged.at(-2) ?? 0) + length
    else merged.push(length, style)
  }
  return merged.at(-1) === PLAIN ? merged.slice(0, -2) : merged
}
