import type {
  ArchivedThread,
  BoardView,
  CatalogThread,
  ListedComment,
  ListedThread,
  PostView,
  ThreadView,
} from './boardAnswers.ts'
import type { ImageFile, ImageView } from './image.ts'
import type { LinkCard } from './linkCardAnswers.ts'
import type { AuthUser } from './user.ts'

export type {
  ArchivedThread,
  BoardView,
  CatalogThread,
  CommentView,
  ListedComment,
  ListedThread,
  PostRef,
  PostStatus,
  PostView,
  QuotedPost,
  ReplyView,
  ThreadView,
} from './boardAnswers.ts'

export const boardLimits = {
  title: 200,
  content: 20_000,
  author: 64,
  authorMin: 2,
  tripcodeSecret: 128,
  boardName: 64,
  boardDescription: 500,
  boardRules: 2000,
  /** maximum of a board's limit on live threads */
  threadLimit: 10_000,
  threadsPerPage: 50,
  archivedPerPage: 100,
  catalogThreads: 500,
  latestComments: 5,
  /** pinned threads of a board; its first page shows all of them */
  pinnedThreads: 10,
  /** the list of boards counts at most this many threads of a board, and one more as a sign of more */
  countedThreads: 300,
  /** posts per half hour, for 24 hours */
  activityCounts: 48,
  /** preview lengths in lists, in characters */
  threadPreview: 200,
  commentPreview: 100,
  quotes: 50,
  /** maximum length of `quotedBy`; more posts may quote the post */
  quotedBy: 100,
} as const

/** Maximum image heights in CSS px. */
export const imageHeights = { list: 200, thread: 500, comment: 300, reply: 250 } as const

/** Returns all images of a post. */
export const picturesOf = ({ picture, pictures }: Pick<PostView, 'picture' | 'pictures'>): ImageView[] =>
  pictures ?? (picture ? [picture] : [])

/** Posts are counted per ten minutes. */
export const ACTIVITY_SLOT_MS = 600_000

/** Posts of all boards on this UTC day. */
export type DayActivity = {
  /** posts per ten minutes, from midnight to now */
  counts: number[]
  /** posts of the last hour, which may have begun yesterday */
  lastHour: number
}

/** Local storage key of the boards that the page of all boards hides. pages/early.js reads it too. */
export const HIDDEN_BOARDS_KEY = 'dtpchan_hidden_boards'

/** Local storage key of the posts that this browser sent. */
export const OWN_POSTS_KEY = 'dtpchan_own_posts'

/** A board in the list of boards. */
export type ListedBoard = BoardView & {
  /** number of threads, at most `countedThreads` + 1 */
  threads: number
  /** the thread with the newest post; null if the board has no threads */
  latest: Pick<ThreadView, 'id' | 'title' | 'lastActivity'> | null
  /** posts per half hour of the last 24 hours, oldest first; empty if there are none */
  activity: number[]
}

/** Returns whether the user may moderate the board. Admins moderate all boards, members only boards that list them. */
export const canModerate = (user: AuthUser | null, { moderators }: Pick<BoardView, 'moderators'>): boolean =>
  user !== null && (user.role === 'admin' || moderators.includes(user.email))

export type ThreadPage = {
  board: BoardView
  thread: ThreadView
  lastEventId: string
  /** number of posts after the opening post that are left out, because the thread is too long */
  omitted?: number
}

/** The place of a new post, for the page with its form. */
export type PostFormPlace = {
  board: Pick<BoardView, 'id' | 'name' | 'rules' | 'moderators'>
  /** null for a new thread */
  thread: Pick<ThreadView, 'id' | 'title' | 'locked' | 'archived'> | null
  /** the comment or reply that a reply answers; `preview` is its start in one line */
  answered: (Pick<PostView, 'id' | 'author'> & { commentId: number; preview: string }) | null
}

/** A thread that an error page offers. */
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

type DateField<T> = T extends unknown ? { [Field in keyof T]-?: T[Field] extends Date ? Field : never }[keyof T] : never
const dateFields: Record<DateField<ThreadView | ListedThread | ListedComment | LinkCard>, true> = {
  createdAt: true,
  lastActivity: true,
  expiresAt: true,
  startedAt: true,
}

/**
 * Restores dates of posts and threads in JSON.parse. The type of `dateFields` makes sure that no date field is missing.
 */
export const reviveBoardDate = (key: string, value: unknown): unknown =>
  Object.hasOwn(dateFields, key) ? new Date(value as string) : value
