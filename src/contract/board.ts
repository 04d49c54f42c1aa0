import type { ImageFile, ImageView } from './image.ts'
import type { AuthUser } from './user.ts'

export const boardLimits = {
  title: 200,
  content: 20_000,
  author: 64,
  authorMin: 2,
  boardName: 64,
  boardDescription: 500,
  /** threads of one page of a board */
  threadsPerPage: 50,
  /** newest comments shown with a thread in a list */
  latestComments: 5,
  /** characters of a thread's content in a list, and of the newest comment there */
  threadPreview: 200,
  commentPreview: 100,
  /** distinct quoted posts of one post that are resolved */
  quotes: 50,
  /** first posts that quote one post that are shown with it; a list of as many stands for more */
  quotedBy: 100,
} as const

/** Largest height in CSS px of a picture in each of its places. */
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
  deleteBoard: 'Failed to delete board',
  deleteThread: 'Failed to delete thread',
  deleteComment: 'Failed to delete comment',
  deleteReply: 'Failed to delete reply',
} as const

/** Where a numbered post stands, so that `>>123` can point at it. */
export type PostRef = { id: number; threadId: number; boardId: string }

export type BoardView = {
  id: string
  name: string
  description: string
  /** emails */
  moderators: string[]
}

/** Admins moderate every board, members the boards that name them. */
export const canModerate = (user: AuthUser | null, { moderators }: Pick<BoardView, 'moderators'>): boolean =>
  user !== null && (user.role === 'admin' || moderators.includes(user.email))

/** What threads, comments and replies have in common. */
export type PostView = {
  id: number
  author: string
  content: string
  createdAt: Date
  /** address of the full picture, for callers that want no more */
  image: string | null
  /** the same picture with its sizes */
  picture: ImageView | null
  links: string[]
  /** the existing posts this one quotes with `>>` */
  quotes: PostRef[]
  /** the existing posts that quote this one, oldest first, at most `boardLimits.quotedBy` of them */
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
  /** in lists the newest few, newest first, without replies; on its own page all, oldest first */
  comments: CommentView[]
}

/** A thread's page as it is loaded. */
export type ThreadPage = { board: BoardView; thread: ThreadView; lastEventId: string }

/** What the list of a board shows of a thread; the rest of it would only make the page heavier. */
export type ListedThread = Pick<
  ThreadView,
  'id' | 'boardId' | 'title' | 'author' | 'createdAt' | 'lastActivity' | 'commentCount' | 'links'
> & {
  /** the opening post in one line, cut at `threadPreview` */
  preview: string
  /** the file that is shown, and the pixels of the full one */
  picture: ImageFile | null
  newest: ListedComment | null
}
export type ListedComment = Pick<PostView, 'author' | 'createdAt'> & { preview: string }

/** A page of a board as it is loaded, latest activity first; `nextCursor` goes on after its last thread. */
export type BoardPage = { board: BoardView; threads: ListedThread[]; nextCursor: string | null; lastEventId: string }

/** A thread of whichever board as Home tells it, without its posts. */
export type LatestThread = Pick<ThreadView, 'id' | 'boardId' | 'title' | 'author' | 'commentCount' | 'lastActivity'> & {
  /** the opening post in one line, cut at `threadPreview` */
  excerpt: string
  /** the opening post's picture as lists show it */
  picture: ImageFile | null
}
