import { and, eq, gt, isNull, or, type SQL, sql } from 'drizzle-orm'
import { imageShare, paste, post, program, thread } from '#db/schema/index.ts'
import type { Context } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { isCapability } from '#server/core/security/capability.ts'
import { imageIdOf } from '#server/core/storage/imageFiles.ts'
import { findPlace } from '#server/features/board/read/queries.ts'
import { isOrWasOnBoard, isShownPost } from '#server/features/board/read/threadConditions.ts'
import { hasImage } from '#server/features/board/write/images.ts'
import { deriveKeys } from '#server/features/paste/crypto.ts'
import { refusal } from '#src/contract/refusal.ts'
import type { ItemKind } from '#src/contract/reports.ts'
import type { ItemReference } from './itemUrl.ts'

/** An item that exists. `itemId` is as in the table `report`. */
export type Item = {
  kind: ItemKind
  itemId: string
  /** null for items that belong to no board */
  boardId: string | null
  threadId: number | null
}

/** The title of a thread stays when its author deletes the first post. */
const isPublished = and(isShownPost, isNull(thread.deletedAt))
const isStored = or(isPublished, sql`${post.state} in ('held', 'removed')`)

/**
 * Finds the item that a URL refers to.
 * @param withWithheld whether to find held posts, and removed ones that can be restored
 * @throws AppError 404
 */
export async function findItem(ctx: Context, reference: ItemReference, withWithheld = false): Promise<Item> {
  const found = await findByUrl(ctx, reference, withWithheld ? isStored : isPublished)
  if (found) return found
  if (reference.kind === 'post' && reference.postId !== reference.threadId) {
    const thread = { ...reference, postId: reference.threadId }
    if (await findByUrl(ctx, thread, isPublished)) throw errors.notFound(refusal('moderation.reportNoPost'))
  }
  throw errors.notFound(refusal('moderation.reportNotFound'))
}

async function findByUrl(ctx: Context, reference: ItemReference, isFound: SQL | undefined): Promise<Item | null> {
  switch (reference.kind) {
    case 'post': {
      const { boardId, threadId, postId } = reference
      return findPost(ctx, and(eq(post.id, postId), eq(post.threadId, threadId), isOrWasOnBoard(boardId), isFound))
    }
    case 'paste': {
      const lookup = deriveKeys(reference.id, ctx.secrets.paste)?.lookup
      return lookup ? findOwn(ctx, 'paste', eq(paste.lookup, lookup)) : null
    }
    case 'image':
      return isCapability(reference.id) ? findOwn(ctx, 'image', eq(imageShare.id, reference.id)) : null
    case 'program':
      return findOwn(ctx, 'program', eq(program.id, reference.id))
    case 'file': {
      const imageId = imageIdOf(reference.name)
      if (!/^[0-9a-f]{24}(-[0-9a-z]{1,9})?$/.test(imageId)) return null
      // Nobody can read the image of a stub.
      const isReadable = isFound === isPublished ? eq(post.stub, false) : undefined
      const found = await findPost(ctx, and(hasImage(post, [imageId]), isFound, isReadable))
      return found ?? findOwn(ctx, 'image', eq(imageShare.imageId, imageId))
    }
  }
}

/** Returns a reported item, even if it is a removed post that can be restored, or null if it does not exist. */
export async function findReportedItem(ctx: Context, kind: ItemKind, itemId: string): Promise<Item | null> {
  switch (kind) {
    case 'post':
      return findPost(ctx, and(eq(post.id, Number(itemId)), isStored))
    case 'paste':
      return findOwn(ctx, kind, eq(paste.lookup, Buffer.from(itemId, 'hex')))
    case 'image':
      return findOwn(ctx, kind, eq(imageShare.id, itemId))
    case 'program':
      return findOwn(ctx, kind, eq(program.id, Number(itemId)))
  }
}

async function findPost({ db }: Context, condition: SQL | undefined): Promise<Item | null> {
  const place = await findPlace({ db }, condition)
  return place && { kind: 'post', itemId: String(place.id), boardId: place.boardId, threadId: place.threadId }
}

/** Items that belong to no board, and expire or not. */
const OWN = {
  paste: { table: paste, id: sql<string>`encode(${paste.lookup}, 'hex')`, expiresAt: paste.expiresAt },
  image: { table: imageShare, id: sql<string>`${imageShare.id}`, expiresAt: imageShare.expiresAt },
  program: { table: program, id: sql<string>`${program.id}::text`, expiresAt: null },
}

async function findOwn({ db, now }: Context, kind: keyof typeof OWN, condition: SQL): Promise<Item | null> {
  const { table, id, expiresAt } = OWN[kind]
  const isLive = expiresAt ? gt(expiresAt, now()) : undefined
  const [found] = await db.select({ itemId: id }).from(table).where(and(condition, isLive))
  return found ? { kind, itemId: found.itemId, boardId: null, threadId: null } : null
}

/** Returns the fields of a log entry. Omits the lookup of a paste, which could be matched with its URL. */
export const describeItem = ({ kind, itemId, boardId, threadId }: Item) => ({
  boardId,
  ...(threadId !== null && { threadId }),
  ...(kind !== 'paste' && { itemId }),
})
