import { removeLongMarkRuns } from './text.ts'

/** A word or a phrase: the words in this order. */
export type Term = string[]
/** A parsed search: all `terms` must be in the post, none of `excluded`, and one of `nicks` wrote it if there are any. */
export type SearchQuery = { terms: Term[]; excluded: Term[]; nicks: string[]; excludedNicks: string[] }

/** Han, Hiragana and Katakana, each character is a word. The same ranges as in the SQL function `search_words`. */
const UNSPACED = '\\u3040-\\u30fa\\u30fc-\\u30ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff\\u{20000}-\\u{3ffff}'
/** Names of languages whose signs are a part of the word: C++, C#, F# and .NET, but not the end of example.net. */
const LANGUAGE = '(?<![a-z\\d])(?:[a-z](?:\\+\\+|#)|\\.net(?![a-z]))'
const WORD = new RegExp(`${LANGUAGE}|[${UNSPACED}]\\p{M}*|(?:(?![${UNSPACED}])[\\p{L}\\p{N}\\p{M}])+`, 'giu')
/** Matches a field name, then a quoted text or the characters up to the next space. A missing closing quote is allowed. */
const PART = /(-?)(nick:)?(?:"([^"]*)"?|(\S+))/giu

// biome-ignore lint/suspicious/noControlCharactersInRegex: all ASCII characters
const IS_ASCII = /^[\x00-\x7f]*$/

/** Folds case, accents and compatibility characters, like the SQL function `search_fold`. */
export const foldText = (text: string): string =>
  IS_ASCII.test(text)
    ? text.toLowerCase()
    : removeLongMarkRuns(text)
        .normalize('NFKD')
        .replace(/[\u0300-\u036f]/g, '')
        .normalize('NFKC')
        .toLowerCase()

export type FoundWord = { word: string; start: number; end: number }

/** Writes the signs of a language as letters, which people write, too: `cplusplus`. The same as in `search_words`. */
const spellLanguage = (word: string) =>
  word
    .replace(/^(.)\+\+$/, '$1plusplus')
    .replace(/^(.)#$/, '$1sharp')
    .replace(/^\.net$/, 'dotnet')

/** Returns the folded words of a text, with their places in the text. */
export const findWords = (text: string): FoundWord[] =>
  [...text.matchAll(WORD)].map(({ 0: found, index }) => ({
    word: spellLanguage(foldText(found)),
    start: index,
    end: index + found.length,
  }))

/** Parses words, `"phrases"`, `-excluded` words and `nick:name`. */
export function parseSearchQuery(text: string): SearchQuery {
  const query: SearchQuery = { terms: [], excluded: [], nicks: [], excludedNicks: [] }
  for (const [, minus, field, quoted, plain] of text.matchAll(PART)) {
    const value = quoted ?? plain ?? ''
    if (field) {
      const name = value.trim()
      if (name) (minus ? query.excludedNicks : query.nicks).push(name)
      continue
    }
    const words = findWords(value).map(({ word }) => word)
    if (words.length > 0) (minus ? query.excluded : query.terms).push(words)
  }
  return query
}

/** Counts what the database looks up. */
export const countParts = ({ terms, excluded, nicks, excludedNicks }: SearchQuery): number =>
  terms.flat().length + excluded.flat().length + nicks.length + excludedNicks.length
