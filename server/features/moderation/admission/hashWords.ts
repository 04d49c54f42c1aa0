import { cleanText } from './filterText.ts'

/** Bounds the time for comparing posts. Posts choose the words with the lowest hashes, so two posts choose the same. */
const MAX_WORDS = 32

/** Captures the host, which counts as one word. The rest of a URL often is random. */
const URL_TEXT = /https?:\/\/([^\s/?#]+)\S*/g
/** Chinese and Japanese texts do not separate words, so each of their characters counts as a word. */
const WORD = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]|[[\p{L}\p{M}\p{N}]--[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]]{2,}/gv

/** Returns hashes of words in any order, each once. Leaves out words with digits: they often are counters or ids. */
export function hashWords(text: string): Uint32Array {
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
