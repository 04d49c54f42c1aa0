import { and, eq, ne, sql } from 'drizzle-orm'
import { post, shownPost } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { guestProcedure } from '#server/core/rpc/procedures.ts'
import { findBoard } from '#server/features/board/boards/boards.ts'
import { findPlace, findThread } from '#server/features/board/read/queries.ts'
import { type BoardView, boardLimits } from '#src/contract/board.ts'
import { postFormParams } from '#src/contract/post.ts'
import { refusal } from '#src/contract/refusal.ts'
import type { PostFormPlace } from '#src/contract/thread.ts'
import { excerpt, excerptSource } from '#src/lib/excerpt.ts'

type Reader = Pick<Services, 'db'>

/** Reads what the page with a post's form shows. @throws AppError 404 for an unknown board, thread or comment */
export const postForm = guestProcedure.input(postFormParams).query(async ({ ctx, input }): Promise<PostFormPlace> => {
  const { boardId, replyTo } = input
  const threadId = input.threadId ?? (replyTo === undefined ? undefined : await findThreadId(ctx, replyTo))
  if (threadId === undefined) {
    const { board } = await findBoard(ctx, boardId)
    return { board: formBoard(board), thread: null, answered: null }
  }
  const { board, thread } = await findThread(ctx, boardId, threadId)
  const { id, title, locked, archivedAt } = thread
  const answered = replyTo === undefined ? null : await findAnswered(ctx, id, replyTo)
  return { board: formBoard(board), thread: { id, title, locked, archived: archivedAt !== null }, answered }
})

const formBoard = ({ id, name, rules, moderators, defaultName }: BoardView) => ({
  ...{ id, name, rules, moderators, defaultName },
})

/** Links in posts do not name the thread. */
async function findThreadId(ctx: Reader, replyTo: number): Promise<number> {
  const place = await findPlace(ctx, eq(post.id, replyTo))
  if (!place) throw errors.notFound(refusal('board.commentNotFound'))
  return place.threadId
}

async function findAnswered({ db }: Reader, threadId: number, replyTo: number) {
  const { id, parentId, author } = shownPost
  const [found] = await db
    .select({ id, parentId, author, source: sql<string>`left(${shownPost.content}, ${excerptSource})` })
    .from(shownPost)
    .where(and(eq(id, replyTo), eq(shownPost.threadId, threadId), ne(id, threadId)))
  if (!found) throw errors.notFound(refusal('board.commentNotFound'))
  const { parentId: commentId, source, ...shown } = found
  return { ...shown, commentId: commentId ?? found.id, preview: excerpt(source, boardLimits.threadPreview) }
}
