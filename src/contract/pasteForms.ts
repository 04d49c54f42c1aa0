import { z } from 'zod'
import { DEFAULT_EXPIRY, EXPIRY_HOURS, expiryRequired } from './expiry.ts'
import { idempotencyKey } from './idempotency.ts'
import { type PasteLanguage, pasteLanguages } from './paste.ts'
import { refusal } from './refusal.ts'

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

/** `proof` is required for pastes encrypted in the browser. */
export const readForm = pasteParams.extend({ proof: z.string(refusal('paste.wrongProof')).optional() })
export const deleteForm = pasteParams.extend({ token: z.string(refusal('paste.wrongToken')) })

export type PasteForm = z.infer<typeof pasteForm>
