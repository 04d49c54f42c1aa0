import { createHash } from 'node:crypto'
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

// A highlighter of its own: slow code in posts does not delay pastes.
const highlightText = createHighlighter({ highlightMs: MAX_WAIT_MS, queueMs: MAX_WAIT_MS })
const stored = new LRUCache<string, HighlightRuns>({
  maxSize: MAX_STORED,
  sizeCalculation: ({ length }) => length + 50,
})

/** Adds colours to posts with blocks of code. A post keeps none if the time is over or its code takes too long. */
export async function highlightCode(rows: PostRow[]): Promise<void> {
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

async function highlightBlock({ language: name, text }: CodeBlock, deadline: number): Promise<HighlightRuns> {
  const language = name === '' ? guessLanguage(text) : findLanguage(name.toLowerCase())
  if (!language) return []
  const key = createHash('sha256').update(`${language}\n${text}`).digest('base64')
  const known = stored.get(key)
  if (known || performance.now() > deadline) return known ?? []
  const found = await highlightText(text, language)
  // There was no time to highlight it.
  if (found.length === 0) return []
  const highlights = mergeRuns(text, found)
  const spans = highlights.filter((style, index) => index % 2 === 1 && style !== PLAIN).length
  const shown = spans <= maxCodeSpans(text) ? highlights : []
  stored.set(key, shown)
  return shown
}

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
