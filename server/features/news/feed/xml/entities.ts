import { decodeHTMLStrict } from 'entities'
import { decodeWindows1252 } from './charset.ts'

const ENTITY = /&(?:#0{0,20}(\d{1,7})|#[xX]0{0,20}([\da-fA-F]{1,6})|([A-Za-z][A-Za-z\d]{1,31}));/g

/** Decodes numeric, XML and HTML entities once. Feeds use HTML entities without declaring them. */
export const decodeEntities = (text: string): string => decodeDeclared(text, () => null)

/** Decodes also the entities that the document declares. */
export function decodeDeclared(text: string, declared: DeclaredEntities): string {
  if (!text.includes('&')) return text
  return text.replace(ENTITY, (written, decimal?: string, hex?: string, name?: string) =>
    name === undefined
      ? numeric(decimal === undefined ? Number.parseInt(hex as string, 16) : Number(decimal))
      : (declared(name) ?? decodeHTMLStrict(written)),
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
