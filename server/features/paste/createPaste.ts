import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { paste } from '#db/schema/index.ts'
import type { Context } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { createCapabilities, hashToken } from '#server/core/security/capability.ts'
import type { StorageUse } from '#server/core/storage/storageQuota.ts'
import { admitPaste } from '#server/features/moderation/admission/admission.ts'
import { currentOrigin, insertOrigin } from '#server/features/moderation/origins/origins.ts'
import { rejectTakenDown } from '#server/features/moderation/reports/tombstones.ts'
import { type CreatedPaste, MAX_PASTE_BYTES, type PasteForm, type PasteLanguage } from '#src/contract/paste.ts'
import { refusal } from '#src/contract/refusal.ts'
import { deriveKeys, encodeFlags, encryptContent, packContent } from './crypto.ts'
import { guessLanguage } from './guessLanguage.ts'
import { isReadable, lookupText } from './service.ts'

const HOUR_MS = 60 * 60 * 1000
/** Bytes that encryption in the browser adds: version, iv and tag. */
const ENVELOPE_BYTES = 1 + 12 + 16

/**
 * Stores a paste. If the same form was sent before with the same idempotency key, returns the answer of that paste.
 * @throws AppError 403, 413, or 410 if that paste was taken down
 */
export async function createPaste(ctx: Context, form: PasteForm): Promise<CreatedPaste> {
  const bytes = decodeContent(form)
  const { idempotencyKey, content: _content, ...options } = form
  const sent = ['paste', createHash('sha256').update(bytes).digest('base64'), options]
  const { id, token } = createCapabilities(ctx.secrets.idempotency, idempotencyKey, sent)
  const keys = deriveKeys(id, ctx.secrets.paste)
  if (!keys) throw new Error('Cannot derive keys from a new capability')
  const url = `${ctx.config.siteUrl}/paste/${id}`
  const answer = (expiresAt: Date) => ({ url, expiresAt, deleteUrl: `${url}/delete?token=${token}` })
  if (idempotencyKey !== undefined) {
    const earlier = await findExpiry(ctx, keys.lookup)
    if (earlier) return answer(earlier)
    await rejectTakenDown(ctx, 'paste', lookupText(keys.lookup))
  }
  await admitPaste(ctx, form)
  const createdAt = ctx.now()
  const bound = {
    lookup: keys.lookup,
    createdAt,
    expiresAt: new Date(createdAt.getTime() + form.expiryHours * HOUR_MS),
    flags: encodeFlags(form),
  }
  const insertion = ctx.db.insert(paste).values({
    ...bound,
    sealed: encryptContent(keys.key, bound, packContent({ ...form, language: detectLanguage(form, bytes), bytes })),
    deleteHash: hashToken(token),
    proofHash: form.encrypted && form.proofHash ? Buffer.from(form.proofHash, 'base64url') : null,
  })
  const itemId = sql`select encode(lookup, 'hex') from stored`
  const stored = await ctx.db.execute(sql`
    with stored as ${insertion.onConflictDoNothing().returning({ lookup: paste.lookup })},
    originated as (${insertOrigin(await currentOrigin(ctx), 'paste', itemId)})
    select 1 from stored`)
  const expiresAt = stored.length > 0 ? bound.expiresAt : await findExpiry(ctx, keys.lookup)
  // The other paste expired or was deleted a moment ago. Sending the form again stores it.
  if (!expiresAt) throw errors.unavailable(refusal('failure.unavailable'))
  return answer(expiresAt)
}

async function findExpiry(ctx: Context, lookup: Uint8Array): Promise<Date | undefined> {
  const [found] = await ctx.db.select({ expiresAt: paste.expiresAt }).from(paste).where(isReadable(ctx, lookup))
  return found?.expiresAt
}

/** Estimates the paste's size in the database from its content, which is not decoded or packed yet. */
export const pasteStorageUse = ({ content }: PasteForm): StorageUse => ({
  kind: 'paste',
  bytes: Buffer.byteLength(content),
})

function decodeContent({ content, encrypted }: PasteForm): Uint8Array {
  const bytes = typeof content === 'string' ? Buffer.from(content, encrypted ? 'base64' : 'utf8') : content
  if (bytes.length > MAX_PASTE_BYTES + (encrypted ? ENVELOPE_BYTES : 0))
    throw errors.tooLarge(refusal('paste.tooLarge'))
  return bytes
}

function detectLanguage({ language, encrypted }: PasteForm, bytes: Uint8Array): PasteLanguage | null {
  if (encrypted || language === 'plain' || !isUtf8(bytes)) return null
  return language || guessLanguage(Buffer.from(bytes).toString('utf8'))
}
