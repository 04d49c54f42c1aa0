/** The documented call that creates a paste. The form sends to it. */
export const PASTE_CALL = '/api/paste'
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
  flag: 'burnAfterReading, encrypted and passwordProtected must be true or false',
  encrypted: 'Encrypted content must be base64 and have a proofHash',
  wrongProof: 'Wrong key or password',
  wrongToken: 'This delete link is not valid',
  pageOnly: 'This paste can only be read on its page',
} as const

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

/** Pairs of numbers: run length in UTF-16 units, then the index of the run's style in highlightStyles. */
export type HighlightRuns = number[]

export type PasteFlags = {
  burnAfterReading: boolean
  /** true if the browser encrypted the content */
  encrypted: boolean
  /** readers need a password in addition to the key in the URL; only with `encrypted` */
  passwordProtected: boolean
}

/** A paste whose content the server sends only after the reader opens the paste. */
export type LockedPasteView = PasteFlags & { id: string; content: null }

export type PasteView = PasteFlags & {
  id: string
  content: string
  /** base64 if the bytes are not valid UTF-8 or the browser encrypted them */
  encoding: 'utf-8' | 'base64'
  language: PasteLanguage | null
  createdAt: Date
  expiresAt: Date
  views: number
}

export type PasteSize = { bytes: number; lines: number }

/** `fullSize` is set if `paste` contains only the beginning of the text. */
export type HighlightedPaste = { paste: PasteView; highlights: HighlightRuns; fullSize: PasteSize | null }

export type CreatedPaste = { url: string; expiresAt: Date; deleteUrl: string }
