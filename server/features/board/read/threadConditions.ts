import { and, isNull, type SQLWrapper, sql } from 'drizzle-orm'
import { livePost, movedThread, post, thread } from '#db/schema/index.ts'
import type { ThreadCursor } from '#src/contract/thread.ts'

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
