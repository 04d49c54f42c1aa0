import { decodeWindows1252 } from '#server/features/news/feed/xml/charset.ts'
import { decodeEntities } from '#server/features/news/feed/xml/entities.ts'
import { wordSet } from '#server/features/news/feed/xml/namespaces.ts'
import { type HtmlTag, readHtml } from './readHtml.ts'

/** Limits the HTML read per title, because a hostile feed may have huge titles. */
const MAX_SOURCE_LENGTH = 20_000
const MAX_TITLE_LENGTH = 300
const MAX_EXCERPT_LENGTH = 100
const VISIBLE = /[^\p{Default_Ignorable_Code_Point}\p{White_Space}\p{Cc}\p{Cf}\p{Cs}\u2800\ufffc\ufffe\uffff]/u
/** Direction marks and invisible characters. They could change how text around a title is displayed. */
const INVISIBLE = /[\u00ad\u180e\u200b\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff]/g

/** Joins a text into one line. Returns an empty string if all characters are invisible. */
function toOneLine(text: string): string {
  const line = text
    .toWellFormed()
    .replace(INVISIBLE, '')
    // Restore windows-1252 characters, which some feeds convert to UTF-8 as if they were ISO 8859-1.
    .replace(/[\u0080-\u009f]/g, (control) => decodeWindows1252(control.charCodeAt(0)))
    .replace(/[\p{Cc}\p{White_Space}]+/gu, ' ')
    .trim()
  return VISIBLE.test(line) ? line : ''
}

export const toTitle = (text: string) => shorten(toOneLine(text.slice(0, MAX_SOURCE_LENGTH)), MAX_TITLE_LENGTH)

export function toExcerpt(text: string): string {
  const line = toOneLine(text.slice(0, MAX_SOURCE_LENGTH))
  const short = shorten(line, MAX_EXCERPT_LENGTH)
  const space = short.lastIndexOf(' ')
  return short === line || space < MAX_EXCERPT_LENGTH / 2
    ? short
    : `${short.slice(0, space).replace(/[\s,;:.–—-]+$/u, '')}…`
}

function shorten(text: string, length: number): string {
  if (text.length <= length) return text
  const characters = Array.from(text)
  return characters.length <= length
    ? text
    : `${characters
        .slice(0, length - 1)
        .join('')
        .trimEnd()}…`
}

/** MathML and SVG elements whose text browsers do not show. */
const HIDDEN = new Set(['annotation', 'annotation-xml', 'desc', 'metadata', 'style', 'title'])

const isOpening = ({ closing, source }: HtmlTag) => !closing && !source.endsWith('/>')

/**
 * Converts HTML to text. Removes tags, but keeps other text in angle brackets, such as `List<String>`. Puts a space
 * between blocks. The result may contain `<`, so it is not safe as HTML.
 */
export function htmlToText(html: string): string {
  // Some feeds have one CDATA section inside another.
  const source = html.slice(0, MAX_SOURCE_LENGTH).replaceAll('<![CDATA[', '').replaceAll(']]>', '')
  if (!/[<&]/.test(source)) return source
  const isLiteral = createLiteralTagCheck(source)
  let text = ''
  let silent: string | undefined
  /** the open `math` or `svg` element; all tags inside are markup */
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
          else if (HIDDEN.has(tag.name) && !tag.closing) silent = tag.name
        } else if (isLiteral(tag)) text += decodeEntities(tag.source)
        else if ((tag.name === 'script' || tag.name === 'style') && !tag.closing) silent = tag.name
        else if ((tag.name === 'math' || tag.name === 'svg') && isOpening(tag)) foreign = tag.name
        else if (isBlockElement(tag.name)) text += ' '
        return true
      },
      cutOff: (rest) => {
        // Keeps `a<b`, which is text. Drops `<a href="…`, which is a truncated tag.
        if (silent === undefined && !/^<[a-z][a-z\d]*\s[^<]*=|^<!/i.test(rest)) text += decodeEntities(rest)
      },
    },
    'markup',
  )
  return text
}

/**
 * Creates a function that detects words in angle brackets. Titles often mention markup, such as `Use of <script>`. An
 * HTML tag counts as a word if it is not a formatting tag, has no attribute values and has no matching tag.
 */
function createLiteralTagCheck(source: string): (tag: HtmlTag) => boolean {
  const opened = new Set<string>()
  const closed = new Set<string>()
  for (const [, slash, name = ''] of source.matchAll(/<(\/?)([a-z][a-z\d]*)/gi)) {
    const names = slash ? closed : opened
    names.add(name.toLowerCase())
  }
  return ({ name, attributes, closing }) => {
    // Other names are words, such as the URL `<https://…>`. Names like `o:p` are not: office software writes such tags.
    if (!isHtmlElement(name)) return !/^[a-z]+:./.test(name)
    const valued = [...attributes].some(([attribute, value]) => value !== '' || isBooleanAttribute(attribute))
    // Text such as `a <b and c> d`.
    if (attributes.size > 0 && !valued) return true
    return !isFormattingElement(name) && !valued && !(closing ? opened : closed).has(name)
  }
}

/** Formatting tags. In a title they are always markup, never words. */
const FORMATTING = wordSet(`
  a abbr acronym b bdi bdo big blink blockquote br center cite code dd del dfn div dl dt em figcaption figure font
  h1 h2 h3 h4 h5 h6 hr i img ins kbd li mark marquee nobr ol p picture pre q rp rt ruby s samp section small source
  span strike strong sub sup time tt u ul var wbr
`)
const OTHER = wordSet(`
  address applet area article aside audio base basefont bgsound body button canvas caption col colgroup data datalist
  details dialog dir embed fieldset footer form frame frameset head header hgroup html iframe input label legend link
  main map math menu menuitem meta meter nav noembed noframes noscript object optgroup option output param plaintext
  portal progress script search select slot style summary svg table tbody td template textarea tfoot th thead title tr
  track video xmp
`)
const BLOCKS = wordSet(`
  address article aside blockquote br caption center dd details dialog div dl dt fieldset figcaption figure footer form
  h1 h2 h3 h4 h5 h6 header hr li main menu nav ol optgroup option p pre section summary table tbody td tfoot th thead
  title tr ul
`)
const BOOLEAN = wordSet(`
  allowfullscreen async autofocus autoplay checked compact controls default defer disabled hidden inert ismap itemscope
  loop multiple muted noshade novalidate nowrap open playsinline readonly required reversed selected
`)

const isFormattingElement = (name: string) => FORMATTING.has(name)
const isHtmlElement = (name: string) => FORMATTING.has(name) || OTHER.has(name)
const isBlockElement = (name: string) => BLOCKS.has(name)
const isBooleanAttribute = (name: string) => BOOLEAN.has(name)
