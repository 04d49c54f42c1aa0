import { createHmac, timingSafeEqual } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { z } from 'zod'
import { moderationLog, post } from '#db/schema/index.ts'
import type { Context } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { parsePostId } from '#server/features/board/ids.ts'
import type { PostStatus, postStatusParams } from '#src/contract/post.ts'
import { refusal } from '#src/contract/refusal.ts'

/** Creates the token with which the author of a post can delete it. */
export const createDeleteToken = (key: Uint8Array, postId: number): string => sign(key, postId).toString('base64url')

export function verifyDeleteToken(key: Uint8Array, token: string, postId: number): boolean {
  const given = Buffer.from(token, 'base64url')
  const expected = sign(key, postId)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

const sign = (key: Uint8Array, postId: number) => createHmac('sha256', key).update(`post ${postId}`).digest()

/** Tells the author of a post whether it is published. @throws AppError 403 for a wrong token */
export async function readPostStatus(
  { db, secrets }: Context,
  { postId, deleteToken }: z.output<typeof postStatusParams>,
): Promise<PostStatus> {
  const id = parsePostId(postId) ?? 0
  if (!verifyDeleteToken(secrets.postDeletion, deleteToken, id))
    throw errors.forbidden(refusal('moderation.deleteToken'))
  const [found] = await db
    .select({ state: post.state, releaseAt: post.releaseAt, logId: post.logId, reason: moderationLog.reason })
    .from(post)
    .leftJoin(moderationLog, eq(moderationLog.id, post.logId))
    .where(eq(post.id, id))
  if (found?.state === 'live') return { status: 'published', heldUntil: null, reason: '' }
  if (found?.state === 'held') return { status: 'held', heldUntil: found.releaseAt, reason: '' }
  const isExpired = found !== undefined && found.logId === null
  return { status: 'removed', heldUntil: null, reason: found?.reason ?? '', ...(isExpired && { expired: true }) }
}
