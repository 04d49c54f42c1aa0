import { buffer } from 'node:stream/consumers'
import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { shownPost, thread } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { readQuotes } from '#server/features/board/quotes.ts'
import type { EventPost } from '#src/contract/events.ts'
import type { QuotedPost } from '#src/contract/post.ts'
import { refusal } from '#src/contract/refusal.ts'
import { threadPath } from '#src/contract/thread.ts'
import { addDetails, type CardReader } from './linkCards.ts'
import { findThread, shownColumns, threadColumns } from './queries.ts'
import { countsOf, postView } from './view.ts'

/**
 * Reads posts in their current state for events, with the counts of their threads.
 * @returns null if the posts' texts exceed `maxBytes`
 */
export async function readEventPosts(
  ctx: CardReader,
  ids: number[],
  maxBytes?: number,
): Promise<Map<number, EventPost> | null> {
  const { db } = ctx
  if (maxBytes !== undefined) {
    const bytes = sql<string>`coalesce(sum(octet_length(${shownPost.content})), 0)`
    const [row] = await db.select({ bytes }).from(shownPost).where(inArray(shownPost.id, ids))
    if (Number(row?.bytes) > maxBytes) return null
  }
  const rows = await db
    .select({ ...shownColumns, boardId: thread.boardId, title: thread.title, thread: threadColumns })
    .from(shownPost)
    .innerJoin(thread, eq(thread.id, shownPost.threadId))
    .where(and(inArray(shownPost.id, ids), isNull(thread.deletedAt)))
  await addDetails(ctx, rows)
  const quotes = await readQuotes(db, rows)
  return new Map(
    rows.map((row) => {
      const { id, boardId, threadId, title, parentId, thread } = row
      const place = { boardId, threadId, title, parentId }
      return [id, { ...place, view: postView(row, quotes), ...countsOf(thread) }]
    }),
  )
}

/** Reads a published post of any board. @throws AppError 404 'Post not found', also for held and removed posts */
export async function readQuotedPost(ctx: CardReader, id: number): Promise<QuotedPost> {
  const found = (await readEventPosts(ctx, [id]))?.get(id)
  if (!found || found.view.deleted) throw errors.notFound(refusal('moderation.postNotFound'))
  const { boardId, threadId, title, view } = found
  return { ...view, boardId, threadId, threadTitle: title, path: `${threadPath(boardId, threadId)}#p${id}` }
}

type Reader = Pick<Services, 'db' | 'files'>

/**
 * Reads what the preview image of a thread shows.
 * @returns `picture` is a file name, or null if the thread has no picture or covers it
 * @throws AppError 404 like findThread, with `gone` for a deleted thread
 */
export async function readThreadCard(ctx: Reader, boardId: string, threadId: number) {
  const { board, thread } = await findThread(ctx, boardId, threadId)
  const { id, image, spoiler } = shownPost
  const [opening] = await ctx.db.select({ image, spoiler }).from(shownPost).where(eq(id, thread.id))
  if (!opening) throw errors.notFound(refusal('board.threadNotFound'))
  const picture = opening.spoiler ? null : (opening.image?.display.name ?? null)
  return { title: thread.title, board: board.id, picture }
}

/** Returns null if the file is missing: the image is then drawn without it. */
export async function readPicture({ files }: Reader, name: string): Promise<Buffer | null> {
  const file = await files.read(name)
  return file && buffer(file.content)
}
