import type { MarkupWriter, Phrase } from './markupWriter.ts'

const MAX_POST_DIGITS = 15

const NEWLINE = 0x0a
const GREATER = 0x3e

export const normalizeLineBreaks = (text: string) => text.replace(/\r\n?/g, '\n')

/** Parses a part of a text, without its rich markup. */
export function scan(source: string, start: number, end: number, writer: MarkupWriter) {
  let at = start
  let run = start
  const flush = () => writer.text(source.slice(run, at))
  while (at < end) {
    if (writer.lineIsEmpty) {
      while (at < end && isBlank(source.charCodeAt(at))) at++
      writer.indent += source.slice(run, at)
      run = at
      if (at === end) break
      if (source.charCodeAt(at) !== NEWLINE) {
        const quotes = writer.indent === '' && source.charCodeAt(at) === GREATER
        const isLink = quotes && (postLinkEnd(source, at, end) ?? findBoardLink(source, at, end)) !== undefined
        writer.beginLine(quotes && !isLink ? 'quote' : 'paragraph')
      }
    }
    const code = source.charCodeAt(at)
    if (code === NEWLINE) {
      flush()
      writer.endLine()
      run = ++at
    } else if (code === GREATER) {
      const stop = postLinkEnd(source, at, end)
      if (stop !== undefined && writer.spend()) {
        flush()
        writer.push({ kind: 'postLink', id: Number(source.slice(at + 2, stop)) })
        run = at = stop
        continue
      }
      const link = findBoardLink(source, at, end)
      if (link && writer.spend()) {
        flush()
        writer.push(link)
        run = at += link.text.length
      } else at = runEnd(source, at, end)
    } else if (isUrlStart(source, at, start)) {
      const stop = findUrlEnd(source, at, end)
      const href = writer.spend() ? parseWebUrl(source.slice(at, stop)) : undefined
      if (href) {
        flush()
        writer.push({ kind: 'link', text: source.slice(at, stop), href })
        run = stop
      }
      at = stop
    } else at++
  }
  flush()
}

/** Only spaces and tabs count as blank. Other white space is part of the text. */
const isBlank = (code: number) => code === 0x20 || code === 0x09

function runEnd(source: string, at: number, end: number): number {
  let stop = at
  while (stop < end && source.charCodeAt(stop) === GREATER) stop++
  return stop
}

/** A post link is exactly two `>` and a number without leading zeros. */
function postLinkEnd(source: string, at: number, end: number): number | undefined {
  const digits = runEnd(source, at, end)
  if (digits - at !== 2) return undefined
  let stop = digits
  while (stop < end && stop - digits <= MAX_POST_DIGITS && isDigit(source.charCodeAt(stop))) stop++
  const length = stop - digits
  return length > 0 && length <= MAX_POST_DIGITS && source[digits] !== '0' ? stop : undefined
}

/** Exactly three `>`. A board's id has at most 40 characters; the number is as in links to posts. */
const BOARD_LINK = /(?<!>)>>>\/([a-z\d-]{1,40})\/(?:([1-9]\d{0,14})?(?!\d))/iy

function findBoardLink(source: string, at: number, end: number): (Phrase & { kind: 'boardLink' }) | undefined {
  if (source.charCodeAt(at + 2) !== GREATER) return undefined
  BOARD_LINK.lastIndex = at
  const [text, boardId = '', id] = BOARD_LINK.exec(source) ?? []
  if (text === undefined || at + text.length > end) return undefined
  return { kind: 'boardLink', text, boardId: boardId.toLowerCase(), id: id === undefined ? null : Number(id) }
}

/** Matches links to posts and boards. */
export const POST_LINKS = /(?<!>)(?:>>[1-9]\d{0,14}|>>>\/([a-z\d-]{1,40})\/(?:[1-9]\d{0,14})?)(?!\d)/gi

/**
 * Replaces links to posts and boards by spaces, so that filters do not find words in them.
 * @param isBoard whether a board exists: the name of any other is text
 */
export const withoutPostLinks = (text: string, isBoard = (_id: string): boolean => true): string =>
  text.replace(POST_LINKS, (link, id?: string) => (id === undefined || isBoard(id.toLowerCase()) ? ' ' : link))

const isDigit = (code: number) => code >= 0x30 && code <= 0x39

/** Longer URLs stay text, because percent-encoding can make an href nine times as long. */
const MAX_URL_LENGTH = 2000

const URL_START = /https?:\/\/[a-z\d[\u0080-\uffff]/iy
const SCHEME_CHARACTER = /[a-z\d+.-]/i
/** Matches characters that end a URL, including invisible characters: they could make the URL misleading. */
const URL_STOP = /[\s<>\p{Cc}\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/u
const TRAILING = '.,;:!?\'"([{'
const CLOSING: Record<string, string> = { '(': ')', '[': ']', '{': '}' }

/** Reports whether a URL begins at `at`. The `http://` in `xhttp://` does not count. */
function isUrlStart(source: string, at: number, start: number): boolean {
  if ((source.charCodeAt(at) | 0x20) !== 0x68) return false
  URL_START.lastIndex = at
  return URL_START.test(source) && (at === start || !SCHEME_CHARACTER.test(source.charAt(at - 1)))
}

/** Returns the end of the URL at `at`, without trailing punctuation and unmatched closing brackets. */
function findUrlEnd(source: string, at: number, end: number): number {
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
function parseWebUrl(address: string): string | undefined {
  if (address.length > MAX_URL_LENGTH || !URL.canParse(address)) return undefined
  const url = new URL(address)
  const isWeb = url.protocol === 'http:' || url.protocol === 'https:'
  return isWeb && url.username === '' && url.password === '' ? url.href : undefined
}
