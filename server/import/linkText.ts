import { MARK, withoutMarks } from './literalMarkup.ts'

const POST_LINK = /^>>(?:>\/[^\s/>]{1,64}\/)?\d+$/

/** Returns the text of a link, with the URL unless the text is the URL or links to a post. @param written with marks */
export function toLinkText(written: string, href: string): string {
  const text = withoutMarks(written).trim()
  if (POST_LINK.test(text)) return text.replaceAll('>', MARK.link)
  if (!/^https?:\/\//i.test(href) || isSameUrl(text, href)) return written
  return text === '' || isShortened(text, href) ? href : `${written} ${href}`
}

/** Text without the scheme counts as shortened too. */
const isShortened = (text: string, href: string) =>
  (/(?:…|\.\.\.)$/.test(text) && href.startsWith(text.replace(/(?:…|\.\.\.)$/, ''))) ||
  href.replace(/^https?:\/\//i, '').replace(/\/$/, '') === text.replace(/\/$/, '')

const isSameUrl = (text: string, href: string) => normalizeUrl(text) === normalizeUrl(href)

/** jschan writes parentheses as `%28` in a URL, but not in its text. */
const normalizeUrl = (text: string): string =>
  URL.canParse(text) ? new URL(text).href.replace(/%2[789a]/gi, decodeURIComponent) : text
