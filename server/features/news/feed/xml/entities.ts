import { Tokenizer } from 'htmlparser2'
import { windowsCharacter } from './charset.ts'

const REFERENCE = /&(?:#0{0,20}(\d{1,7})|#[xX]0{0,20}([\da-fA-F]{1,6})|([A-Za-z][A-Za-z\d]{1,31}));/g
/** Guards the memory of a process that reads feeds for months: HTML has 2,231 names, the rest is somebody's own. */
const MAX_NAMES = 5000

/**
 * Text of XML with its character references resolved, once: numeric ones, the five of XML and all names of HTML, which
 * feeds use undeclared. Nothing a document declares itself is expanded, so nothing grows. Others stay as written.
 */
export function decodeReferences(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(REFERENCE, (written, decimal?: string, hex?: string, name?: string) =>
    name === undefined
      ? numeric(decimal === undefined ? Number.parseInt(hex as string, 16) : Number(decimal))
      : named(name, written),
  )
}

function numeric(code: number): string {
  if (code === 0) return ''
  if (code >= 0x80 && code <= 0x9f) return windowsCharacter(code)
  if (code > 0x10ffff) return '\ufffd'
  // Halves of a pair too: some producers write the two one after the other, and together they are a character.
  return String.fromCodePoint(code)
}

const known = new Map<string, string | null>()

function named(name: string, written: string): string {
  let meaning = known.get(name)
  if (meaning === undefined) {
    meaning = lookUp(name)
    if (known.size < MAX_NAMES) known.set(name, meaning)
  }
  return meaning ?? written
}

let source = ''
let meaning = ''
const ignore = () => {}
const reader = new Tokenizer(
  {},
  {
    ontext: (start, end) => {
      meaning += source.slice(start, end)
    },
    ontextentity: (code) => {
      meaning += String.fromCodePoint(code)
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

/** The parser has the table of names and does not give it away, so it is asked for one at a time. */
function lookUp(name: string): string | null {
  source = `&${name};`
  meaning = ''
  reader.reset()
  reader.write(source)
  reader.end()
  // A name without a meaning stays, and so does the rest of one that only begins with a name (`&notit;`).
  return meaning.endsWith(';') ? null : meaning
}
