/** Signs of phones and word processors. The database replaces them by spaces, too. */
const SIGNS = /[\u2013\u2014\u2018\u2019\u201c\u201d\u2060]/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: all ASCII characters
const IS_ASCII = /^[\x00-\x7f]*$/
/** PostgreSQL reads `1e5` as a number, also at the start of a word. */
const FRACTION = /\de\d/i
/** Limits of PostgreSQL: bytes of a word, places of a word, and words with places of their own. */
const [MAX_WORD, MAX_PLACES, MAX_WORDS] = [2046, 255, 16_382]

/**
 * Returns the words of a text with their places, like `search_words` and `to_tsvector` of the database: `a:1,3 post:2`. For
 * the database it is most of the work on a post, and everybody waits for it.
 * @returns null if the database has to find the words: for other scripts, and for very long texts
 */
export function listSearchWords(text: string): string | null {
  const plain = text.replace(SIGNS, ' ').replaceAll('…', '...')
  if (!IS_ASCII.test(plain) || FRACTION.test(plain)) return null
  const places = new Map<string, number[]>()
  let count = 0
  for (const word of spellLanguages(plain.toLowerCase()).match(/[a-z0-9]+/g) ?? []) {
    const own = places.get(word)
    count++
    if (own) own.push(count)
    else places.set(word, [count])
    if (word.length > MAX_WORD || count > MAX_WORDS || (own?.length ?? 0) > MAX_PLACES) return null
  }
  let words = ''
  for (const [word, own] of places) words += `${word}:${own} `
  return words
}

const spellLanguages = (text: string) =>
  text
    .replace(/(?<![a-z0-9])([a-z])\+\+/g, ' $1plusplus ')
    .replace(/(?<![a-z0-9])([a-z])#/g, ' $1sharp ')
    .replace(/(?<![a-z0-9])\.net(?![a-z])/g, ' dotnet ')
