import { z } from 'zod'
import { DEFAULT_EXPIRY, EXPIRY_HOURS, expiryRequired, idempotencyKey } from './fields.ts'
import { refusal } from './refusal.ts'

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

/** Styles of highlighted code, in pastes and posts. */
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

/** The documented call that creates a paste. The form sends to it. */
export const PASTE_CALL = '/api/paste'
export const MAX_PASTE_BYTES = 1024 * 1024

export type PasteSize = { bytes: number; lines: number }

/** `fullSize` is set if `paste` contains only the beginning of the text. */
export type HighlightedPaste = { paste: PasteView; highlights: HighlightRuns; fullSize: PasteSize | null }

export const pasteFlagsSchema = z.object({
  burnAfterReading: z.boolean(),
  encrypted: z.boolean().describe('true if the browser encrypted the content'),
  passwordProtected: z
    .boolean()
    .describe('readers need a password in addition to the key in the URL; only with `encrypted`'),
})
export type PasteFlags = z.output<typeof pasteFlagsSchema>

export const lockedPasteSchema = pasteFlagsSchema.extend({ id: z.string(), content: z.null() }).meta({
  id: 'LockedPaste',
  description: 'A burn-after-reading paste before it is read',
})
/** A paste whose content the server sends only after the reader opens the paste. */
export type LockedPasteView = z.output<typeof lockedPasteSchema>

export const pasteSchema = pasteFlagsSchema
  .extend({
    id: z.string(),
    content: z.string(),
    encoding: z
      .enum(['utf-8', 'base64'])
      .describe('base64 if the bytes are not valid UTF-8 or the browser encrypted them'),
    language: z.enum(Object.keys(pasteLanguages) as PasteLanguage[]).nullable(),
    createdAt: z.date(),
    expiresAt: z.date(),
    views: z.int(),
  })
  .meta({ id: 'Paste' })
export type PasteView = z.output<typeof pasteSchema>

export const createdPasteSchema = z.object({
  url: z.string(),
  expiresAt: z.date(),
  deleteUrl: z.string().describe('The server sends this URL only once'),
})
export type CreatedPaste = z.output<typeof createdPasteSchema>

const HASH = /^[\w-]{42}[AEIMQUYcgkosw048]$/
const BASE64 = /^(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/

const asText = (content: string | Uint8Array) =>
  typeof content === 'string' ? content : new TextDecoder().decode(content)

/** Text or bytes. Unlike other text fields, `content` keeps surrounding white space, line breaks and NUL. */
const content = z
  .union([z.string(), z.instanceof(Uint8Array)], refusal('paste.contentRequired'))
  .refine((value) => typeof value !== 'string' || value.isWellFormed(), {
    message: refusal('failure.unstorable'),
    abort: true,
  })
  .refine((value) => asText(value).trim() !== '', refusal('paste.contentRequired'))

export const pasteParams = z.object({ pasteId: z.coerce.string<string | number>() })

export const pasteForm = z
  .object({
    content,
    expiryHours: z.literal([...EXPIRY_HOURS], expiryRequired).default(DEFAULT_EXPIRY),
    /** 'plain' disables highlighting; if missing or empty, the server guesses the language */
    language: z
      .enum(['', 'plain', ...(Object.keys(pasteLanguages) as PasteLanguage[])], refusal('paste.languageRefusal'))
      .optional(),
    burnAfterReading: z.boolean(refusal('paste.flag')).default(false),
    /** true if `content` is base64 of bytes that the browser encrypted */
    encrypted: z.boolean(refusal('paste.flag')).default(false),
    passwordProtected: z.boolean(refusal('paste.flag')).default(false),
    /** SHA-256 of the proof that a reader must send, as base64url */
    proofHash: z.string(refusal('paste.encrypted')).regex(HASH, refusal('paste.encrypted')).optional(),
    idempotencyKey,
  })
  .refine(
    (form) => !form.encrypted || (typeof form.content === 'string' && BASE64.test(form.content) && form.proofHash),
    refusal('paste.encrypted'),
  )
  // Otherwise the author would believe that the paste is protected.
  .refine(
    ({ encrypted, passwordProtected, proofHash }) => encrypted || !(passwordProtected || proofHash),
    refusal('paste.notEncrypted'),
  )

/** `proof` is required for pastes encrypted in the browser. */
export const readForm = pasteParams.extend({ proof: z.string(refusal('paste.wrongProof')).optional() })
export const deleteForm = pasteParams.extend({ token: z.string(refusal('paste.wrongToken')) })

export type PasteForm = z.infer<typeof pasteForm>
