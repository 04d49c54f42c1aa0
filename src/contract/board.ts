import type { ImageFile, ImageView } from './image.ts'
import type { AuthUser } from './user.ts'

export const boardLimits = {
  title: 200,
  content: 20_000,
  author: 64,
  authorMin: 2,
  boardName: 64,
  boardDescription: 500,
  boardRules: 2000,
  threadsPerPage: 50,
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

export const boardMessages = {
  loginRequired: 'You must be logged in to create a board',
  boardRequired: 'Name and description are required',
  threadRequired: 'Title and content are required',
  contentRequired: 'Content is required',
  authorRequired: 'Username is required (minimum 2 characters)',
  boardNotFound: 'Board not found',
  threadNotFound: 'Thread not found',
  count: 'count must be a whole number from 1 to 20',
  threadDeleted: 'This thread was deleted',
  commentNotFound: 'Comment not found',
  replyNotFound: 'Reply not found',
  threadFull: 'This thread is full',
  threadLocked: 'This thread is locked',
  noBoards: 'No boards yet. Be the first to create one!',
  noThreads: 'No threads yet. Be the first to create one!',
  noComments: 'No comments yet. Be the first to comment!',
  loadBoards: 'Failed to load boards',
  loadBoard: 'Failed to load board',
  loadThreads: 'Failed to load threads',
  loadThread: 'Failed to load thread',
  createBoard: 'Failed to create board',
  createThread: 'Failed to create thread',
  createComment: 'Failed to create comment',
  createReply: 'Failed to create reply',
  rules: 'Rules must be a text',
  move: 'by must be -1 or 1',
  moderator: 'The email of a user is required',
  changeBoard: 'Failed to change board',
  deleteBoard: 'Failed to delete board',
  deleteThread: 'Failed to delete thread',
  deleteComment: 'Failed to delete comment',
  deleteReply: 'Failed to delete reply',
} as const

/** Posts are counted per ten minutes. */
export const ACTIVITY_SLOT_MS = 600_000

/** Posts of all boards on this UTC day. */
export type DayActivity = {
  /** posts per ten minutes, from midnight to now */
  counts: number[]
  /** posts of the last hour, which may have begun yesterday */
  lastHour: number
}

/** Local storage key of the posts that this browser sent. */
export const OWN_POSTS_KEY = 'dtpchan_own_posts'

export type PostRef = { id: number; threadId: number; boardId: string }

export type BoardView = {
  id: string
  name: string
  description: string
  /** posting rules, shown above the form; empty if the board has none */
  rules: string
  /** email addresses */
  moderators: string[]
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

/** Returns whether the user may moderate the board. Admins moderate all boards, members only boards that list them. */
export const canModerate = (user: AuthUser | null, { moderators }: Pick<BoardView, 'moderators'>): boolean =>
  user !== null && (user.role === 'admin' || moderators.includes(user.email))

/** What the author of a post learns about it. */
export type PostStatus = {
  /** `removed`: refused, or deleted */
  status: 'held' | 'published' | 'removed'
  /** when a held post is published without a review; null if it waits for a moderator */
  heldUntil: Date | null
  /** why it was removed, as in the public log; may be empty */
  reason: string
}

export type PostView = {
  id: number
  author: string
  content: string
  createdAt: Date
  /** URL of the full image. `picture` is the same image in all sizes. Both are documented API fields. */
  image: string | null
  picture: ImageView | null
  /** the image is covered until the reader uncovers it */
  spoiler: boolean
  links: string[]
  quotes: PostRef[]
  /** existing posts that quote this post, oldest first, at most `boardLimits.quotedBy` */
  quotedBy: PostRef[]
}
export type ReplyView = PostView
export type CommentView = PostView & { replies: ReplyView[] }
export type ThreadView = PostView & {
  boardId: string
  title: string
  lastActivity: Date
  commentCount: number
  replyCount: number
  /** takes no comments and replies, except from moderators */
  locked: boolean
  /** listed first on its board */
  pinned: boolean
  /** lists: the newest comments, newest first, without replies; thread page: all comments, oldest first */
  comments: CommentView[]
}

export type ThreadPage = { board: BoardView; thread: ThreadView; lastEventId: string }

/** What the page with a post's form shows about the place of the post. */
export type PostFormPlace = {
  board: Pick<BoardView, 'id' | 'name' | 'rules' | 'moderators'>
  /** null for a new thread */
  thread: Pick<ThreadView, 'id' | 'title' | 'locked'> | null
  /** the comment or reply that a reply answers; `preview` is its start in one line */
  answered: (Pick<PostView, 'id' | 'author'> & { commentId: number; preview: string }) | null
}

export type ListedThread = Pick<
  ThreadView,
  | 'id'
  | 'boardId'
  | 'title'
  | 'author'
  | 'createdAt'
  | 'lastActivity'
  | 'commentCount'
  | 'locked'
  | 'pinned'
  | 'spoiler'
  | 'links'
> & {
  /** the opening post in one line, truncated to `threadPreview` */
  preview: string
  picture: ImageFile | null
  newest: ListedComment | null
}
/** A thread that an error page offers. */
export type SuggestedThread = Pick<LatestThread, 'id' | 'boardId' | 'title' | 'commentCount' | 'lastActivity'>

export type ListedComment = Pick<PostView, 'author' | 'createdAt'> & { preview: string }

export type BoardPage = { board: BoardView; threads: ListedThread[]; nextCursor: string | null; lastEventId: string }

export type LatestThread = Pick<ThreadView, 'id' | 'boardId' | 'title' | 'author' | 'commentCount' | 'lastActivity'> & {
  excerpt: string
  /** null also for a spoiler */
  picture: ImageFile | null
}

type DateField<T> = T extends unknown ? { [Field in keyof T]: T[Field] extends Date ? Field : never }[keyof T] : never
const dateFields: Record<DateField<ThreadView | ListedThread | ListedComment>, true> = {
  createdAt: true,
  lastActivity: true,
}

/**
 * Restores dates of posts and threads in JSON.parse. The type of `dateFields` makes sure that no date field is missing.
 */
export const reviveBoardDate = (key: string, value: unknown): unknown =>
  Object.hasOwn(dateFields, key) ? new Date(value as string) : value
