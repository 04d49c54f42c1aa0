import { Tokenizer } from 'htmlparser2'
import { type DeclaredEntities, decodeDeclared, readDeclaredEntities } from './entities.ts'
import {
  canonicalName,
  canonicalPrefix,
  FIELDS,
  isEntry,
  isVoidElement,
  NEVER_IN_TEXT,
  namespaceOf,
  type Scope,
  scopeOf,
  splitName,
  TEXTS,
  VALUES,
} from './namespaces.ts'
import { findDoctype, repairXml } from './repairXml.ts'

export type XmlElement = {
  /** for example `title` or `dc:date`; see canonicalName */
  name: string
  tag: string
  /** lower-case names */
  attributes: ReadonlyMap<string, string>
  parent: XmlElement | null
  children: (XmlElement | string)[]
  /** true if the element has an end tag */
  closed: boolean
}

export type FeedDocument = {
  root: XmlElement
  /** lower-case local name of the root */
  kind: string
  hasFeedNamespace: boolean
  /** entries at any depth, in document order; entries inside other entries are left out */
  entries: XmlElement[]
}

const ROOTS = new Map([
  ['rss', 'rss'],
  ['rdf', 'rss'],
  ['channel', 'rss'],
  ['feed', 'atom'],
  ['entry', 'atom'],
])
/** HTML elements that a broken server may write before the feed. */
const IGNORED_ROOTS = new Set('a b br center div em font hr i p pre span strong'.split(' '))

export const MAX_ENTRIES = 500
/** Limits nesting, because recursion could overflow the stack. Deeper elements lose their tags but keep their text. */
const MAX_DEPTH = 200
/** Limits elements, because a four-byte tag becomes an object of hundreds of bytes. */
const MAX_ELEMENTS = 200_000
const MAX_ATTRIBUTES = 256
const MAX_TEXT_LENGTH = 500_000
const MAX_IGNORED_ROOTS = 1000

const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map()

/**
 * Parses a feed's XML to a tree, even if the XML is not well-formed. Takes linear time. Stops at the limits for entries
 * and elements.
 * @returns for other XML: `rootName`, the local name of the root, or null if there are no elements
 */
export function parseFeedXml(text: string): ParseResult {
  return new TreeBuilder(repairXml(text), readDeclaredEntities(findDoctype(text))).run()
}

type ParseResult = FeedDocument | { root: null; rootName: string | null }
type Frame = { element: XmlElement; scope: Scope | null; key: string }

class TreeBuilder {
  readonly #text: string
  readonly #tokenizer: Tokenizer
  #stopped = false
  #tag = ''
  #attributes: Map<string, string> | undefined
  #attribute = ''
  #value = ''

  #root: XmlElement | null = null
  #rootName: string | null = null
  #own: { prefix: string; uri: string | undefined } = { prefix: '', uri: undefined }
  #entries: XmlElement[] = []
  #elements = 0
  #stack: Frame[] = []
  /** open elements per name, to ignore stray end tags quickly */
  #open = new Map<string, number>()
  /** skipped start tags per name, to skip the matching end tags */
  #tooDeep = new Map<string, number>()
  /** stack positions of the open entry and its first text element; -1 if none is open */
  #entryAt = -1
  #textAt = -1

  constructor(text: string, declared: DeclaredEntities) {
    this.#text = text
    const ignore = () => {}
    this.#tokenizer = new Tokenizer(
      { xmlMode: true, decodeEntities: false },
      {
        ontext: (start, end) =>
          this.#addText(decodeDeclared(text.slice(start, Math.min(end, start + MAX_TEXT_LENGTH)), declared)),
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
            this.#attributes.set(this.#attribute, decodeDeclared(this.#value, declared))
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

  run(): ParseResult {
    this.#tokenizer.write(this.#text)
    this.#tokenizer.end()
    // Drop the element still open in the entry: in a truncated document, it may contain half a link or date.
    if (this.#entryAt !== -1 && this.#stack.length > this.#entryAt + 1)
      this.#stack[this.#entryAt]?.element.children.pop()
    if (!this.#root) return { root: null, rootName: this.#rootName }
    const hasFeedNamespace = canonicalPrefix(this.#own.uri ?? '') === this.#own.prefix
    return { root: this.#root, kind: splitName(this.#root.tag)[1], hasFeedNamespace, entries: this.#entries }
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
    const name = canonicalName(tag, scopeOf(attributes, this.#scope()), this.#own)
    if (FIELDS.has(name)) this.#closeUnclosed(name)
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
    if (selfClosing || isVoidElement(key)) return
    if (entry) this.#entryAt = this.#stack.length
    else if (this.#entryAt !== -1 && this.#textAt === -1 && TEXTS.has(name)) this.#textAt = this.#stack.length
    this.#push(element, scopeOf(attributes, this.#scope()), key)
  }

  #openRoot(tag: string, attributes: ReadonlyMap<string, string>, selfClosing: boolean) {
    const [prefix, local] = splitName(tag)
    const ownPrefix = ROOTS.get(local)
    if (ownPrefix === undefined) {
      if (IGNORED_ROOTS.has(local) && ++this.#elements < MAX_IGNORED_ROOTS) return
      this.#rootName = local
      return this.#stop()
    }
    const scope = scopeOf(attributes, null)
    // In RDF, the root's namespace differs from the feed's namespace.
    this.#own = { prefix: ownPrefix, uri: local === 'rdf' ? undefined : namespaceOf(scope, prefix) }
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

  /** Closes elements that cannot contain a field with this name: their end tags are missing. */
  #closeUnclosed(name: string) {
    const top = this.#stack.length
    let keep = top
    if (isEntry(name) && this.#stack[this.#entryAt]?.element.name === name && !this.#isContent()) keep = this.#entryAt
    else if (this.#textAt !== -1 && this.#own.prefix === 'rss' && NEVER_IN_TEXT.has(name)) keep = this.#textAt
    else if (VALUES.has(this.#stack[top - 1]?.element.name ?? '')) keep = top - 1
    // The root stays open, even if it is an entry.
    while (this.#stack.length > Math.max(keep, 1)) this.#pop()
  }

  /** Returns whether a new entry is inside the open entry's content, which Atom allows. */
  #isContent(): boolean {
    if (this.#own.prefix !== 'atom') return false
    for (let at = this.#entryAt + 1; at < this.#stack.length; at++) {
      const name = this.#stack[at]?.element.name ?? ''
      if (name === 'content' || name.includes(':')) return true
    }
    return false
  }
}
