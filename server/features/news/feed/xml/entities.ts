import { Tokenizer } from 'htmlparser2'
import { decodeWindows1252 } from './charset.ts'

const ENTITY = /&(?:#0{0,20}(\d{1,7})|#[xX]0{0,20}([\da-fA-F]{1,6})|([A-Za-z][A-Za-z\d]{1,31}));/g
/** Limits the cached entity names: HTML has 2,231, but a feed can invent more. */
const MAX_NAMES = 5000

/**
 * Decodes numeric, XML and HTML entities once. Feeds use HTML entities without declaring them. Entities that a document
 * declares are not expanded, to prevent entity expansion attacks.
 */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(ENTITY, (written, decimal?: string, hex?: string, name?: string) =>
    name === undefined
      ? numeric(decimal === undefined ? Number.parseInt(hex as string, 16) : Number(decimal))
      : named(name, written),
  )
}

function numeric(code: number): string {
  if (code === 0) return ''
  if (code >= 0x80 && code <= 0x9f) return decodeWindows1252(code)
  if (code > 0x10ffff) return '\ufffd'
  // Surrogates are allowed, because some producers write a surrogate pair as two entities.
  return String.fromCodePoint(code)
}

const cache = new Map<string, string | null>()

function named(name: string, written: string): string {
  let decoded = cache.get(name)
  if (decoded === undefined) {
    decoded = lookUpEntity(name)
    if (cache.size < MAX_NAMES) cache.set(name, decoded)
  }
  return decoded ?? written
}

let source = ''
let output = ''
const ignore = () => {}
const reader = new Tokenizer(
  {},
  {
    ontext: (start, end) => {
      output += source.slice(start, end)
    },
    ontextentity: (code) => {
      output += String.fromCodePoint(code)
    },
    onattribdata: ignore,
    onattribentity: ignore,
    onattribend: ignore,
    onattribname: ignore,
    oncdata: ignore,
    onclosetag: ignore,
    oncomment: ignore,
    ondeclaration: ignore,
    onend: ignore,
    onopentagend: ignore,
    onopentagname: ignore,
    onprocessinginstruction: ignore,
    onselfclosingtag: ignore,
  },
)

/** Decodes one entity with htmlparser2's tokenizer, because htmlparser2 does not export its entity table. */
function lookUpEntity(name: string): string | null {
  source = `&${name};`
  output = ''
  reader.reset()
  reader.write(source)
  reader.end()
  // Returns null for unknown names. `&notit;` is unknown too: it only starts with a known name.
  return output.endsWith(';') ? null : output
}
