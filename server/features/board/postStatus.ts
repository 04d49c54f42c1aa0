import { eq } from 'drizzle-orm'
import type { z } from 'zod'
import { moderationLog, post, withheldPost } from '#db/schema/index.ts'
import type { Context } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { verifyDeleteToken } from '#server/core/moderation/deleteToken.ts'
import type { PostStatus } from '#src/contract/board.ts'
import type { postStatusParams } from '#src/contract/boardForms.ts'
import { moderationMessages } from '#src/contract/moderation.ts'
import { parsePostId } from './ids.ts'

/** Tells the author of a post whether it is published. @throws AppError 403 for a wrong token */
export async function readPostStatus(
  { db, secrets }: Context,
  { postId, deleteToken }: z.output<typeof postStatusParams>,
): Promise<PostStatus> {
  const id = parsePostId(postId) ?? 0
  if (!verifyDeleteToken(secrets.postDeletion, deleteToken, id)) throw errors.forbidden(moderationMessages.deleteToken)
  // Reads withheld posts first: a post that is published meanwhile is then found by the second query.
  const { heldFor, releaseAt } = withheldPost
  const [withheld] = await db
    .select({ heldFor, releaseAt, reason: moderationLog.reason })
    .from(withheldPost)
    .leftJoin(moderationLog, eq(moderationLog.id, withheldPost.logId))
    .where(eq(withheldPost.id, id))
  if (withheld?.heldFor != null) return { status: 'held', heldUntil: withheld.releaseAt, reason: '' }
  if (withheld) return { status: 'removed', heldUntil: null, reason: withheld.reason ?? '' }
  const isPublished = (await db.$count(post, eq(post.id, id))) > 0
  return { status: isPublished ? 'published' : 'removed', heldUntil: null, reason: '' }
}
