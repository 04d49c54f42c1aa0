import { and, asc, eq, gte, or, sql } from 'drizzle-orm'
import { shownPost } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { readQuotes } from '#server/features/board/quotes.ts'
import { refusal } from '#src/contract/refusal.ts'
import type { ThreadPage } from '#src/contract/thread.ts'
import { createKeptViewOf, readKeptThread } from './keptThreads.ts'
import { addDetails, type CardReader } from './linkCards.ts'
import { type FoundThread, findThread, shownColumns } from './queries.ts'
import { commentViews, createViewOf, threadView } from './view.ts'

type Reader = Pick<Services, 'db'>

/** Imported threads can have more posts. A page of so many posts has 14 MB. */
const MAX_READ_POSTS = 10_000

/** Reads a thread, oldest comment first. @throws AppError 404 'Board not found' or 'Thread not found' */
export async function readThread(
  ctx: CardReader & Pick<Services, 'cache'>,
  boardId: string,
  threadId: number,
): Promise<ThreadPage> {
  const { board, thread: head, lastEventId } = await findThread(ctx, boardId, threadId)
  const { id } = head
  const omitted = countOmitted(head, MAX_READ_POSTS)
  const kept = omitted > 0 ? null : await readKeptThread(ctx, board.id, id)
  // The posts get details, which those that are kept do not have.
  const posts = kept ? [...kept.posts.values()].map(({ row }) => ({ ...row })) : await readPosts(ctx, id, omitted)
  const [opening] = posts
  if (opening?.id !== id) throw createGoneError()
  const quotes = await readThreadQuotes(ctx, board.id, id, posts)
  await addDetails(ctx, posts)
  const comments = commentViews(id, posts, kept ? createKeptViewOf(kept, quotes) : createViewOf(quotes))
  return { board, thread: threadView(head, opening, comments, quotes), lastEventId, ...(omitted > 0 && { omitted }) }
}

/**
 * Reads the posts of a thread by number, the opening post first.
 * @param maxPosts omits the oldest other posts of a longer thread
 * @throws AppError 404 as `readThread`
 */
export async function readThreadPosts(
  ctx: Reader,
  boardId: string,
  threadId: number,
  maxPosts: number = MAX_READ_POSTS,
) {
  const { board, thread: head, lastEventId } = await findThread(ctx, boardId, threadId)
  const { id } = head
  const omitted = countOmitted(head, maxPosts)
  const [opening, ...others] = await readPosts(ctx, id, omitted)
  if (opening?.id !== id) throw createGoneError()
  const posts: [typeof opening, ...typeof others] = [opening, ...others]
  return { board, head, posts, omitted, quotes: await readThreadQuotes(ctx, board.id, id, posts), lastEventId }
}

const countOmitted = ({ commentCount, replyCount }: FoundThread['thread'], maxPosts: number) =>
  Math.max(0, 1 + commentCount + replyCount - maxPosts)

/** The thread was deleted after its head was read. */
const createGoneError = () => errors.notFound(refusal('board.threadNotFound'), { gone: true })

function readPosts({ db }: Reader, id: number, omitted: number) {
  const oldest = sql`(select id from ${shownPost} where ${shownPost.threadId} = ${id} order by id offset ${omitted + 1} limit 1)`
  const isNew = omitted > 0 ? or(eq(shownPost.id, id), gte(shownPost.id, oldest)) : undefined
  const isRead = and(eq(shownPost.threadId, id), isNew)
  return db.select(shownColumns).from(shownPost).where(isRead).orderBy(asc(shownPost.id))
}

const readThreadQuotes = (ctx: Reader, boardId: string, threadId: number, posts: { id: number }[]) =>
  readQuotes(
    ctx.db,
    posts.map(({ id }) => ({ id, threadId, boardId })),
  )
