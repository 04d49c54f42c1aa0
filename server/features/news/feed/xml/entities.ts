import { Tokenizer } from 'htmlparser2'
import { decodeWindows1252 } from './charset.ts'

const ENTITY = /&(?:#0{0,20}(\d{1,7})|#[xX]0{0,20}([\da-fA-F]{1,6})|([A-Za-z][A-Za-z\d]{1,31}));/g
/** Limits the cached entity names: HTML has 2,231, but a feed can invent more. */
const MAX_NAMES = 5000

/** Decodes numeric, XML and HTML entities once. Feeds use HTML entities without declaring them. */
export const decodeEntities = (text: string): string => decodeDeclared(text, () => null)

/** Decodes also the entities that the document declares. */
export function decodeDeclared(text: string, declared: DeclaredEntities): string {
  if (!text.includes('&')) return text
  return text.replace(ENTITY, (written, decimal?: string, hex?: string, name?: string) =>
    name === undefined
      ? numeric(decimal === undefined ? Number.parseInt(hex as string, 16) : Number(decimal))
      : (declared(name) ?? named(name, written)),
  )
}

/** Returns the text of an entity that the document declares, or null. */
export type DeclaredEntities = (name: string) => string | null

const DECLARATION = /<!ENTITY\s+([A-Za-z][A-Za-z\d]{1,31})\s+(?:"([^"<]{0,200})"|'([^'<]{0,200})')\s*>/g
const MAX_DECLARED = 50
/** Limits what a document can grow by: 200 characters each. */
const MAX_EXPANSIONS = 2000

/**
 * Reads declared entities with short texts. RDF feeds declare the URIs of their namespaces like this. Entities with
 * markup, with other entities, or in other files are left out, to prevent entity expansion attacks.
 */
export function readDeclaredEntities(doctype: string): DeclaredEntities {
  const texts = new Map<string, string>()
  for (const [, name = '', double, single = ''] of doctype.matchAll(DECLARATION)) {
    const text = double ?? single
    if (!/&[A-Za-z]/.test(text) && texts.size < MAX_DECLARED) texts.set(name, decodeEntities(text))
  }
  let left = MAX_EXPANSIONS
  return (name) => (texts.has(name) && left-- > 0 ? (texts.get(name) ?? null) : null)
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
