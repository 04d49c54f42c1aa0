import { Tokenizer } from 'htmlparser2'
import { FIELDS, isEntry, isVoidElement, NEVER_IN_TEXT, TEXTS, VALUES } from './elements.ts'
import { decodeEntities } from './entities.ts'
import { canonicalName, canonicalPrefix, namespaceOf, type Scope, scopeOf, splitName } from './namespaces.ts'
import { repairXml } from './repairXml.ts'

export type XmlElement = {
  /** `title`, `dc:date`; see canonicalName */
  name: string
  tag: string
  /** names are in lower case */
  attributes: ReadonlyMap<string, string>
  parent: XmlElement | null
  children: (XmlElement | string)[]
  /** has an end tag */
  closed: boolean
}

export type FeedDocument = {
  root: XmlElement
  /** local name of the root, in lower case */
  kind: string
  hasFeedNamespace: boolean
  /** in document order, at any depth, but not nested in each other */
  entries: XmlElement[]
}

const ROOTS = new Map([
  ['rss', 'rss'],
  ['rdf', 'rss'],
  ['channel', 'rss'],
  ['feed', 'atom'],
  ['entry', 'atom'],
])
/** HTML that a broken server writes before the feed. */
const IGNORED_ROOTS = new Set('a b br center div em font hr i p pre span strong'.split(' '))

export const MAX_ENTRIES = 500
/** Limits recursion. Deeper elements lose their tags and keep their text. */
const MAX_DEPTH = 200
/** Limits memory: a tag of four bytes becomes an object of hundreds of bytes. */
const MAX_ELEMENTS = 200_000
const MAX_ATTRIBUTES = 256
const MAX_TEXT_LENGTH = 500_000
const MAX_IGNORED_ROOTS = 1000

const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map()

/**
 * Parses a feed's XML to a tree, even if it is not well-formed. Takes linear time. Stops at the limits of entries and
 * elements.
 * @returns `rootName` if the root is not one of a feed: its local name, or null without any element
 */
export function parseFeedXml(text: string): ParseResult {
  return new TreeBuilder(repairXml(text)).run()
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
  /** number of open elements by name, to ignore stray end tags at once */
  #open = new Map<string, number>()
  /** number of skipped start tags by name, to skip their end tags too */
  #tooDeep = new Map<string, number>()
  /** positions in the stack of the entry and of its first element with text; -1 if none */
  #entryAt = -1
  #textAt = -1

  constructor(text: string) {
    this.#text = text
    const ignore = () => {}
    this.#tokenizer = new Tokenizer(
      { xmlMode: true, decodeEntities: false },
      {
        ontext: (start, end) =>
          this.#addText(decodeEntities(text.slice(start, Math.min(end, start + MAX_TEXT_LENGTH)))),
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
          if (!this.#attributes.has(this.#attribute)) this.#attributes.set(this.#attribute, decodeEntities(this.#value))
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
    // In a truncated document, the last open element may contain half a link or date.
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
    // The namespace of RDF is not that of the feed inside it.
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

  /** Closes elements that cannot contain a field of this name, because their end tag is missing. */
  #closeUnclosed(name: string) {
    const top = this.#stack.length
    let keep = top
    if (isEntry(name) && this.#stack[this.#entryAt]?.element.name === name && !this.#isContent()) keep = this.#entryAt
    else if (this.#textAt !== -1 && this.#own.prefix === 'rss' && NEVER_IN_TEXT.has(name)) keep = this.#textAt
    else if (VALUES.has(this.#stack[top - 1]?.element.name ?? '')) keep = top - 1
    // The root stays open, even if it is an entry.
    while (this.#stack.length > Math.max(keep, 1)) this.#pop()
  }

  /** Whether a new entry is the content of the open one, which Atom allows. */
  #isContent(): boolean {
    if (this.#own.prefix !== 'atom') return false
    for (let at = this.#entryAt + 1; at < this.#stack.length; at++) {
      const name = this.#stack[at]?.element.name ?? ''
      if (name === 'content' || name.includes(':')) return true
    }
    return false
  }
}
