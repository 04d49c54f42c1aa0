import {
  and,
  eq,
  getTableColumns,
  getViewSelectedFields,
  isNull,
  ne,
  type SQL,
  type SQLWrapper,
  sql,
} from 'drizzle-orm'
import { pick } from '#db/schema/columns.ts'
import { board, livePost, movedThread, post, shownPost, thread } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { lastEventIdSql } from '#server/core/events/writeAndPublish.ts'
import { boardColumns, findBoard } from '#server/features/board/boards/boards.ts'
import { isBoardId } from '#server/features/board/ids.ts'
import type { PostRef } from '#src/contract/post.ts'
import { refusal } from '#src/contract/refusal.ts'
import type { ThreadCursor } from '#src/contract/thread.ts'

type Reader = Pick<Services, 'db'>

const { state: _state, ...shown } = getViewSelectedFields(shownPost)
const { stub: _stub, fileDeleted: _fileDeleted, ...names } = shown
/** The columns that readers see. */
export const columnsOf = (table: typeof post | typeof livePost) => pick(table, names)
export const postColumns = columnsOf(livePost)
/** The columns of posts and stubs in threads. */
export const shownColumns = pick(shownPost, shown)
export const threadColumns = getTableColumns(thread)
export type FoundThread = Awaited<ReturnType<typeof findThread>>

/**
 * Finds a thread by its board, or by one that it has left: an open page may not know of the move yet.
 * @throws AppError 404 'Board not found' or 'Thread not found', with `gone` if the thread was deleted
 */
export async function findThread(ctx: Reader, boardId: string, threadId: number) {
  const [found] = isBoardId(boardId)
    ? await ctx.db
        .select({ board: boardColumns, thread: threadColumns, wasLive, lastEventId: lastEventIdSql })
        .from(thread)
        .innerJoin(board, eq(board.id, thread.boardId))
        .where(and(eq(thread.id, threadId), isOrWasOnBoard(boardId), isNull(board.deletedAt)))
    : []
  if (!found) await findBoard(ctx, boardId)
  if (!found || found.thread.deletedAt)
    throw errors.notFound(refusal('board.threadNotFound'), { gone: found?.wasLive ?? false })
  return found
}

/**
 * Whether a hidden thread was live. To visitors, a thread that waits, or that was hidden since it was opened, does not
 * exist. `=`, because the clock can go back between opening and deleting a thread.
 */
const wasLive = sql<boolean>`(${thread.deletedAt} is not null and not exists (select from ${post}
  where ${post.id} = ${thread.id} and (${post.state} = 'held' or ${post.createdAt} = ${thread.deletedAt})))`

/** The ids in the URL of a thread, comment or reply. */
export type PostPath = { boardId: string; threadId: number; commentId?: number; replyId?: number }

/**
 * Finds the thread of a published post. Stubs are found too: their answers can be answered.
 * @throws AppError 404 like findThread, or 'Comment not found' or 'Reply not found'
 */
export async function findPublished(ctx: Reader, { boardId, threadId, commentId, replyId }: PostPath) {
  const found = await findThread(ctx, boardId, threadId)
  const { id } = found.thread
  const isHere = (postId: number, condition: SQL | undefined) =>
    ctx.db.$count(shownPost, and(eq(shownPost.id, postId), condition))
  const isComment = and(eq(shownPost.threadId, id), isNull(shownPost.parentId), ne(shownPost.id, id))
  if (commentId !== undefined && !(await isHere(commentId, isComment)))
    throw errors.notFound(refusal('board.commentNotFound'))
  const isReply = and(eq(shownPost.parentId, commentId ?? 0), eq(shownPost.state, 'live'))
  if (replyId !== undefined && !(await isHere(replyId, isReply))) throw errors.notFound(refusal('board.replyNotFound'))
  return found
}

/** Finds where a post is, whatever its state is. @param condition on the post and its thread */
export async function findPlace(
  { db }: { db: Pick<Services['db'], 'select'> },
  condition: SQL | undefined,
): Promise<PostRef | null> {
  const [found] = await db
    .select({ id: post.id, threadId: post.threadId, boardId: thread.boardId })
    .from(post)
    .innerJoin(thread, eq(thread.id, post.threadId))
    .where(condition)
  return found ?? null
}

/** A post or stub that a moderator acts on. */
export type PostTarget = Awaited<ReturnType<typeof findPost>>

/**
 * Finds a post by its board, or by one that its thread has left.
 * @throws AppError 404 'Board not found' or 'Post not found'
 */
export async function findPost(ctx: Reader, boardId: string, postId: number) {
  await findBoard(ctx, boardId)
  const { id, threadId, image, moreImages } = shownPost
  const [found] = await ctx.db
    .select({ id, threadId, image, moreImages, archivedAt: thread.archivedAt, board: boardColumns })
    .from(shownPost)
    .innerJoin(thread, eq(thread.id, shownPost.threadId))
    .innerJoin(board, eq(board.id, thread.boardId))
    .where(and(eq(shownPost.id, postId), isOrWasOnBoard(boardId)))
  if (!found) throw errors.notFound(refusal('moderation.postNotFound'))
  return found
}

/** Counts the images of a thread in an update of it. */
export const imagesOfThread = sql`(select count(*) + coalesce(sum(jsonb_array_length(${livePost.moreImages})), 0)
  from ${livePost} where ${livePost.threadId} = ${thread.id} and ${livePost.imageId} is not null)`

/** The new value of a thread's time of change. The clock may have gone back. */
export const changedNow = (now: Date) => sql`greatest(${thread.changedAt}, ${now.toISOString()}::timestamptz)`

/** Posts that threads show: live posts, and stubs. */
export const isShownPost = sql<boolean>`(${post.state} = 'live' or ${post.stub})`

/** Live threads, which boards list. */
export const isLive = and(isNull(thread.deletedAt), isNull(thread.archivedAt))

/**
 * Matches the threads of a board. In a query that is also sorted by board, `= any` makes the planner use the board's
 * index. With `=`, it may read all boards in the order of another index.
 */
export const isOnBoard = (boardId: string) => sql`${thread.boardId} = any(array[${boardId}])`

/** Matches the threads of a board and those that have moved away from it: old URLs and links lead to both. */
export const isOrWasOnBoard = (boardId: string | SQLWrapper) => sql`(${thread.boardId} = ${boardId} or exists (
  select from ${movedThread} where ${movedThread.threadId} = ${thread.id} and ${movedThread.boardId} = ${boardId}))`

/** Returns a condition for threads that come after this place in a list by latest activity. */
export const isBefore = ({ lastActivity, id }: ThreadCursor) =>
  sql`(${thread.lastActivity}, ${thread.id}) < (${lastActivity.toISOString()}, ${id})`
