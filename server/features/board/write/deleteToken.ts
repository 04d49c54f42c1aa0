import { createHmac, timingSafeEqual } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { moderationLog, post } from '#db/schema/index.ts'
import { errors } from '#server/core/errors.ts'
import { guestProcedure } from '#server/core/rpc/procedures.ts'
import { documented } from '#server/core/rpc/restRoute.ts'
import { parsePostId } from '#server/features/board/ids.ts'
import { type PostStatus, postStatusParams, postStatusSchema } from '#src/contract/post.ts'
import { refusal } from '#src/contract/refusal.ts'

/** The header in which callers send the token. */
export const DELETE_TOKEN = { deleteToken: 'x-delete-token' }

/** Creates the token with which the author of a post can delete it. */
export const createDeleteToken = (key: Uint8Array, postId: number): string => sign(key, postId).toString('base64url')

export function verifyDeleteToken(key: Uint8Array, token: string, postId: number): boolean {
  const given = Buffer.from(token, 'base64url')
  const expected = sign(key, postId)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

const sign = (key: Uint8Array, postId: number) => createHmac('sha256', key).update(`post ${postId}`).digest()

/** Tells the author of a post whether it is published. @throws AppError 403 for a wrong token */
export const postStatus = documented(
  guestProcedure.input(postStatusParams).query(async ({ ctx: { db, secrets }, input }): Promise<PostStatus> => {
    const { postId, deleteToken } = input
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
  }),
  {
    method: 'GET',
    path: '/api/dtpchan/posts/:postId/status',
    summary: 'Tells the author of a post, who has its delete token, whether the post is published',
    answer: postStatusSchema,
    statuses: { 403: 'The delete token is wrong' },
    headers: DELETE_TOKEN,
  },
)
