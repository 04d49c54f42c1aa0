import { cleanText } from './filterText.ts'

const MAX_POSTS = 2000
const MAX_AGE_MS = 10 * 60_000
/**
 * Honest visitors repeat a short text now and then, so a post must resemble this many others. With a higher number, a
 * raid that varies few texts would be recognized later.
 */
const MIN_ALIKE = 3
/** Bounds the time for comparing posts. Posts choose the words with the lowest hashes, so two posts choose the same. */
const MAX_WORDS = 32

/** Captures the host, which counts as one word. The rest of a URL often is random. */
const URL_TEXT = /https?:\/\/([^\s/?#]+)\S*/g
/** Chinese and Japanese texts do not separate words, so each of their characters counts as a word. */
const WORD = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]|[[\p{L}\p{M}\p{N}]--[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]]{2,}/gv

/** Creates a list of this process's recent posts and their words, to recognize posts that vary one text. */
export function createRecentPosts(now: () => Date) {
  let posts: { at: number; words: Uint32Array }[] = []
  return {
    /** Adds a post. `isRepeated` is true if it resembles several posts before it. */
    add(text: string): { isRepeated: boolean; remove: () => void } {
      const at = now().getTime()
      const words = hashWords(text)
      while (posts[0] && at - posts[0].at > MAX_AGE_MS) posts.shift()
      let alike = 0
      for (let index = posts.length - 1; index >= 0 && alike < MIN_ALIKE; index--) {
        if (areAlike(words, posts[index]?.words as Uint32Array)) alike++
      }
      const post = { at, words }
      posts.push(post)
      if (posts.length > MAX_POSTS) posts.shift()
      const remove = () => {
        posts = posts.filter((one) => one !== post)
      }
      return { isRepeated: alike >= MIN_ALIKE, remove }
    },
  }
}

/** Returns whether at least half of the words are the same. */
function areAlike(a: Uint32Array, b: Uint32Array): boolean {
  const longer = Math.max(a.length, b.length)
  if (2 * Math.min(a.length, b.length) < longer) return false
  let same = 0
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const [left = 0, right = 0] = [a[i], b[j]]
    if (left === right) same++
    if (left <= right) i++
    if (right <= left) j++
  }
  return 2 * same >= longer
}

/** Returns hashes of words in any order, each once. Leaves out words with digits: they often are counters or ids. */
function hashWords(text: string): Uint32Array {
  const cleaned = cleanText(text)
    .toLowerCase()
    .replace(URL_TEXT, (_, host: string) => ` ${host.replaceAll('.', '')} `)
  const words = (cleaned.match(WORD) ?? []).filter((word) => !/\p{N}/u.test(word))
  if (words.length === 0) words.push(cleaned.replace(/[\p{N}\s]/gu, ''))
  return Uint32Array.from(new Set(words.map(hash)))
    .sort()
    .slice(0, MAX_WORDS)
}

/** FNV-1a */
function hash(word: string): number {
  let value = 0x811c9dc5
  for (let at = 0; at < word.length; at++) value = Math.imul(value ^ word.charCodeAt(at), 0x01000193)
  return value >>> 0
}
