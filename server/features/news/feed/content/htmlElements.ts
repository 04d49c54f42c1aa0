import { wordSet } from '#server/features/news/feed/words.ts'

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

export const isFormattingElement = (name: string) => FORMATTING.has(name)
export const isHtmlElement = (name: string) => FORMATTING.has(name) || OTHER.has(name)
export const isBlockElement = (name: string) => BLOCKS.has(name)
export const isBooleanAttribute = (name: string) => BOOLEAN.has(name)
