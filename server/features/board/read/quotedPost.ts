import { and, eq, isNull } from 'drizzle-orm'
import { board, livePost, thread } from '#db/schema/index.ts'
import { errors } from '#server/core/errors.ts'
import { parsePostId } from '#server/features/board/ids.ts'
import { readQuotes } from '#server/features/board/quotes.ts'
import type { QuotedPost } from '#src/contract/post.ts'
import { refusal } from '#src/contract/refusal.ts'
import { threadPath } from '#src/contract/thread.ts'
import { addBoardLinks } from './boardLinks.ts'
import { highlightCode } from './highlightCode.ts'
import { addLinkCards, type CardReader } from './linkCards.ts'
import { postColumns } from './queries.ts'
import { postView } from './view.ts'

/** Reads a published post of any board. @throws AppError 404 'Post not found', also for held and removed posts */
export async function readQuotedPost(ctx: CardReader, postId: string): Promise<QuotedPost> {
  const { db } = ctx
  const [row] = await db
    .select({ ...postColumns, boardId: thread.boardId, threadTitle: thread.title })
    .from(livePost)
    .innerJoin(thread, eq(thread.id, livePost.threadId))
    .innerJoin(board, eq(board.id, thread.boardId))
    .where(and(eq(livePost.id, parsePostId(postId) ?? 0), isNull(thread.deletedAt), isNull(board.deletedAt)))
  if (!row) throw errors.notFound(refusal('moderation.postNotFound'))
  await highlightCode([row])
  await addLinkCards(ctx, [row])
  await addBoardLinks(ctx, [row])
  const { id, boardId, threadId, threadTitle } = row
  const quotes = await readQuotes(db, [id])
  return { ...postView(row, quotes), boardId, threadId, threadTitle, path: `${threadPath(boardId, threadId)}#p${id}` }
}
