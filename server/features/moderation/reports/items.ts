import { and, eq, gt, isNull, or, type SQL, sql } from 'drizzle-orm'
import { imageShare, paste, post, program, thread } from '#db/schema/index.ts'
import type { Context } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { isCapability } from '#server/core/security/capability.ts'
import { imageIdOf } from '#server/core/storage/imageFiles.ts'
import { findPlace, isOrWasOnBoard, isShownPost } from '#server/features/board/read/queries.ts'
import { hasImage } from '#server/features/board/write/images.ts'
import { deriveKeys } from '#server/features/paste/crypto.ts'
import { refusal } from '#src/contract/refusal.ts'
import type { ItemKind } from '#src/contract/reports.ts'

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
      return lookup ? findReportedItem(ctx, 'paste', Buffer.from(lookup).toString('hex')) : null
    }
    case 'image':
      return isCapability(reference.id) ? findReportedItem(ctx, 'image', reference.id) : null
    case 'program':
      return findReportedItem(ctx, 'program', String(reference.id))
    case 'file': {
      const imageId = imageIdOf(reference.name)
      if (!/^[0-9a-f]{24}(-[0-9a-z]{1,9})?$/.test(imageId)) return null
      // Nobody can read the image of a stub.
      const isReadable = isFound === isPublished ? eq(post.stub, false) : undefined
      const found = await findPost(ctx, and(hasImage(post, [imageId]), isFound, isReadable))
      if (found) return found
      const isShared = eq(imageShare.imageId, imageId)
      const [share] = await ctx.db.select({ id: imageShare.id }).from(imageShare).where(isShared)
      return share ? findReportedItem(ctx, 'image', share.id) : null
    }
  }
}

/** Items that belong to no board, and expire or not. */
const OWN = {
  paste: { table: paste, is: (id: string) => eq(paste.lookup, Buffer.from(id, 'hex')), expiresAt: paste.expiresAt },
  image: { table: imageShare, is: (id: string) => eq(imageShare.id, id), expiresAt: imageShare.expiresAt },
  program: { table: program, is: (id: string) => eq(program.id, Number(id)), expiresAt: null },
}

/** Returns a reported item, even if it is a removed post that can be restored, or null if it does not exist. */
export async function findReportedItem(ctx: Context, kind: ItemKind, itemId: string): Promise<Item | null> {
  if (kind === 'post') return findPost(ctx, and(eq(post.id, Number(itemId)), isStored))
  const { table, is, expiresAt } = OWN[kind]
  const isLive = expiresAt ? gt(expiresAt, ctx.now()) : undefined
  const count = await ctx.db.$count(table, and(is(itemId), isLive))
  return count > 0 ? { kind, itemId, boardId: null, threadId: null } : null
}

async function findPost({ db }: Context, condition: SQL | undefined): Promise<Item | null> {
  const place = await findPlace({ db }, condition)
  return place && { kind: 'post', itemId: String(place.id), boardId: place.boardId, threadId: place.threadId }
}

/** Returns the fields of a log entry. Omits the lookup of a paste, which could be matched with its URL. */
export const describeItem = ({ kind, itemId, boardId, threadId }: Item) => ({
  boardId,
  ...(threadId !== null && { threadId }),
  ...(kind !== 'paste' && { itemId }),
})

/** The item that a URL of this site refers to. The item may not exist. */
export type ItemReference =
  | { kind: 'post'; boardId: string; threadId: number; postId: number }
  /** `path` contains the fragment, which can be the key of a paste encrypted in a browser */
  | { kind: 'paste'; id: string; path: string }
  | { kind: 'image'; id: string }
  | { kind: 'program'; id: number }
  /** an image file of a post or a shared image */
  | { kind: 'file'; name: string }

const NUMBER = '[1-9]\\d{0,14}'
const THREAD = new RegExp(`^/dtpchan/board/([a-z0-9-]{1,40})/thread/(${NUMBER})(?:/feed\\.atom)?$`)
const POST_FRAGMENT = new RegExp(`^#p?(${NUMBER})$`)
const PROGRAM_FRAGMENT = new RegExp(`^#program-(${NUMBER})$`)
const PASTE = /^\/(?:api\/)?paste\/([^/]+)(?:\/raw)?$/
const IMAGE = /^\/(?:api\/)?image-share\/([^/]+)$/
const FILE = /^\/dtpchan\/uploads\/([^/]+)$/

/**
 * Parses a URL or a path of this site.
 * @param postNumber names a post of the thread, for clients without a URL with a fragment
 * @throws AppError 400 for a URL of another site, or of a page that cannot be reported
 */
export function parseItemUrl(text: string, siteUrl: string, postNumber?: string): ItemReference {
  const { path, hash } = parsePath(text, siteUrl)
  const thread = THREAD.exec(path)
  if (thread) {
    const [, boardId = '', threadId] = thread
    const postId = postNumber ?? POST_FRAGMENT.exec(hash)?.[1] ?? threadId
    return { kind: 'post', boardId, threadId: Number(threadId), postId: Number(postId) }
  }
  const [, pasteId] = PASTE.exec(path) ?? []
  if (pasteId) return { kind: 'paste', id: pasteId, path: `/paste/${pasteId}${hash}` }
  const [, imageId] = IMAGE.exec(path) ?? []
  if (imageId) return { kind: 'image', id: imageId }
  const [, name] = FILE.exec(path) ?? []
  if (name) return { kind: 'file', name }
  const [, programId] = (path === '/programs-we-love' && PROGRAM_FRAGMENT.exec(hash)) || []
  if (programId) return { kind: 'program', id: Number(programId) }
  throw errors.badRequest(refusal('moderation.reportUnknown'))
}

/** Accepts a path, a URL, and a URL without its scheme, as people copy it. */
function parsePath(text: string, siteUrl: string): { path: string; hash: string } {
  const given = /^([a-z][a-z0-9+.-]*:\/\/|\/)/i.test(text) ? text : `https://${text}`
  const { host } = new URL(siteUrl)
  const url = URL.canParse(given, siteUrl) ? new URL(given, siteUrl) : null
  if (!url || !/^https?:$/.test(url.protocol) || url.host.toLowerCase() !== host.toLowerCase()) {
    throw errors.badRequest(refusal('moderation.reportForeign'))
  }
  return { path: url.pathname.replace(/(?<=.)\/$/, ''), hash: url.hash }
}
