import type { ReaderFilter } from '#src/contract/readerFilters.ts'
import { removeLongMarkRuns } from '#src/contract/text.ts'
import { withoutPostLinks } from './textMarkup.ts'

export type FilteredPost = { id: number; author: string; text: string; title?: string }

/** Longer words are compared up to this length, in UTF-16 units. */
const MAX_WORD = 200

const normalize = (text: string) => removeLongMarkRuns(text).normalize('NFKC').toLowerCase()

/**
 * Returns a function that finds the first filter that hides a post. A filter of words finds whole words in this order,
 * next to each other. There are no regular expressions: their run time can grow without bounds, and a library
 * that prevents this has 46 kB (re2js, gzip).
 */
export function createMatcher(filters: readonly ReaderFilter[], boardId: string | undefined) {
  const parsed = filters
    .filter((filter) => filter.boardId === null || filter.boardId === boardId)
    .map((filter) => ({ filter, globs: wordsOf(normalize(filter.value), /[\p{L}\p{M}\p{N}_*]+/gu) }))
  const needsWords = parsed.some(({ filter }) => filter.kind === 'words')

  return ({ author, text, title = '' }: FilteredPost): ReaderFilter | null => {
    const name = normalize(author)
    const words = needsWords ? wordsOf(normalize(withoutPostLinks(`${title}\n${text}`)), /[\p{L}\p{M}\p{N}_]+/gu) : []
    const found = parsed.find(({ filter, globs }) =>
      filter.kind === 'name' ? matchesGlob(name, normalize(filter.value)) : containsWords(words, globs),
    )
    return found?.filter ?? null
  }
}

const wordsOf = (text: string, pattern: RegExp) => (text.match(pattern) ?? []).map((word) => word.slice(0, MAX_WORD))

const containsWords = (words: string[], globs: string[]) =>
  globs.length > 0 &&
  words.some((_word, start) => globs.every((glob, offset) => matchesGlob(words[start + offset] ?? '', glob)))

/** Compares a word with a glob in at most the product of their lengths: returns to the last `*` on a difference. */
function matchesGlob(word: string, glob: string): boolean {
  let at = 0
  let globAt = 0
  let star = -1
  let starAt = 0
  while (at < word.length) {
    if (glob[globAt] === '*') {
      star = globAt++
      starAt = at
    } else if (glob[globAt] === word[at]) {
      globAt++
      at++
    } else if (star >= 0) {
      globAt = star + 1
      at = ++starAt
    } else return false
  }
  while (glob[globAt] === '*') globAt++
  return word !== '' && globAt === glob.length
}
