/** Longer URLs stay text, because percent-encoding can make an href nine times as long. */
const MAX_URL_LENGTH = 2000

const URL_START = /https?:\/\/[a-z\d[\u0080-\uffff]/iy
const SCHEME_CHARACTER = /[a-z\d+.-]/i
/** Matches characters that end a URL, including invisible characters: they could make the URL misleading. */
const URL_STOP = /[\s<>\p{Cc}\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/u
const TRAILING = '.,;:!?\'"([{'
const CLOSING: Record<string, string> = { '(': ')', '[': ']', '{': '}' }

/** Reports whether a URL begins at `at`. The `http://` in `xhttp://` does not count. */
export function isUrlStart(source: string, at: number, start: number): boolean {
  if ((source.charCodeAt(at) | 0x20) !== 0x68) return false
  URL_START.lastIndex = at
  return URL_START.test(source) && (at === start || !SCHEME_CHARACTER.test(source.charAt(at - 1)))
}

/** Returns the end of the URL at `at`, without trailing punctuation and unmatched closing brackets. */
export function findUrlEnd(source: string, at: number, end: number): number {
  const expected: string[] = []
  let stop = at
  for (; stop < end; stop++) {
    const character = source.charAt(stop)
    if (URL_STOP.test(character)) break
    const closing = CLOSING[character]
    if (closing !== undefined) expected.push(closing)
    else if (')]}'.includes(character) && expected.pop() !== character) break
  }
  while (TRAILING.includes(source.charAt(stop - 1))) stop--
  return stop
}

/** Returns the href of an http or https URL. Rejects user names and passwords: they could look like the host. */
export function parseWebUrl(address: string): string | undefined {
  if (address.length > MAX_URL_LENGTH || !URL.canParse(address)) return undefined
  const url = new URL(address)
  const isWeb = url.protocol === 'http:' || url.protocol === 'https:'
  return isWeb && url.username === '' && url.password === '' ? url.href : undefined
}
