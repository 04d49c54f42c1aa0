import { and, eq, getTableColumns, gt, inArray, lte, sql } from 'drizzle-orm'
import { paste } from '#db/schema/index.ts'
import type { Context, Services } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { verifyToken } from '#server/core/security/capability.ts'
import { missingItem } from '#server/features/moderation/reports/tombstones.ts'
import type { LockedPasteView, PasteView } from '#src/contract/paste.ts'
import { refusal } from '#src/contract/refusal.ts'
import { decodeFlags, decryptContent, deriveKeys, type PasteContent, unpackContent } from './crypto.ts'
import { lockedPasteView, pasteView } from './view.ts'

export type PasteRow = typeof paste.$inferSelect
type PasteMetadata = Omit<PasteRow, 'sealed'>
type SealedPaste = { row: PasteRow; key: Uint8Array }

const BATCH = 200

const notFound = () => errors.notFound(refusal('paste.notFound'))

function keysOf({ secrets }: Context, id: string) {
  const keys = deriveKeys(id, secrets.paste)
  if (!keys) throw notFound()
  return keys
}

export const isReadable = ({ now }: Context, lookup: Uint8Array) =>
  and(eq(paste.lookup, lookup), gt(paste.expiresAt, now()))

/**
 * Reads a paste without its content, which can be 1 MiB.
 * @throws AppError 404, including for expired and burnt pastes, or 410 for a paste that was taken down
 */
export async function findPaste(ctx: Context, id: string): Promise<PasteMetadata> {
  const { sealed: _sealed, ...columns } = getTableColumns(paste)
  const [row] = await ctx.db
    .select(columns)
    .from(paste)
    .where(isReadable(ctx, keysOf(ctx, id).lookup))
  if (!row) throw await missingPaste(ctx, id)
  return row
}

const missingPaste = (ctx: Context, id: string) =>
  missingItem(ctx, 'paste', lookupText(keysOf(ctx, id).lookup), refusal('paste.notFound'))

export const lookupText = (lookup: Uint8Array) => Buffer.from(lookup).toString('hex')

/** @throws AppError 404 like findPaste */
async function findSealedPaste(ctx: Context, id: string): Promise<SealedPaste> {
  const { lookup, key } = keysOf(ctx, id)
  const [row] = await ctx.db.select().from(paste).where(isReadable(ctx, lookup))
  if (!row) throw await missingPaste(ctx, id)
  return { row, key }
}

/**
 * Decrypts a paste. Reserves memory for the response, which may fail, before the caller deletes a burning paste.
 * @throws AppError 404 for a row that was tampered with, 503 if the memory budget is exhausted
 */
function decryptPaste(ctx: Context, { row, key }: SealedPaste): PasteContent {
  ctx.reserveResponse(row.sealed.length)
  const packed = decryptContent(key, row, row.sealed)
  if (packed) return unpackContent(packed)
  ctx.log.error('Cannot decrypt a paste: its row was changed in the database')
  throw notFound()
}

/**
 * Returns a paste and counts the view. A burning paste is not decrypted, and its view is not counted.
 * @throws AppError 404
 */
export async function peekPaste(ctx: Context, id: string): Promise<PasteView | LockedPasteView> {
  const found = await findSealedPaste(ctx, id)
  const flags = decodeFlags(found.row.flags)
  if (flags.burnAfterReading) return lockedPasteView(id, flags)
  const content = decryptPaste(ctx, found)
  return pasteView(id, { ...found.row, views: await countView(ctx, found.row) }, content)
}

async function countView(ctx: Context, { lookup, views }: PasteRow): Promise<number> {
  if (!ctx.isHumanView) return views
  const [counted] = await ctx.db
    .update(paste)
    .set({ views: sql`${paste.views} + 1` })
    .where(eq(paste.lookup, lookup))
    .returning({ views: paste.views })
  return counted?.views ?? views + 1
}

/** @throws AppError 404, or 403 for a burning or encrypted paste */
export async function readRaw(ctx: Context, id: string): Promise<Uint8Array> {
  const found = await findSealedPaste(ctx, id)
  const { burnAfterReading, encrypted } = decodeFlags(found.row.flags)
  if (burnAfterReading || encrypted) throw errors.forbidden(refusal('paste.pageOnly'))
  return decryptPaste(ctx, found).bytes
}

/**
 * Returns a paste and deletes it if it burns. Decrypts first, so that an error does not lose the paste. If several
 * readers request a burning paste at once, only the request that deletes the row gets the paste.
 * @param proof shows that the client has the key of a paste encrypted in the browser
 * @throws AppError 404, or 403 for a wrong proof, which does not delete the paste
 */
export async function consumePaste(ctx: Context, id: string, proof: string | undefined): Promise<PasteView> {
  const found = await findSealedPaste(ctx, id)
  const { burnAfterReading, encrypted } = decodeFlags(found.row.flags)
  if (encrypted && !verifyToken(proof, found.row.proofHash)) throw errors.forbidden(refusal('paste.wrongProof'))
  const content = decryptPaste(ctx, found)
  if (!burnAfterReading) return pasteView(id, found.row, content)
  const burnt = await ctx.db.delete(paste).where(eq(paste.lookup, found.row.lookup)).returning({ views: paste.views })
  if (burnt.length === 0) throw notFound()
  return pasteView(id, { ...found.row, views: 1 }, content)
}

/** @throws AppError 404, including for a wrong token */
export async function findDeletablePaste(ctx: Context, id: string, token: string): Promise<PasteMetadata> {
  const row = await findPaste(ctx, id)
  if (!verifyToken(token, row.deleteHash)) throw errors.notFound(refusal('paste.wrongToken'))
  return row
}

export async function deletePaste(ctx: Context, id: string, token: string): Promise<void> {
  const { lookup } = await findDeletablePaste(ctx, id, token)
  const gone = await ctx.db.delete(paste).where(eq(paste.lookup, lookup)).returning({ views: paste.views })
  if (gone.length === 0) throw notFound()
}

export async function deleteExpiredPastes({ db, now }: Pick<Services, 'db' | 'now'>): Promise<void> {
  for (;;) {
    const expired = db.select({ lookup: paste.lookup }).from(paste).where(lte(paste.expiresAt, now())).limit(BATCH)
    const removed = await db.delete(paste).where(inArray(paste.lookup, expired)).returning({ flags: paste.flags })
    if (removed.length < BATCH) return
  }
}
