import { windowsCharacter } from '#server/features/news/feed/xml/charset.ts'
import { decodeReferences } from '#server/features/news/feed/xml/entities.ts'
import { isBoolean, isFormatting, isHtml, startsBlock } from './htmlNames.ts'
import { type HtmlTag, readHtml } from './readHtml.ts'

/** Of what becomes a title nobody reads more; guards the time a book in a title takes. */
const MAX_SOURCE = 20_000
const TITLE_LENGTH = 300
const EXCERPT_LENGTH = 100
/** Not white space, and nothing that only steers others or fills. */
const VISIBLE = /[^\p{Default_Ignorable_Code_Point}\p{White_Space}\p{Cc}\p{Cf}\p{Cs}\u2800\ufffc\ufffe\uffff]/u
/** Turn the direction of what follows, or stand for nothing: a title may not reach out of its line. */
const STEERING = /[\u00ad\u180e\u200b\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff]/g

/** A text of one line without characters that steer or hide; empty where nothing of it would be seen. */
export function oneLine(text: string): string {
  const line = text
    .toWellFormed()
    .replace(STEERING, '')
    // Windows-1252 that was taken for ISO 8859-1 and then made UTF-8.
    .replace(/[\u0080-\u009f]/g, (control) => windowsCharacter(control.charCodeAt(0)))
    .replace(/[\p{Cc}\p{White_Space}]+/gu, ' ')
    .trim()
  return VISIBLE.test(line) ? line : ''
}

/** The same, no longer than a title may be. */
export const toTitle = (text: string) => shorten(oneLine(text.slice(0, MAX_SOURCE)), TITLE_LENGTH)

/** The beginning of a longer text, in place of a title, ending with a word where that is possible. */
export function toExcerpt(text: string): string {
  const line = oneLine(text.slice(0, MAX_SOURCE))
  const short = shorten(line, EXCERPT_LENGTH)
  const space = short.lastIndexOf(' ')
  return short === line || space < EXCERPT_LENGTH / 2
    ? short
    : `${short.slice(0, space).replace(/[\s,;:.–—-]+$/u, '')}…`
}

function shorten(text: string, length: number): string {
  // No text of so few units has more characters.
  if (text.length <= length) return text
  const characters = Array.from(text)
  return characters.length <= length
    ? text
    : `${characters
        .slice(0, length - 1)
        .join('')
        .trimEnd()}…`
}

/** Elements of MathML and SVG whose text is not displayed. */
const UNSEEN = new Set(['annotation', 'annotation-xml', 'desc', 'metadata', 'style', 'title'])

const isOpening = ({ closing, source }: HtmlTag) => !closing && !source.endsWith('/>')

/**
 * HTML as text: its tags go, text in angle brackets that is no HTML (`List<String>`) stays, blocks are set apart. Not
 * for showing as HTML: the text may well contain `<`.
 */
export function htmlToText(html: string): string {
  // Markers of sections that were wrapped twice.
  const source = html.slice(0, MAX_SOURCE).replaceAll('<![CDATA[', '').replaceAll(']]>', '')
  if (!/[<&]/.test(source)) return source
  const isWord = wordJudge(source)
  let text = ''
  let silent: string | undefined
  /** `math` or `svg`, in which nothing is a word in angle brackets */
  let foreign: string | undefined
  readHtml(
    source,
    {
      text: (piece) => {
        if (silent === undefined) text += piece
      },
      tag: (tag) => {
        if (silent !== undefined) {
          if (tag.closing && tag.name === silent) silent = undefined
        } else if (foreign !== undefined) {
          if (tag.closing && tag.name === foreign) foreign = undefined
          else if (UNSEEN.has(tag.name) && !tag.closing) silent = tag.name
        } else if (isWord(tag)) text += decodeReferences(tag.source)
        else if ((tag.name === 'script' || tag.name === 'style') && !tag.closing) silent = tag.name
        else if ((tag.name === 'math' || tag.name === 'svg') && isOpening(tag)) foreign = tag.name
        else if (startsBlock(tag.name)) text += ' '
        return true
      },
      cutOff: (rest) => {
        // `a<b` is text, `<a href="…` a tag that lost its end.
        if (silent === undefined && !/^<[a-z][a-z\d]*\s[^<]*=|^<!/i.test(rest)) text += decodeReferences(rest)
      },
    },
    'markup',
  )
  return text
}

/**
 * Tells tags from words in angle brackets. Titles are often about markup, so a tag that formats nothing, has no value
 * and belongs to no pair is a word too: `Use of <script>`.
 */
function wordJudge(source: string): (tag: HtmlTag) => boolean {
  const opened = new Set<string>()
  const closed = new Set<string>()
  for (const [, slash, name = ''] of source.matchAll(/<(\/?)([a-z][a-z\d]*)/gi)) {
    const names = slash ? closed : opened
    names.add(name.toLowerCase())
  }
  return ({ name, attributes, closing }) => {
    // `o:p` is an element of some office, `https://…` an address.
    if (!isHtml(name)) return !/^[a-z]+:./.test(name)
    const valued = [...attributes].some(([attribute, value]) => value !== '' || isBoolean(attribute))
    // `a <b and c> d`
    if (attributes.size > 0 && !valued) return true
    return !isFormatting(name) && !valued && !(closing ? opened : closed).has(name)
  }
}
