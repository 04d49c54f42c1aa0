import { z } from 'zod'
import { type BoardView, boardParams, boardPath } from './board.ts'
import { wholeNumber } from './fields.ts'
import { type ImageFile, imageFileSchema } from './image.ts'
import type { Language } from './languages.ts'
import { commentSchema, type PostView, postSchema } from './post.ts'
import { refusal } from './refusal.ts'

/** Identifies the last thread of a board page. The next page starts after this thread. */
export type ThreadCursor = { lastActivity: Date; id: number }

export const formatCursor = ({ lastActivity, id }: ThreadCursor) => `${lastActivity.getTime()}-${id}`

export function parseCursor(text: string | undefined): ThreadCursor | null {
  const parts = /^(\d{1,15})-(\d{1,15})$/.exec(text ?? '')
  if (!parts) return null
  const lastActivity = new Date(Number(parts[1]))
  return Number.isNaN(lastActivity.getTime()) || lastActivity.getUTCFullYear() > 9999
    ? null
    : { lastActivity, id: Number(parts[2]) }
}

export const nextCursorSchema = z.string().nullable().describe('`cursor` of the next page, or null on the last page')

/** How a catalog is sorted. It starts with the pinned threads in every order. */
export const CATALOG_SORTS = ['activity', 'created', 'replies'] as const
export type CatalogSort = (typeof CATALOG_SORTS)[number]
export type CatalogView = { sort: CatalogSort; filter: string }

export const catalogPath = (boardId: string) => `${boardPath(boardId)}/catalog`

/** Returns the URL of a sorted and filtered catalog. */
export function catalogViewPath(boardId: string, { sort, filter }: CatalogView): string {
  const query = new URLSearchParams()
  if (sort !== 'activity') query.set('sort', sort)
  if (filter.trim() !== '') query.set('filter', filter.trim())
  return `${catalogPath(boardId)}${query.size > 0 ? `?${query}` : ''}`
}

/** Limits the URLs that the server keeps pages for. */
const MAX_FILTER_LENGTH = 100

/** Reads the query of a catalog's URL. Replaces an unknown order, and shortens the filter. */
export const parseCatalogView = (search: { sort?: string | undefined; filter?: string | undefined }): CatalogView => ({
  sort: CATALOG_SORTS.find((sort) => sort === search.sort) ?? 'activity',
  filter: (search.filter ?? '').trim().slice(0, MAX_FILTER_LENGTH),
})

/** Returns whether a title or the beginning of a text contains all words of the filter. */
export function matchesCatalogFilter({ title, preview }: { title: string; preview: string }, filter: string): boolean {
  const text = `${title}\n${preview}`.toLowerCase()
  const words = filter.toLowerCase().split(/\s+/)
  return words.every((word) => text.includes(word))
}

/** A board in the list of boards. */
export type ListedBoard = BoardView & {
  /** number of threads, at most `countedThreads` + 1 */
  threads: number
  /** the thread with the newest post; null if the board has no threads */
  latest: Pick<ThreadView, 'id' | 'title' | 'lastActivity'> | null
  /** posts per half hour of the last 24 hours, oldest first; empty if there are none */
  activity: number[]
}

export type ThreadPage = {
  board: BoardView
  thread: ThreadView
  lastEventId: string
  /** number of posts after the opening post that are left out, because the thread is too long */
  omitted?: number
}

/** What a thread's page knows of its thread. Posts are HTML only. */
export type ThreadHead = Pick<ThreadView, 'id' | 'boardId' | 'title' | 'createdAt'> & ThreadCounts

/** The HTML of an opening post, without its actions, and of the comments. */
export type ThreadHtml = { opening: string; comments: string }

/** A thread as its page shows it. */
export type ShownThread = Omit<ThreadPage, 'thread'> & {
  thread: ThreadHead
  /** missing in the first page of a visit, whose document has the HTML itself */
  html?: ThreadHtml
  newestId: number
  images: number
  /** the names in the thread, in the order of their first posts */
  authors: string[]
}

/** The place of a new post, for the page with its form. */
export type PostFormPlace = {
  board: Pick<BoardView, 'id' | 'name' | 'rules' | 'moderators' | 'defaultName'>
  /** null for a new thread */
  thread: Pick<ThreadView, 'id' | 'title' | 'locked' | 'archived'> | null
  /** the comment or reply that a reply answers; `preview` is its start in one line */
  answered: (Pick<PostView, 'id' | 'author'> & { commentId: number; preview: string }) | null
}

/** A thread that a page without content of its own offers. */
export type SuggestedThread = Pick<LatestThread, 'id' | 'boardId' | 'title' | 'commentCount' | 'lastActivity'>

export type BoardPage<Thread = ListedThread> = {
  board: BoardView
  threads: Thread[]
  nextCursor: string | null
  lastEventId: string
}

export type CatalogPage = BoardPage<CatalogThread>

/** Threads of all boards, by latest activity. */
export type Overboard = {
  boards: Pick<BoardView, 'id' | 'name'>[]
  threads: ListedThread[]
  nextCursor: string | null
}

/** A list of threads as its page shows it. */
type ShownList = {
  /** missing in the first page of a visit, whose document has the HTML itself */
  html?: string
  /** number of threads in the list, including those that the filter of a catalog hides */
  count: number
  nextCursor: string | null
}

export type ShownBoard = ShownList & Pick<BoardPage, 'board' | 'lastEventId'>

/** `matching` is the number of threads that the filter shows. */
export type ShownCatalog = ShownBoard & { matching: number }

/** `boardIds` are the boards of the listed threads. */
export type ShownOverboard = ShownList & Pick<Overboard, 'boards'> & { boardIds: string[] }

/** Archived threads of a board, by latest activity. */
export type ArchivePage = { board: BoardView; threads: ArchivedThread[]; nextCursor: string | null }

export type LatestThread = Pick<
  ThreadView,
  'id' | 'boardId' | 'title' | 'author' | 'commentCount' | 'lastActivity' | 'deleted'
> & {
  excerpt: string
  /** null also for a spoiler */
  picture: ImageFile | null
}

const withCursor = (path: string, cursor?: string) =>
  cursor === undefined ? path : `${path}?cursor=${encodeURIComponent(cursor)}`

export const olderPath = (boardId: string, cursor: string) => withCursor(boardPath(boardId), cursor)

/** Open pages read their data again. It has HTML in the language of the page. */
export const boardDataPath = (boardId: string, language: Language, cursor?: string) =>
  withCursor(`${boardPath(boardId)}/page.${language}.json`, cursor)

export const catalogDataPath = (boardId: string, language: Language, sort: CatalogSort) =>
  `${boardPath(boardId)}/catalog.${language}.json${sort === 'activity' ? '' : `?sort=${sort}`}`

/** The page with the threads of all boards. */
export const OVERBOARD_PATH = '/dtpchan/all'

export const overboardPath = (cursor?: string) => withCursor(OVERBOARD_PATH, cursor)

export const archivePath = (boardId: string, cursor?: string) => withCursor(`${boardPath(boardId)}/archive`, cursor)

export const threadPath = (boardId: string, threadId: number) => `${boardPath(boardId)}/thread/${threadId}`

/** The image that link previews of a thread show. */
export const threadCardPath = (boardId: string, threadId: number) => `${threadPath(boardId, threadId)}/preview.jpg`

/** What moderators set for a thread. */
export const threadFlags = {
  locked: z.boolean().describe('takes no comments and replies, except from moderators'),
  pinned: z.boolean().describe('listed first on its board'),
  bumplocked: z.boolean().describe('comments do not bump it'),
  cyclical: z.boolean().describe('never full: new posts remove the oldest ones'),
}
export type ThreadFlags = Pick<ThreadView, keyof typeof threadFlags>

/** Lists moderators' actions on a thread, with the flags that each one sets. */
export const THREAD_FLAG_ACTIONS = {
  lock: { locked: true },
  unlock: { locked: false },
  pin: { pinned: true },
  unpin: { pinned: false },
  bumplock: { bumplocked: true },
  unbumplock: { bumplocked: false },
  cycle: { cyclical: true },
  uncycle: { cyclical: false },
} as const satisfies Record<string, Partial<ThreadFlags>>
export type ThreadFlagAction = keyof typeof THREAD_FLAG_ACTIONS

/** The counts and flags of a thread, which its posts and moderators change. */
export const threadCounts = {
  lastActivity: z.date(),
  commentCount: z.int(),
  replyCount: z.int(),
  ...threadFlags,
  archived: z.boolean().describe("takes no posts and is in its board's archive instead of its list"),
}
export type ThreadCounts = Pick<ThreadView, keyof typeof threadCounts>

export const threadSchema = postSchema
  .extend({
    boardId: z.string(),
    title: z.string(),
    ...threadCounts,
    comments: z
      .array(commentSchema)
      .describe('lists: the newest comments, newest first, without replies; thread: all comments, oldest first'),
  })
  .meta({ id: 'Thread' })
export type ThreadView = z.output<typeof threadSchema>

const listedFields = {
  ...threadSchema.pick({
    id: true,
    boardId: true,
    title: true,
    createdAt: true,
    lastActivity: true,
    commentCount: true,
    spoiler: true,
    deleted: true,
  }).shape,
  ...threadFlags,
  preview: z.string().describe('the opening post in one line, cut to 200 characters'),
  picture: imageFileSchema.nullable().describe('a small version of the first image, with the size of the image'),
  furtherPictures: z.int().optional().describe('number of images after the first one; missing if there are none'),
}

const listedCommentSchema = postSchema
  .pick({ author: true, createdAt: true })
  .extend({ preview: z.string().describe('the comment in one line, cut to 100 characters') })
export type ListedComment = z.output<typeof listedCommentSchema>

export const listedThreadSchema = z
  .object({
    ...listedFields,
    ...threadSchema.pick({ author: true, links: true }).shape,
    newest: listedCommentSchema.nullable().describe('the newest comment'),
    earlier: z
      .array(listedCommentSchema)
      .optional()
      .describe('comments before it, oldest first, on pages of boards that show several'),
  })
  .meta({ id: 'ListedThread' })
export type ListedThread = z.output<typeof listedThreadSchema>

export const catalogThreadSchema = z
  .object({
    ...listedFields,
    ...threadSchema.pick({ replyCount: true }).shape,
    imageCount: z.int().describe('images of all posts, including the opening post'),
  })
  .meta({ id: 'CatalogThread' })
/** A thread in the catalog of its board. */
export type CatalogThread = z.output<typeof catalogThreadSchema>

export const archivedThreadSchema = threadSchema
  .pick({ id: true, title: true, lastActivity: true, commentCount: true, replyCount: true })
  .meta({ id: 'ArchivedThread' })
export type ArchivedThread = z.output<typeof archivedThreadSchema>

export const latestThreadsInput = z.object({
  count: wholeNumber(refusal('failure.count'), 1, 20),
})
const cursor = z
  .string(refusal('failure.cursor'))
  .regex(/^(?:\d{1,15}-\d{1,15})?$/, refusal('failure.cursor'))
  .refine((text) => text === '' || parseCursor(text) !== null, refusal('failure.cursor'))
  .transform((text) => text || undefined)
export const threadListParams = boardParams.extend({ cursor: cursor.optional() })
export const overboardParams = z.object({ cursor: threadListParams.shape.cursor })
export const shownCatalogParams = boardParams.extend({
  sort: z.enum(CATALOG_SORTS),
  filter: z.string().max(MAX_FILTER_LENGTH),
})
