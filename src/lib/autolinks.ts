/** Longer addresses stay text: percent-encoding could make their href nine times as long. */
const MAX_URL_LENGTH = 2000

const URL_START = /https?:\/\/[a-z\d[\u0080-\uffff]/iy
const SCHEME_CHARACTER = /[a-z\d+.-]/i
/** Besides spaces and angle brackets: invisible characters, with which the shown address could lie. */
const URL_STOP = /[\s<>\p{Cc}\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/u
const TRAILING = '.,;:!?\'"([{'
const CLOSING: Record<string, string> = { '(': ')', '[': ']', '{': '}' }

/** Whether an address begins at `at` of a text read from `start`, with its whole scheme: `xhttp://` is another one. */
export function isUrlStart(source: string, at: number, start: number): boolean {
  if ((source.charCodeAt(at) | 0x20) !== 0x68) return false
  URL_START.lastIndex = at
  return URL_START.test(source) && (at === start || !SCHEME_CHARACTER.test(source.charAt(at - 1)))
}

/** End of the address at `at`: before a closing bracket it has not opened, and before the sentence's punctuation. */
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

/** The href of an http or https address, unless its user name could be taken for the host. */
export function parseWebUrl(address: string): string | undefined {
  if (address.length > MAX_URL_LENGTH || !URL.canParse(address)) return undefined
  const url = new URL(address)
  const isWeb = url.protocol === 'http:' || url.protocol === 'https:'
  return isWeb && url.username === '' && url.password === '' ? url.href : undefined
}
