import { and, eq, isNull, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Transaction } from '#db/client.server.ts'
import { board, post, thread } from '#db/schema/index.ts'
import { spendChallenge } from '#server/core/captcha.ts'
import { announce, write } from '#server/core/changes.ts'
import type { Context } from '#server/core/context.ts'
import { AppError, errors } from '#server/core/errors.ts'
import { imageFiles } from '#server/core/uploads.ts'
import { boardMessages, type CommentView, type PostView, type ThreadView } from '#src/contract/board.ts'
import type { commentForm, threadForm, threadParams } from '#src/contract/boardForms.ts'
import { findBoard } from './boards.ts'
import { findComment, findThread } from './find.ts'
import { type KeptImage, type PostPlace, storeImage } from './images.ts'
import { announceQuoted, readQuotes, writeQuotes } from './quotes.ts'
import { type PostRow, postView, threadView } from './view.ts'

type ThreadForm = z.output<typeof threadForm>
type CommentForm = z.output<typeof commentForm>

/** Opens a thread. Refusals in this order: captcha, board, picture. */
export async function createThread(ctx: Context, boardId: string, form: ThreadForm): Promise<ThreadView> {
  await spend(ctx, form)
  await findBoard(ctx, boardId)
  return withImage(ctx, form, 'thread', (kept) =>
    write(ctx, async (tx) => {
      const now = ctx.now()
      // Shared lock: the board cannot be deleted while something is being put on it.
      const [on] = await tx
        .select({ id: board.id })
        .from(board)
        .where(and(eq(board.id, boardId), isNull(board.deletedAt)))
        .for('share')
      if (!on) throw errors.notFound(boardMessages.boardNotFound)
      const id = await nextNumber(tx)
      const head = { id, boardId, title: form.title, lastActivity: now, commentCount: 0, replyCount: 0 }
      await tx.insert(thread).values(head)
      const row = await insertPost(tx, { id, threadId: id, parentId: null }, form, kept, now)
      const quoted = await writeQuotes(tx, id, form.content)
      await announce(tx, now, [{ topic: `board:${boardId}`, change: { kind: 'thread', threadId: id } }])
      await announceQuoted(tx, now, quoted)
      return threadView(head, row, [], await readQuotes(tx, [id]))
    }),
  )
}

/** Comments on a thread. Refusals in this order: captcha, board and thread, full, picture. */
export async function createComment(
  ctx: Context,
  path: z.output<typeof threadParams>,
  form: CommentForm,
): Promise<CommentView> {
  await spend(ctx, form)
  const { thread: on } = await findThread(ctx, path.boardId, path.threadId)
  requireRoom(ctx, on)
  const view = await withImage(ctx, form, 'comment', (kept) => addPost(ctx, on.id, null, form, kept))
  return { ...view, replies: [] }
}

/** Replies to a comment. Refusals as for comments. */
export async function createReply(
  ctx: Context,
  path: z.output<typeof threadParams> & { commentId: string },
  form: CommentForm,
): Promise<PostView> {
  await spend(ctx, form)
  const { thread: on, comment } = await findComment(ctx, path.boardId, path.threadId, path.commentId)
  requireRoom(ctx, on)
  return withImage(ctx, form, 'reply', (kept) => addPost(ctx, on.id, comment.id, form, kept))
}

const spend = (ctx: Context, form: CommentForm) =>
  spendChallenge({ db: ctx.db, key: ctx.secrets.captcha, now: ctx.now() }, form)

function requireRoom(ctx: Context, on: { commentCount: number; replyCount: number }): void {
  if (on.commentCount + on.replyCount >= ctx.config.threadPostLimit) throw errors.conflict(boardMessages.threadFull)
}

/** Stores the picture of a form around the writing of its post: when that is refused no file stays behind. */
async function withImage<T>(
  ctx: Context,
  form: CommentForm,
  place: PostPlace,
  write: (kept: KeptImage | null) => Promise<T>,
): Promise<T> {
  const kept = form.image ? await storeImage(ctx, form.image, place) : null
  try {
    return await write(kept)
  } catch (error) {
    // After any other failure the post may stand all the same: the answer was lost, not the writing. The sweep knows.
    if (error instanceof AppError) await ctx.files.remove(imageFiles(kept?.image ?? null))
    throw error
  }
}

async function addPost(
  ctx: Context,
  threadId: number,
  parentId: number | null,
  form: CommentForm,
  kept: KeptImage | null,
): Promise<PostView> {
  return write(ctx, async (tx) => {
    // The row's lock puts the posts of a thread one after the other: numbers, counts and changes agree in order.
    const [on] = await tx
      .select()
      .from(thread)
      .where(and(eq(thread.id, threadId), isNull(thread.deletedAt)))
      .for('update')
    if (!on) throw errors.notFound(boardMessages.threadNotFound, { gone: true })
    requireRoom(ctx, on)
    if (parentId !== null) await lockComment(tx, parentId)
    const now = ctx.now()
    const id = await nextNumber(tx)
    const row = await insertPost(tx, { id, threadId, parentId }, form, kept, now)
    await tx
      .update(thread)
      .set({
        lastActivity: now,
        ...(parentId === null
          ? { commentCount: sql`${thread.commentCount} + 1` }
          : { replyCount: sql`${thread.replyCount} + 1` }),
      })
      .where(eq(thread.id, threadId))
    const quoted = await writeQuotes(tx, id, form.content)
    await announce(tx, now, [
      { topic: `thread:${threadId}`, change: { kind: 'post', postId: id } },
      { topic: `board:${on.boardId}`, change: { kind: 'thread', threadId } },
    ])
    await announceQuoted(tx, now, quoted)
    return postView(row, await readQuotes(tx, [id]))
  })
}

async function lockComment(tx: Transaction, commentId: number): Promise<void> {
  const [comment] = await tx.select({ id: post.id }).from(post).where(eq(post.id, commentId)).for('key share')
  if (!comment) throw errors.notFound(boardMessages.commentNotFound)
}

async function nextNumber(tx: Transaction): Promise<number> {
  const [row] = await tx.execute<{ id: string }>(sql`select nextval('post_number') as id`)
  return Number(row?.id)
}

async function insertPost(
  tx: Transaction,
  place: { id: number; threadId: number; parentId: number | null },
  form: CommentForm,
  kept: KeptImage | null,
  now: Date,
): Promise<PostRow> {
  const row = {
    ...place,
    author: form.author,
    content: form.content,
    links: form.links,
    imageId: kept?.imageId ?? null,
    image: kept?.image ?? null,
    createdAt: now,
  }
  await tx.insert(post).values(row)
  return row
}
