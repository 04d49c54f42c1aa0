import { AppError } from '#server/core/errors.ts'
import { compileFilters, type Filter, findFilter } from '#server/features/moderation/admission/compileFilters.ts'
import { createRecentPosts } from '#server/features/moderation/admission/recentPosts.ts'
import { findPageImage } from '#server/features/news/feed/content/pageImage.ts'
import { parseFeed } from '#server/features/news/feed/parseFeed.ts'
import { FeedParseError } from '#server/features/news/feed/types.ts'
import { guessLanguage } from '#server/features/paste/guessLanguage.ts'
import { createAdtsParser, createMpegParser } from '#server/features/radio/input/frames/mpeg.ts'
import { createOggParser } from '#server/features/radio/input/frames/ogg.ts'
import { parseStreamTitle } from '#server/features/radio/output/relay/icy.ts'
import { htmlToPlainText } from '#server/import/text/htmlWriter.ts'
import { excerptAround, splitMatches } from '#src/lib/highlight.ts'
import { parseMarkup } from '#src/lib/markup.ts'
import { createMatcher } from '#src/lib/matchFilter.ts'
import type { Figures } from '#tests/bench/report.ts'
import { hostileFeeds } from '#tests/helpers/hostileFeeds.ts'
import {
  boardHtml,
  codeUnits,
  filteredTexts,
  frameNoise,
  type HostileTexts,
  hostilePosts,
  icyBlocks,
  manyFilters,
  markRuns,
  randomBits,
  repeatedUnits,
  slowPatterns,
} from '#tests/helpers/hostileTexts.ts'

/** Shorter times vary too much for a ratio. */
const LEAST_MS = 20
const MiB = 1024 * 1024

/** `size`: the largest legal text, or more. `limitMs`: about ten times the processor time of the slowest text. */
type Parser = { size: number; limitMs: number; texts: HostileTexts; run: (text: string) => unknown }

const parsers: Record<string, Parser> = {
  feeds: { size: 1_000_000, limitMs: 3000, texts: hostileFeeds, run: readFeed },
  posts: { size: 200_000, limitMs: 300, texts: hostilePosts, run: parseMarkup },
  'posts of other boards': { size: MiB, limitMs: 4000, texts: boardHtml, run: readBoardHtml },
  'many filters': { size: MiB / 3, limitMs: 2000, texts: filteredTexts, run: createFilter(manyFilters) },
  'slow filters': { size: 200_000, limitMs: 2000, texts: { randomBits }, run: createFilter(slowPatterns) },
  "readers' filters": { size: 60_000, limitMs: 1000, texts: markRuns, run: matchReaderFilters },
  'marked matches': { size: 60_000, limitMs: 1000, texts: markRuns, run: markMatches },
  'guesses of a language': { size: 100_000, limitMs: 1000, texts: codeUnits, run: guessLanguage },
  'recent posts': { size: 20_000, limitMs: 50, texts: repeatedUnits, run: createRecentPosts(() => new Date()).add },
  'ICY titles': { size: 4080, limitMs: 50, texts: icyBlocks, run: (text) => parseStreamTitle(Buffer.from(text)) },
  'frames of sound': { size: MiB, limitMs: 1000, texts: frameNoise, run: parseFrames },
}

/**
 * Measures the parsers of texts that anybody can send, with the worst known texts, in this process.
 * `whole / half` compares with a text of half the size: 2 for linear time, 4 for quadratic time.
 */
export function measureParsers(rounds: number, add: (name: string, figures: Figures) => void): void {
  for (const [name, { size, limitMs, texts, run }] of Object.entries(parsers)) {
    let [cpu, slowest, ratio] = [0, '', 0]
    for (const [text, create] of Object.entries(texts)) {
      const [half, whole] = [size / 2, size].map((length) => {
        const given = create(length)
        return Math.min(...Array.from({ length: rounds + 1 }, () => cpuTimeOf(() => run(given))))
      }) as [number, number]
      if (whole > cpu) [cpu, slowest] = [whole, text]
      if (half >= LEAST_MS) ratio = Math.max(ratio, whole / half)
    }
    add(name, { slowest, 'CPU ms': cpu, 'CPU / limit': cpu / limitMs, 'whole / half': ratio || null })
  }
}

/** Returns the processor time in ms. */
function cpuTimeOf(run: () => void): number {
  const start = process.cpuUsage()
  run()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}

function readFeed(text: string): void {
  const [bytes, url] = [Buffer.from(text), new URL('https://feeds.example.org/feed')]
  try {
    parseFeed(bytes, { contentType: undefined, url })
  } catch (error) {
    if (!(error instanceof FeedParseError)) throw error
  }
  findPageImage(bytes, { contentType: undefined, url })
}

function readBoardHtml(html: string): void {
  htmlToPlainText({ html, format: '4chan' })
}

/** Returns a function that looks for texts of moderators' filters. Refuses a text that takes too long. */
function createFilter(values: readonly (readonly [Filter['kind'], string])[]): (text: string) => void {
  const filters = values.map(([kind, value], id): Filter => {
    return { id, kind, value, fields: ['paste'], effect: 'refuse', message: '', replacement: '' }
  })
  const compiled = compileFilters(filters, (_, error) => {
    throw error
  })
  return (text) => {
    try {
      findFilter(compiled, 'paste', text)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
    }
  }
}

function matchReaderFilters(text: string): void {
  for (const value of ['crypto', `${'a*'.repeat(49)}b`]) {
    createMatcher(
      [{ kind: 'words', value, boardId: null }],
      'tech',
    )({ id: 1, author: 'a', text: `${'a'.repeat(190)} ${text}` })
  }
}

function markMatches(text: string): void {
  excerptAround(`a${text} needle`, [['needle']], 280)
  splitMatches(`a${text} needle`, [['a']])
}

function parseFrames(text: string): void {
  const bytes = Buffer.from(text, 'latin1')
  for (const parser of [createMpegParser(), createAdtsParser(), createOggParser()]) {
    for (let at = 0; at < bytes.length; at += 4096) parser.push(bytes.subarray(at, at + 4096))
  }
}
