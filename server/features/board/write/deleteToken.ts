import { createHmac, timingSafeEqual } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { moderationLog, post } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { guestProcedure } from '#server/core/rpc/procedures.ts'
import { documented } from '#server/core/rpc/restRoute.ts'
import { type PostStatus, postStatusParams, postStatusSchema } from '#src/contract/post.ts'
import { refusal } from '#src/contract/refusal.ts'

/** The header in which callers send the token. */
export const DELETE_TOKEN = { deleteToken: 'x-delete-token' }

/**
 * Creates the token with which the author of a post can delete it. It contains the post's time: after the restore of a
 * backup, another post can get the number.
 */
export function createDeleteToken(key: Uint8Array, post: { id: number; createdAt: Date }): string {
  const time = post.createdAt.getTime().toString(36)
  return `${sign(key, post.id, time)}.${time}`
}

/** Returns whether a token is that of the post, or of one that is gone. Tokens of older versions contain no time. */
export async function verifyDeleteToken(
  { db, secrets }: Pick<Services, 'db' | 'secrets'>,
  token: string,
  postId: number,
): Promise<boolean> {
  const [mac = '', time = ''] = token.split('.')
  const [given, expected] = [Buffer.from(mac), Buffer.from(sign(secrets.postDeletion, postId, time))]
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return false
  if (time === '') return true
  const [found] = await db.select({ createdAt: post.createdAt }).from(post).where(eq(post.id, postId))
  return !found || found.createdAt.getTime() === Number.parseInt(time, 36)
}

const sign = (key: Uint8Array, postId: number, time: string) =>
  createHmac('sha256', key).update(`post ${postId} ${time}`.trimEnd()).digest('base64url')

/** Tells the author of a post whether it is published. @throws AppError 403 for a wrong token */
export const postStatus = documented(
  guestProcedure.input(postStatusParams).query(async ({ ctx, input }): Promise<PostStatus> => {
    const { postId: id, deleteToken } = input
    if (!(await verifyDeleteToken(ctx, deleteToken, id))) throw errors.forbidden(refusal('moderation.deleteToken'))
    const [found] = await ctx.db
      .select({ state: post.state, releaseAt: post.releaseAt, logId: post.logId, reason: moderationLog.reason })
      .from(post)
      .leftJoin(moderationLog, eq(moderationLog.id, post.logId))
      .where(eq(post.id, id))
    if (found?.state === 'live') return { status: 'published', heldUntil: null, reason: '' }
    if (found?.state === 'held') return { status: 'held', heldUntil: found.releaseAt, reason: '' }
    const isExpired = found !== undefined && found.logId === null
    return { status: 'removed', heldUntil: null, reason: found?.reason ?? '', ...(isExpired && { expired: true }) }
  }),
  {
    path: '/api/dtpchan/posts/:postId/status',
    summary: 'Tells the author of a post, who has its delete token, whether the post is published',
    answer: postStatusSchema,
    statuses: { 403: 'The delete token is wrong' },
    headers: DELETE_TOKEN,
  },
)
