import { domainToASCII } from 'node:url'
import { removeLongMarkRuns } from '#src/contract/text.ts'
import { POST_LINKS } from '#src/lib/markup.ts'

/** Invisible characters, such as zero-width spaces and soft hyphens. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu
/** Combining marks that do not belong to a script, such as strokes and accents that NFKC did not compose. */
const LOOSE_MARKS = /[\p{Mn}&&\p{Script=Inherited}]/gv

const URL_TEXT = /https?:\/\/[^\s<>"]+/giu

/** Tags of spoilers, which could split a word. */
export const SPOILER_TAG = /\[\/?spoiler\]/gi

/**
 * Splits a text at its links to posts and boards, and at its URLs. Every second part is one.
 * @param isBoard whether a board exists: the name of any other is text
 */
export function splitAtLinks(text: string, { withUrls, isBoard }: { withUrls: boolean; isBoard: IsBoard }): string[] {
  const links = withUrls ? new RegExp(`${POST_LINKS.source}|${URL_TEXT.source}`, 'giu') : POST_LINKS
  const parts: string[] = []
  let at = 0
  for (const { 0: link, 1: id, index } of text.matchAll(links)) {
    if (id !== undefined && !isBoard(id.toLowerCase())) continue
    parts.push(text.slice(at, index), link)
    at = index + link.length
  }
  return [...parts, text.slice(at)]
}

/** Returns whether a board with this id exists. */
export type IsBoard = (id: string) => boolean

/** Removes URLs from a cleaned text. */
export const withoutUrls = (cleaned: string): string => cleaned.replace(URL_TEXT, ' ')

/**
 * Normalizes a text for filters, so that other forms of the same letters and characters that nobody sees do not evade
 * a filter. Keeps case and line breaks.
 */
export function cleanText(text: string): string {
  if (/^[\0-\x7f]*$/.test(text)) return text
  return removeLongMarkRuns(text.replace(INVISIBLE, '')).normalize('NFKC').replace(LOOSE_MARKS, '')
}

/** Longest host name in DNS, in characters. */
const MAX_HOST = 253
/** Limits the comparisons for a host with many labels. Registered names with this many labels do not exist. */
const MAX_LABELS = 8

/** Returns the domain in the form that `listHosts` returns, or null if the text is not a domain. */
export function parseDomain(text: string): string | null {
  const name = text.toLowerCase().replace(/\.$/, '')
  if (/[\s/\\@:?#%]/.test(name)) return null
  const domain = domainToASCII(name)
  return domain.length <= MAX_HOST && isHost(domain) && domain.split('.').length <= MAX_LABELS ? domain : null
}

const isHost = (text: string) => /^[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})+$/.test(text)

/** Runs of characters that can be part of a host name. Ideographic full stops separate labels as dots do. */
const RUN = /[^\s\p{Cc}"'`<>()[\]{}/\\@:;?#,|%^&=+*!$~]+/gu
const HOST_URL = /https?:[^\s<>"]+/giu
/** A host in a sentence without spaces, as in Chinese. A letter with upper and lower case is part of the name. */
const ASCII_HOST = /(?<![\p{Lu}\p{Ll}\p{M}-])[a-z0-9._-]+/giu

/** Lists the host names in a cleaned text, with and without a URL around them. */
export function* listHosts(text: string): Generator<string> {
  // Browsers read hosts that the text does not show as such: http://%65xample.com, http:\\2130706433.
  for (const [url] of text.matchAll(HOST_URL)) {
    if (URL.canParse(url)) yield new URL(url).hostname
  }
  for (const [run] of text.matchAll(RUN)) {
    if (!/[.\u3002]/.test(run)) continue
    if (/^[\0-\x7f]+$/.test(run)) {
      yield run.toLowerCase()
      continue
    }
    if (run.length <= MAX_HOST) yield domainToASCII(run.replaceAll('\u3002', '.').replace(/\.+$/, ''))
    for (const [host] of run.matchAll(ASCII_HOST)) yield host.toLowerCase()
  }
}

/** Returns the host and the domains above it: `a.example.com`, `example.com`, `com`. */
export function* domainsOf(host: string): Generator<string> {
  let domain = host.replace(/\.+$/, '').split('.').slice(-MAX_LABELS).join('.')
  for (;;) {
    yield domain
    const dot = domain.indexOf('.')
    if (dot < 0) return
    domain = domain.slice(dot + 1)
  }
}
