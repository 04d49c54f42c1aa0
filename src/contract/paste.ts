/** Largest paste in bytes: 1 MiB. */
export const MAX_PASTE_BYTES = 1024 * 1024

export const pasteMessages = {
  contentRequired: 'Please enter some content to paste',
  tooLarge: 'Pastes can be at most 1 MB',
  notFound: 'Paste not found or expired',
  create: 'Failed to create paste',
  createAgain: 'Failed to create paste. Please try again.',
  load: 'Failed to load paste',
  delete: 'Failed to delete paste',
  language: 'Unknown language',
  flag: 'A switch must be true or false',
  encrypted: 'Encrypted content must be base64, with the hash of its proof',
  wrongProof: 'The key or the password is wrong',
  wrongToken: 'The delete link is wrong',
  pageOnly: 'This paste can be read on its page only',
} as const

/** Languages a paste can be coloured as, by their names for people. */
export const pasteLanguages = {
  bash: 'Bash',
  c: 'C',
  cpp: 'C++',
  csharp: 'C#',
  css: 'CSS',
  diff: 'Diff',
  dockerfile: 'Dockerfile',
  go: 'Go',
  ini: 'INI, TOML',
  java: 'Java',
  javascript: 'JavaScript',
  json: 'JSON',
  lua: 'Lua',
  makefile: 'Makefile',
  markdown: 'Markdown',
  perl: 'Perl',
  php: 'PHP',
  python: 'Python',
  ruby: 'Ruby',
  rust: 'Rust',
  sql: 'SQL',
  typescript: 'TypeScript',
  xml: 'HTML, XML',
  yaml: 'YAML',
} as const
export type PasteLanguage = keyof typeof pasteLanguages

/** What a stretch of text is, for its colour; the first is none. */
export const highlightStyles = [
  'plain',
  'comment',
  'keyword',
  'string',
  'number',
  'title',
  'type',
  'name',
  'meta',
  'added',
  'removed',
  'strong',
] as const
export type HighlightStyle = (typeof highlightStyles)[number]

/** Stretches of a text from its beginning to its end: the length of each (UTF-16 units), then its index in markNames. */
export type HighlightRuns = number[]

export type PasteFlags = {
  burnAfterReading: boolean
  /** encrypted in the browser: the server holds only what it was given */
  encrypted: boolean
  /** besides the key in the address a password is needed; only where the browser encrypted */
  passwordProtected: boolean
}

/** A paste that is read once, before it is read: what it is, and nothing of it. */
export type UnopenedPaste = PasteFlags & { id: string; content: null }

export type PasteView = PasteFlags & {
  id: string
  content: string
  /** base64 where the bytes are no UTF-8, or the browser encrypted them */
  encoding: 'utf-8' | 'base64'
  language: PasteLanguage | null
  createdAt: Date
  expiresAt: Date
  views: number
}

export type PasteSize = { bytes: number; lines: number }

/** A paste with its colours; `whole` is its size where `paste` has only its beginning. */
export type HighlightedPaste = { paste: PasteView; highlights: HighlightRuns; fullSize: PasteSize | null }

/** What the maker of a paste gets. */
export type CreatedPaste = { url: string; expiresAt: Date; deleteUrl: string }
