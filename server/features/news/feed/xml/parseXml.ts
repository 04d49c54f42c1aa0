import { Tokenizer } from 'htmlparser2'
import { FIELDS, isEmptyHtml, isEntry, NEVER_IN_TEXT, TEXTS, VALUES } from './elements.ts'
import { decodeReferences } from './entities.ts'
import { addressOf, elementName, type Scope, scopeOf, splitName, vocabulary } from './namespaces.ts'
import { mendXml } from './repairXml.ts'

export type XmlElement = {
  /** canonical: `title`, `dc:date`; see elementName */
  name: string
  /** as written */
  tag: string
  /** by their names as written, in lower case */
  attributes: ReadonlyMap<string, string>
  parent: XmlElement | null
  /** text is decoded, once */
  children: (XmlElement | string)[]
  /** by a tag of its own */
  closed: boolean
}

export type FeedDocument = {
  root: XmlElement
  /** local name of the root, in lower case */
  kind: string
  /** whether its namespace is one of feeds */
  declared: boolean
  /** items or entries in the order of the document, at any depth but not within each other */
  entries: XmlElement[]
}

/** The vocabulary each root speaks. */
const ROOTS = new Map([
  ['rss', 'rss'],
  ['rdf', 'rss'],
  ['channel', 'rss'],
  ['feed', 'atom'],
  ['entry', 'atom'],
])
/** Such HTML is what a server writes before a feed when something went wrong. */
const JUNK = new Set('a b br center div em font hr i p pre span strong'.split(' '))

export const MAX_ENTRIES = 500
/** Deeper elements lose their tags and keep their text: a million levels are an attack on whoever walks the tree. */
const MAX_DEPTH = 200
/** Guards memory: a tag of four bytes makes an object of hundreds. */
const MAX_ELEMENTS = 200_000

const MAX_ATTRIBUTES = 256
/** What is longer than this has said what it is about. */
const MAX_TEXT = 500_000
const MAX_JUNK = 1000

const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map()

/**
 * A feed's XML as a tree, well-formed or not, read as far as it goes: to the end, the bound on entries or that on
 * elements. Linear in the length of the text.
 * @returns `found` where the root is none of a feed's: its local name, or null where there is no element at all
 */
export function parseFeedXml(text: string): FeedDocument | { root: null; found: string | null } {
  return new Builder(mendXml(text)).run()
}

type Frame = { element: XmlElement; scope: Scope | null; key: string }

class Builder {
  readonly #text: string
  readonly #tokenizer: Tokenizer
  #stopped = false
  // of the start tag being read
  #tag = ''
  #attributes: Map<string, string> | undefined
  #attribute = ''
  #value = ''

  #root: XmlElement | null = null
  #found: string | null = null
  #own: { vocabulary: string; address: string | undefined } = { vocabulary: '', address: undefined }
  #entries: XmlElement[] = []
  #elements = 0
  #stack: Frame[] = []
  /** how many elements of a name are open: a stray end tag costs nothing */
  #open = new Map<string, number>()
  /** tags left out for their depth, so that their end tags are too */
  #tooDeep = new Map<string, number>()
  /** where in the stack the entry is, and its first element that holds text with markup; -1 outside */
  #entryAt = -1
  #textAt = -1

  constructor(text: string) {
    this.#text = text
    const ignore = () => {}
    this.#tokenizer = new Tokenizer(
      { xmlMode: true, decodeEntities: false },
      {
        ontext: (start, end) => this.#addText(decodeReferences(text.slice(start, Math.min(end, start + MAX_TEXT)))),
        oncdata: (start, end, offset) => this.#addText(text.slice(start, end - offset)),
        onopentagname: (start, end) => {
          this.#tag = text.slice(start, end)
          this.#attributes = undefined
        },
        onattribname: (start, end) => {
          this.#attribute = text.slice(start, end).toLowerCase()
          this.#value = ''
        },
        onattribdata: (start, end) => {
          this.#value += text.slice(start, end)
        },
        onattribend: () => {
          this.#attributes ??= new Map()
          if (this.#attributes.size === MAX_ATTRIBUTES) return
          if (!this.#attributes.has(this.#attribute))
            this.#attributes.set(this.#attribute, decodeReferences(this.#value))
        },
        onopentagend: () => this.#openTag(false),
        onselfclosingtag: () => this.#openTag(true),
        onclosetag: (start, end) => this.#closeTag(text.slice(start, end).toLowerCase()),
        onattribentity: ignore,
        ontextentity: ignore,
        oncomment: ignore,
        ondeclaration: ignore,
        onend: ignore,
        onprocessinginstruction: ignore,
      },
    )
  }

  run(): FeedDocument | { root: null; found: string | null } {
    this.#tokenizer.write(this.#text)
    this.#tokenizer.end()
    // What stands open at the end of a document cut off is half a link or half a date, and worse than none.
    if (this.#entryAt !== -1 && this.#stack.length > this.#entryAt + 1)
      this.#stack[this.#entryAt]?.element.children.pop()
    if (!this.#root) return { root: null, found: this.#found }
    const declared = vocabulary(this.#own.address ?? '') === this.#own.vocabulary
    return { root: this.#root, kind: splitName(this.#root.tag)[1], declared, entries: this.#entries }
  }

  #stop() {
    this.#stopped = true
    this.#tokenizer.pause()
  }

  #addText(text: string) {
    if (text !== '') this.#stack.at(-1)?.element.children.push(text)
  }

  #openTag(selfClosing: boolean) {
    const tag = this.#tag
    const attributes = this.#attributes ?? NO_ATTRIBUTES
    if (!this.#root) return this.#openRoot(tag, attributes, selfClosing)
    const key = tag.toLowerCase()
    const name = elementName(tag, scopeOf(attributes, this.#scope()), this.#own)
    if (FIELDS.has(name)) this.#repair(name)
    if (this.#stopped) return
    if (this.#stack.length >= MAX_DEPTH) {
      if (!selfClosing) this.#tooDeep.set(key, (this.#tooDeep.get(key) ?? 0) + 1)
      return
    }
    if (++this.#elements > MAX_ELEMENTS) return this.#stop()
    const parent = this.#stack.at(-1)?.element ?? null
    const element: XmlElement = { name, tag, attributes, parent, children: [], closed: selfClosing }
    parent?.children.push(element)
    const entry = isEntry(name) && this.#entryAt === -1
    if (entry) this.#entries.push(element)
    if (entry && selfClosing && this.#entries.length >= MAX_ENTRIES) return this.#stop()
    if (selfClosing || isEmptyHtml(key)) return
    if (entry) this.#entryAt = this.#stack.length
    else if (this.#entryAt !== -1 && this.#textAt === -1 && TEXTS.has(name)) this.#textAt = this.#stack.length
    this.#push(element, scopeOf(attributes, this.#scope()), key)
  }

  #openRoot(tag: string, attributes: ReadonlyMap<string, string>, selfClosing: boolean) {
    const [prefix, local] = splitName(tag)
    const native = ROOTS.get(local)
    if (native === undefined) {
      if (JUNK.has(local) && ++this.#elements < MAX_JUNK) return
      this.#found = local
      return this.#stop()
    }
    const scope = scopeOf(attributes, null)
    // The namespace of RDF itself is not that of the feed in it.
    this.#own = { vocabulary: native, address: local === 'rdf' ? undefined : addressOf(scope, prefix) }
    this.#root = { name: local, tag, attributes, parent: null, children: [], closed: selfClosing }
    if (isEntry(local)) {
      this.#entries.push(this.#root)
      this.#entryAt = 0
    }
    if (selfClosing) this.#stop()
    else this.#push(this.#root, scope, tag.toLowerCase())
  }

  #scope(): Scope | null {
    return this.#stack.at(-1)?.scope ?? null
  }

  #push(element: XmlElement, scope: Scope | null, key: string) {
    this.#stack.push({ element, scope, key })
    this.#open.set(key, (this.#open.get(key) ?? 0) + 1)
  }

  #pop(): Frame {
    const frame = this.#stack.pop() as Frame
    this.#open.set(frame.key, (this.#open.get(frame.key) as number) - 1)
    if (this.#tooDeep.size > 0) this.#tooDeep.clear()
    const depth = this.#stack.length
    if (depth === this.#textAt) this.#textAt = -1
    if (depth === this.#entryAt) {
      this.#entryAt = -1
      if (this.#entries.length >= MAX_ENTRIES) this.#stop()
    }
    if (depth === 0) this.#stop()
    return frame
  }

  #closeTag(key: string) {
    const deep = this.#tooDeep.get(key)
    if (deep) {
      this.#tooDeep.set(key, deep - 1)
      return
    }
    if (!this.#open.get(key)) return
    let frame = this.#pop()
    while (frame.key !== key) frame = this.#pop()
    frame.element.closed = true
  }

  /** Ends what a field of this name cannot stand in: somebody forgot the end tag. */
  #repair(name: string) {
    const top = this.#stack.length
    let keep = top
    if (isEntry(name) && this.#stack[this.#entryAt]?.element.name === name && !this.#isContent()) keep = this.#entryAt
    else if (this.#textAt !== -1 && this.#own.vocabulary === 'rss' && NEVER_IN_TEXT.has(name)) keep = this.#textAt
    else if (VALUES.has(this.#stack[top - 1]?.element.name ?? '')) keep = top - 1
    // The root stays, even where it is an entry.
    while (this.#stack.length > Math.max(keep, 1)) this.#pop()
  }

  /** Whether an entry that begins here is content of another, which Atom allows. */
  #isContent(): boolean {
    if (this.#own.vocabulary !== 'atom') return false
    for (let at = this.#entryAt + 1; at < this.#stack.length; at++) {
      const name = this.#stack[at]?.element.name ?? ''
      if (name === 'content' || name.includes(':')) return true
    }
    return false
  }
}
