import type { Services } from '#server/core/context.ts'
import { AppError, errors } from '#server/core/errors.ts'
import { imagesOf, type PostImages } from '#server/core/storage/imageFiles.ts'
import { findBoard } from '#server/features/board/boards/boards.ts'
import { readQuotes } from '#server/features/board/quotes.ts'
import { addBoardLinks } from '#server/features/board/read/boardLinks.ts'
import { type OrderedThread, readOrderedThreads } from '#server/features/board/read/threadRows.ts'
import { readThreadPosts } from '#server/features/board/read/threads.ts'
import type { PostRow } from '#server/features/board/read/view.ts'
import { selectArchived } from '#server/features/board/write/threadArchive.ts'
import { refusal } from '#src/contract/refusal.ts'
import {
  createOpeningPost,
  createPost,
  type FourchanPost,
  ownFields,
  type QuoteTargets,
  toSeconds,
} from './fourchanPosts.ts'

type Reader = Pick<Services, 'db' | 'config'>
type Signer = Pick<Services, 'config' | 'secrets'>

export const THREADS_PER_PAGE = 15
/** Pages after the last thread are empty, as on a board of 4chan with few threads. */
export const PAGES = 15
export const LISTED = { skip: 0, limit: PAGES * THREADS_PER_PAGE }
/** newest answers of a thread on a page, and in the catalog */
const PAGE_ANSWERS = 5
const CATALOG_ANSWERS = 2
/** Limits the list of archived threads to the last active ones. */
const ARCHIVED = 2000

/** @throws AppError 404 'Board not found' */
export async function createThreadListDocument(ctx: Reader, boardId: string) {
  const threads = await readOrderedThreads(ctx, boardId, { ...LISTED, answers: 0 })
  return toPages(
    threads.map(({ head }) => ({
      no: head.id,
      last_modified: toSeconds(head.changedAt),
      replies: head.commentCount + head.replyCount,
    })),
  )
}

/** @throws AppError 404 'Board not found' */
export async function createCatalogDocument(ctx: Reader, boardId: string) {
  const threads = await readOrderedThreads(ctx, boardId, { ...LISTED, answers: CATALOG_ANSWERS })
  const targets = await readTargets(ctx, boardId, threads)
  return toPages(
    threads.map((thread) => {
      const [opening, ...answers] = createPosts(ctx, thread, targets)
      return { ...opening, ...(answers.length > 0 && { last_replies: answers }) }
    }),
  )
}

/** @param page from 1; 0 is the first page too @throws AppError 404 'Board not found', or for a page that never exists */
export async function createPageDocument(ctx: Reader, boardId: string, page: number) {
  if (page > PAGES) throw errors.notFound(refusal('failure.notFound'))
  const skip = (Math.max(1, page) - 1) * THREADS_PER_PAGE
  const threads = await readOrderedThreads(ctx, boardId, { skip, limit: THREADS_PER_PAGE, answers: PAGE_ANSWERS })
  const targets = await readTargets(ctx, boardId, threads)
  return { threads: threads.map((thread) => ({ posts: createPosts(ctx, thread, targets) })) }
}

/** @throws AppError 404 'Board not found' */
export async function createArchiveDocument(ctx: Reader, boardId: string): Promise<number[]> {
  await findBoard(ctx, boardId)
  const rows = await selectArchived(ctx, boardId).limit(ARCHIVED)
  return rows.map(({ id }) => id).sort((a, b) => a - b)
}

/** @throws AppError 404 'Board not found' or 'Thread not found' */
export async function createThreadDocument(ctx: Reader & Signer, boardId: string, threadId: number) {
  const posts = await readThreadPosts(ctx, boardId, threadId).catch((error) => {
    // Clients take only a 404 for a deleted thread.
    throw error instanceof AppError && error.gone ? errors.notFound(error.refusal) : error
  })
  await addBoardLinks(ctx, posts.posts)
  return threadDocument(ctx, posts)
}

type ThreadPosts = Awaited<ReturnType<typeof readThreadPosts>>

export function threadDocument({ config, secrets }: Signer, { head, posts, quotes }: ThreadPosts) {
  const [opening, ...answers] = posts
  const images = countImages(answers)
  const maxPosts = config.limits.threadPosts
  const counts = { replies: answers.filter(({ stub }) => !stub).length, images, maxPosts }
  const own = (row: PostRow) => ownFields(row, head.boardId, secrets)
  return {
    posts: [
      {
        ...createOpeningPost(head, opening, quotes.quotes, counts),
        ...own(opening),
        dtp_bumped: head.lastActivity.getTime(),
      },
      ...answers.map((row) => ({ ...createPost(row, quotes.quotes), ...own(row) })),
    ],
  }
}

/** Limits a list with many links. Other links are shown like links to missing posts. */
const MAX_QUOTES = 3000

/** Reads what the shown posts link to. */
async function readTargets(ctx: Reader, boardId: string, threads: OrderedThread[]): Promise<QuoteTargets> {
  const posts = threads.flatMap(({ opening, answers }) => [opening, ...answers])
  await addBoardLinks(ctx, posts)
  const shown = posts.map((one) => ({ ...one, boardId }))
  return (await readQuotes(ctx.db, shown, { maxQuotes: MAX_QUOTES, hasBacklinks: false })).quotes
}

function createPosts(ctx: Reader, thread: OrderedThread, targets: QuoteTargets): [FourchanPost, ...FourchanPost[]] {
  const { head, opening, answers } = thread
  const replies = head.commentCount + head.replyCount
  const images = Math.max(0, head.imageCount - countImages([opening]))
  const counts = { replies, images, maxPosts: ctx.config.limits.threadPosts }
  return [
    {
      ...createOpeningPost(head, opening, targets, counts),
      omitted_posts: Math.max(0, replies - answers.filter(({ stub }) => !stub).length),
      omitted_images: Math.max(0, images - countImages(answers)),
    },
    ...answers.map((row) => createPost(row, targets)),
  ]
}

const countImages = (posts: PostImages[]) => posts.flatMap(imagesOf).length

/** Splits threads into pages. An empty board has one empty page. */
const toPages = <Thread>(threads: Thread[]) =>
  Array.from({ length: Math.max(1, Math.ceil(threads.length / THREADS_PER_PAGE)) }, (_, index) => ({
    page: index + 1,
    threads: threads.slice(index * THREADS_PER_PAGE, (index + 1) * THREADS_PER_PAGE),
  }))
