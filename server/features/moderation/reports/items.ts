import { and, eq, gt, isNull, type SQL, sql } from 'drizzle-orm'
import { imageShare, livePost, paste, post, program, thread } from '#db/schema/index.ts'
import type { Context } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { isCapability } from '#server/core/security/capability.ts'
import { imageIdOf } from '#server/core/storage/imageFiles.ts'
import { findPlace } from '#server/features/board/read/queries.ts'
import { isOrWasOnBoard, isShownPost } from '#server/features/board/read/threadConditions.ts'
import { hasImage } from '#server/features/board/write/images.ts'
import { deriveKeys } from '#server/features/paste/crypto.ts'
import type { PostRef } from '#src/contract/post.ts'
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

const notFound = (text = refusal('moderation.reportNotFound')) => errors.notFound(text)

/** @throws AppError 404 if the item does not exist */
export async function findItem(ctx: Context, reference: ItemReference): Promise<Item> {
  switch (reference.kind) {
    case 'post': {
      const { boardId, threadId, postId } = reference
      const found = await findPost(ctx, postId, isOrWasOnBoard(boardId))
      if (found?.threadId === threadId) return found
      const isThread = postId !== threadId && (await findPost(ctx, threadId, isOrWasOnBoard(boardId))) !== null
      throw notFound(isThread ? refusal('moderation.reportNoPost') : undefined)
    }
    case 'paste':
      return findPaste(ctx, deriveKeys(reference.id, ctx.secrets.paste)?.lookup)
    case 'image':
      return findImageShare(ctx, isCapability(reference.id) ? eq(imageShare.id, reference.id) : null)
    case 'program':
      return findProgram(ctx, reference.id)
    case 'file':
      return findByFile(ctx, reference.name)
  }
}

/** Returns the post that a URL refers to if it is held or was removed, and null for other items. */
export async function findWithheldItem(ctx: Context, reference: ItemReference): Promise<Item | null> {
  if (reference.kind === 'post') {
    const { boardId, threadId, postId } = reference
    return findWithheldPost(ctx, and(eq(post.id, postId), eq(post.threadId, threadId), isOrWasOnBoard(boardId)))
  }
  const imageId = reference.kind === 'file' ? imageIdOf(reference.name) : ''
  return isImageId(imageId) ? findWithheldPost(ctx, hasImage(post, [imageId])) : null
}

/** Returns a reported item, even if it is a removed post that can be restored, or null if it does not exist. */
export async function findReportedItem(ctx: Context, kind: ItemKind, itemId: string): Promise<Item | null> {
  if (kind === 'post')
    return (await findPost(ctx, Number(itemId))) ?? (await findWithheldPost(ctx, eq(post.id, Number(itemId))))
  const find = {
    paste: () => findPaste(ctx, Buffer.from(itemId, 'hex')),
    image: () => findImageShare(ctx, eq(imageShare.id, itemId)),
    program: () => findProgram(ctx, Number(itemId)),
  }[kind]
  return find().catch((error) => {
    if (error.code === 'NOT_FOUND') return null
    throw error
  })
}

async function findPost({ db }: Pick<Context, 'db'>, id: number, isHere?: SQL): Promise<Item | null> {
  // The title of a thread stays when its author deletes the first post.
  const isPublished = and(eq(post.id, id), isShownPost, isNull(thread.deletedAt), isHere)
  return postItem(await findPlace({ db }, isPublished))
}

async function findWithheldPost({ db }: Pick<Context, 'db'>, condition: SQL | undefined): Promise<Item | null> {
  return postItem(await findPlace({ db }, and(condition, sql`${post.state} in ('held', 'removed')`)))
}

const postItem = (place: PostRef | null): Item | null =>
  place && { kind: 'post', itemId: String(place.id), boardId: place.boardId, threadId: place.threadId }

const ownItem = (kind: ItemKind, itemId: string): Item => ({ kind, itemId, boardId: null, threadId: null })

async function findPaste({ db, now }: Context, lookup: Uint8Array | undefined): Promise<Item> {
  const [found] = lookup
    ? await db
        .select({ lookup: paste.lookup })
        .from(paste)
        .where(and(eq(paste.lookup, lookup), gt(paste.expiresAt, now())))
    : []
  if (!found) throw notFound()
  return ownItem('paste', Buffer.from(found.lookup).toString('hex'))
}

async function findImageShare({ db, now }: Context, condition: ReturnType<typeof eq> | null): Promise<Item> {
  const [found] = condition
    ? await db
        .select({ id: imageShare.id })
        .from(imageShare)
        .where(and(condition, gt(imageShare.expiresAt, now())))
    : []
  if (!found) throw notFound()
  return ownItem('image', found.id)
}

async function findProgram({ db }: Context, id: number): Promise<Item> {
  const [found] = await db.select({ id: program.id }).from(program).where(eq(program.id, id))
  if (!found) throw notFound()
  return ownItem('program', String(found.id))
}

const isImageId = (text: string) => /^[0-9a-f]{24}(-[0-9a-z]{1,9})?$/.test(text)

async function findByFile(ctx: Context, name: string): Promise<Item> {
  const imageId = imageIdOf(name)
  if (!isImageId(imageId)) throw notFound()
  const [found] = await ctx.db
    .select({ id: livePost.id })
    .from(livePost)
    .where(hasImage(livePost, [imageId]))
  const item = found && (await findPost(ctx, found.id))
  return item ?? findImageShare(ctx, eq(imageShare.imageId, imageId))
}

/** Returns the fields of a log entry. Omits the lookup of a paste, which could be matched with its URL. */
export const describeItem = ({ kind, itemId, boardId, threadId }: Item) => ({
  boardId,
  ...(threadId !== null && { threadId }),
  ...(kind !== 'paste' && { itemId }),
})
