import { and, eq, getTableColumns, gt, inArray, lte, sql } from 'drizzle-orm'
import { paste } from '#db/schema/index.ts'
import type { Context, Services } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { type ClosedPaste, type PasteView, pasteMessages } from '#src/contract/paste.ts'
import { type Content, unpackContent } from './compression.ts'
import { keysOf, matches, open } from './crypto.ts'
import { unpackFlags } from './flags.ts'
import { closedView, pasteView } from './view.ts'

export type PasteRow = typeof paste.$inferSelect
type PasteHead = Omit<PasteRow, 'sealed'>
/** A row and what opens it. */
type Found = { id: string; row: PasteRow; key: Uint8Array }

const BATCH = 200

const notFound = () => errors.notFound(pasteMessages.notFound)

const isFound = ({ now }: Context, lookup: Uint8Array) => and(eq(paste.lookup, lookup), gt(paste.expiresAt, now()))

/**
 * Looks up a paste without its content, which may be a MiB.
 * @throws AppError 404, the same for missing, expired and burnt, so that nobody learns what once was
 */
export async function findPaste(ctx: Context, id: string): Promise<PasteHead> {
  const keys = keysOf(id, ctx.secrets.paste)
  if (!keys) throw notFound()
  const { sealed: _sealed, ...columns } = getTableColumns(paste)
  const [row] = await ctx.db.select(columns).from(paste).where(isFound(ctx, keys.lookup))
  if (!row) throw notFound()
  return row
}

/** Reads a paste with its content, still sealed. @throws AppError 404 as findPaste */
async function readSealed(ctx: Context, id: string): Promise<Found> {
  const keys = keysOf(id, ctx.secrets.paste)
  if (!keys) throw notFound()
  const [row] = await ctx.db.select().from(paste).where(isFound(ctx, keys.lookup))
  if (!row) throw notFound()
  return { id, row, key: keys.key }
}

/** Opens a row. One that was tampered with is as good as gone; that it was is noted. */
function openRow(ctx: Context, { row, key }: Found): Content {
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
export async function readPaste(ctx: Context, id: string): Promise<PasteView | ClosedPaste> {
  const found = await readSealed(ctx, id)
  const flags = unpackFlags(found.row.flags)
  if (flags.burnAfterReading) return closedView(id, flags)
  const content = openRow(ctx, found)
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
  const found = await readSealed(ctx, id)
  const { burnAfterReading, encrypted } = unpackFlags(found.row.flags)
  if (burnAfterReading || encrypted) throw errors.forbidden(pasteMessages.pageOnly)
  return openRow(ctx, found).bytes
}

/**
 * Reads a paste for good: one that burns is gone with it. It is opened before it is deleted, so that what cannot be
 * opened is not lost, and of any number of simultaneous readers the one whose deletion counts gets it.
 * @param proof what only who holds the browser's key can show
 * @throws AppError 404, 403 for a wrong proof, which burns nothing
 */
export async function readForGood(ctx: Context, id: string, proof: string | undefined): Promise<PasteView> {
  const found = await readSealed(ctx, id)
  const { burnAfterReading, encrypted } = unpackFlags(found.row.flags)
  if (encrypted && !matches(proof, found.row.proofHash)) throw errors.forbidden(pasteMessages.wrongProof)
  const content = openRow(ctx, found)
  if (!burnAfterReading) return pasteView(id, { ...found.row, views: await countView(ctx, found.row) }, content)
  const burnt = await ctx.db.delete(paste).where(eq(paste.lookup, found.row.lookup)).returning({ views: paste.views })
  if (burnt.length === 0) throw notFound()
  return pasteView(id, { ...found.row, views: 1 }, content)
}

/** Finds a paste by its delete link, and changes nothing. @throws AppError 404, for a wrong token too */
export async function findDeletable(ctx: Context, id: string, token: string): Promise<PasteHead> {
  const row = await findPaste(ctx, id)
  if (!matches(token, row.deleteHash)) throw errors.notFound(pasteMessages.wrongToken)
  return row
}

/** Deletes a paste before its time. @throws AppError as findDeletable */
export async function deletePaste(ctx: Context, id: string, token: string): Promise<void> {
  const { lookup } = await findDeletable(ctx, id, token)
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
