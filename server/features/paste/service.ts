import { and, eq, getTableColumns, gt, inArray, lte, sql } from 'drizzle-orm'
import { paste } from '#db/schema/index.ts'
import type { Context, Services } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { type PasteView, pasteMessages, type UnopenedPaste } from '#src/contract/paste.ts'
import { type PasteContent, unpackContent } from './content.ts'
import { deriveKeys, open, verifyToken } from './crypto.ts'
import { decodeFlags } from './flags.ts'
import { pasteView, unopenedPasteView } from './view.ts'

export type PasteRow = typeof paste.$inferSelect
type PasteMetadata = Omit<PasteRow, 'sealed'>
/** A row and what opens it. */
type SealedPaste = { id: string; row: PasteRow; key: Uint8Array }

const BATCH = 200

const notFound = () => errors.notFound(pasteMessages.notFound)

const isReadable = ({ now }: Context, lookup: Uint8Array) => and(eq(paste.lookup, lookup), gt(paste.expiresAt, now()))

/**
 * Looks up a paste without its content, which may be a MiB.
 * @throws AppError 404, the same for missing, expired and burnt, so that nobody learns what once was
 */
export async function findPaste(ctx: Context, id: string): Promise<PasteMetadata> {
  const keys = deriveKeys(id, ctx.secrets.paste)
  if (!keys) throw notFound()
  const { sealed: _sealed, ...columns } = getTableColumns(paste)
  const [row] = await ctx.db.select(columns).from(paste).where(isReadable(ctx, keys.lookup))
  if (!row) throw notFound()
  return row
}

/** Reads a paste with its content, still sealed. @throws AppError 404 as findPaste */
async function findSealedPaste(ctx: Context, id: string): Promise<SealedPaste> {
  const keys = deriveKeys(id, ctx.secrets.paste)
  if (!keys) throw notFound()
  const [row] = await ctx.db.select().from(paste).where(isReadable(ctx, keys.lookup))
  if (!row) throw notFound()
  return { id, row, key: keys.key }
}

/** Opens a row. One that was tampered with is as good as gone; that it was is noted. */
function decryptPaste(ctx: Context, { row, key }: SealedPaste): PasteContent {
  ctx.reserveAnswer(row.sealed.length)
  const packed = open(key, row, row.sealed)
  if (packed) return unpackContent(packed)
  ctx.log.error('a paste is not what was sealed: its row was changed')
  throw notFound()
}

/**
 * Reads a paste; a person's look at it is counted. One that burns is neither opened nor counted here.
 * @throws AppError 404
 */
export async function readPaste(ctx: Context, id: string): Promise<PasteView | UnopenedPaste> {
  const found = await findSealedPaste(ctx, id)
  const flags = decodeFlags(found.row.flags)
  if (flags.burnAfterReading) return unopenedPasteView(id, flags)
  const content = decryptPaste(ctx, found)
  return pasteView(id, { ...found.row, views: await countView(ctx, found.row) }, content)
}

async function countView(ctx: Context, { lookup, views }: PasteRow): Promise<number> {
  if (!ctx.isPersonsView) return views
  const [counted] = await ctx.db
    .update(paste)
    .set({ views: sql`${paste.views} + 1` })
    .where(eq(paste.lookup, lookup))
    .returning({ views: paste.views })
  return counted?.views ?? views + 1
}

/**
 * The bytes of a paste as they came.
 * @throws AppError 404, 403 for a paste that only its page can open
 */
export async function readRaw(ctx: Context, id: string): Promise<Uint8Array> {
  const found = await findSealedPaste(ctx, id)
  const { burnAfterReading, encrypted } = decodeFlags(found.row.flags)
  if (burnAfterReading || encrypted) throw errors.forbidden(pasteMessages.pageOnly)
  return decryptPaste(ctx, found).bytes
}

/**
 * Reads a paste for good: one that burns is gone with it. It is opened before it is deleted, so that what cannot be
 * opened is not lost, and of any number of simultaneous readers the one whose deletion counts gets it.
 * @param proof what only who holds the browser's key can show
 * @throws AppError 404, 403 for a wrong proof, which burns nothing
 */
export async function openPaste(ctx: Context, id: string, proof: string | undefined): Promise<PasteView> {
  const found = await findSealedPaste(ctx, id)
  const { burnAfterReading, encrypted } = decodeFlags(found.row.flags)
  if (encrypted && !verifyToken(proof, found.row.proofHash)) throw errors.forbidden(pasteMessages.wrongProof)
  const content = decryptPaste(ctx, found)
  if (!burnAfterReading) return pasteView(id, { ...found.row, views: await countView(ctx, found.row) }, content)
  const burnt = await ctx.db.delete(paste).where(eq(paste.lookup, found.row.lookup)).returning({ views: paste.views })
  if (burnt.length === 0) throw notFound()
  return pasteView(id, { ...found.row, views: 1 }, content)
}

/** Finds a paste by its delete link, and changes nothing. @throws AppError 404, for a wrong token too */
export async function findDeletablePaste(ctx: Context, id: string, token: string): Promise<PasteMetadata> {
  const row = await findPaste(ctx, id)
  if (!verifyToken(token, row.deleteHash)) throw errors.notFound(pasteMessages.wrongToken)
  return row
}

/** Deletes a paste before its time. @throws AppError as findDeletable */
export async function deletePaste(ctx: Context, id: string, token: string): Promise<void> {
  const { lookup } = await findDeletablePaste(ctx, id, token)
  const gone = await ctx.db.delete(paste).where(eq(paste.lookup, lookup)).returning({ views: paste.views })
  if (gone.length === 0) throw notFound()
}

/** Removes what has expired; until then the queries above pass it over. */
export async function deleteExpiredPastes({ db, now }: Pick<Services, 'db' | 'now'>): Promise<void> {
  for (;;) {
    const expired = db.select({ lookup: paste.lookup }).from(paste).where(lte(paste.expiresAt, now())).limit(BATCH)
    const removed = await db.delete(paste).where(inArray(paste.lookup, expired)).returning({ flags: paste.flags })
    if (removed.length < BATCH) return
  }
}
