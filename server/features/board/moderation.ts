import { and, eq, isNull, or, type SQL, sql } from 'drizzle-orm'
import { post, thread } from '#db/schema/index.ts'
import type { SessionUser } from '#server/core/auth/sessions.ts'
import type { Context } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { publish, writeAndPublish } from '#server/core/events/writeAndPublish.ts'
import { imageFiles } from '#server/core/storage/imageFiles.ts'
import { authMessages } from '#src/contract/auth.ts'
import { canModerate } from '#src/contract/board.ts'
import { findComment, findReply, findThread } from './queries.ts'
import { findQuotesAcross, publishQuoteChanges } from './quotes.ts'
import { calculateCost, sumCosts } from './threadLimits.ts'

type Path<K extends string> = Record<K, string>

/** Deletes a thread with its posts and files. Keeps the thread's row, so that its page responds with 410. */
export async function deleteThread(
  ctx: Context,
  path: Path<'boardId' | 'threadId'>,
  actor: SessionUser,
): Promise<void> {
  const { board, thread: head } = await findThread(ctx, path.boardId, path.threadId)
  if (!canModerate(actor, board)) throw errors.forbidden(authMessages.forbidden)
  const files = await writeAndPublish(ctx, async (tx) => {
    const [deleted] = await tx
      .update(thread)
      .set({ deletedAt: ctx.now(), title: '', commentCount: 0, replyCount: 0, byteCount: 0, nodeCount: 0 })
      .where(and(eq(thread.id, head.id), isNull(thread.deletedAt)))
      .returning({ id: thread.id })
    if (!deleted) return []
    const condition = eq(post.threadId, head.id)
    const quoted = await findQuotesAcross(tx, condition)
    const removed = await tx.delete(post).where(condition).returning({ image: post.image })
    await publish(tx, ctx.now(), [
      { topic: `thread:${head.id}`, change: { kind: 'thread-gone', threadId: head.id } },
      { topic: `board:${board.id}`, change: { kind: 'thread-gone', threadId: head.id } },
    ])
    await publishQuoteChanges(tx, ctx.now(), quoted, board.id)
    return removed.flatMap(({ image }) => imageFiles(image))
  })
  await ctx.files.remove(files)
}

export async function deleteComment(
  ctx: Context,
  path: Path<'boardId' | 'threadId' | 'commentId'>,
  actor: SessionUser,
): Promise<void> {
  const { board, thread: head, comment } = await findComment(ctx, path.boardId, path.threadId, path.commentId)
  if (!canModerate(actor, board)) throw errors.forbidden(authMessages.forbidden)
  const condition = or(eq(post.id, comment.id), eq(post.parentId, comment.id)) as SQL
  await deletePosts(ctx, { boardId: board.id, threadId: head.id }, { id: comment.id, parentId: null }, condition)
}

export async function deleteReply(
  ctx: Context,
  path: Path<'boardId' | 'threadId' | 'commentId' | 'replyId'>,
  actor: SessionUser,
): Promise<void> {
  const { board, thread: head, reply } = await findReply(ctx, path)
  if (!canModerate(actor, board)) throw errors.forbidden(authMessages.forbidden)
  await deletePosts(ctx, { boardId: board.id, threadId: head.id }, reply, eq(post.id, reply.id))
}

async function deletePosts(
  ctx: Context,
  { boardId, threadId }: { boardId: string; threadId: number },
  root: { id: number; parentId: number | null },
  condition: SQL,
): Promise<void> {
  const files = await writeAndPublish(ctx, async (tx) => {
    await tx.select({ id: thread.id }).from(thread).where(eq(thread.id, threadId)).for('update')
    const quoted = await findQuotesAcross(tx, condition)
    const { image, author, content, links } = post
    const removed = await tx.delete(post).where(condition).returning({ image, author, content, links })
    if (removed.length === 0) return []
    const freed = sumCosts(removed.map(calculateCost))
    const ofThread = sql`from ${post} where ${post.threadId} = ${threadId}`
    await tx
      .update(thread)
      .set({
        lastActivity: sql`(select max(${post.createdAt}) ${ofThread})`,
        commentCount: sql`(select count(*) ${ofThread} and ${post.parentId} is null and ${post.id} <> ${threadId})`,
        replyCount: sql`(select count(*) ${ofThread} and ${post.parentId} is not null)`,
        // For old threads, both counts are estimates, so the difference could be negative.
        byteCount: sql`greatest(0, ${thread.byteCount} - ${freed.bytes}::bigint)`,
        nodeCount: sql`greatest(0, ${thread.nodeCount} - ${freed.nodes}::bigint)`,
      })
      .where(eq(thread.id, threadId))
    await publish(tx, ctx.now(), [
      { topic: `thread:${threadId}`, change: { kind: 'post-gone', postId: root.id, parentId: root.parentId } },
      { topic: `board:${boardId}`, change: { kind: 'thread', threadId } },
    ])
    await publishQuoteChanges(tx, ctx.now(), quoted, boardId)
    return removed.flatMap(({ image }) => imageFiles(image))
  })
  await ctx.files.remove(files)
}
