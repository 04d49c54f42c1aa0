import { z } from 'zod'
import { captchaMessages } from './captcha.ts'
import { type ImageView, imageMessages, UploadedFile } from './image.ts'
import { linksField } from './links.ts'
import { text } from './text.ts'

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

const postFields = {
  author: text(boardMessages.authorRequired, 'Username', boardLimits.author, boardLimits.authorMin),
  captchaAnswer: z
    .union([z.string(), z.number()], captchaMessages.required)
    .transform((value) => String(value).trim())
    .refine((value) => value !== '', captchaMessages.required),
  challengeId: z.string(captchaMessages.required).min(1, captchaMessages.required).max(512, captchaMessages.refused),
  links: linksField,
  image: z.instanceof(UploadedFile, { error: imageMessages.type }).optional(),
}

const content = (message: string) => text(message, 'Content', boardLimits.content)

/** Ids come out of addresses: what cannot be one is looked up all the same and not found. */
const boardId = z.coerce.string()
const postId = z.coerce.string()

export const boardParams = z.object({ boardId })
export const threadListParams = boardParams.extend({ cursor: z.string().max(200).optional().catch(undefined) })
export const threadParams = boardParams.extend({ threadId: postId })
export const commentParams = threadParams.extend({ commentId: postId })
export const replyParams = commentParams.extend({ replyId: postId })

export const boardForm = z.object({
  name: text(boardMessages.boardRequired, 'Board name', boardLimits.boardName),
  description: text(boardMessages.boardRequired, 'Description', boardLimits.boardDescription),
})
export const threadForm = z.object({
  title: text(boardMessages.threadRequired, 'Title', boardLimits.title),
  content: content(boardMessages.threadRequired),
  ...postFields,
})
export const commentForm = z.object({ content: content(boardMessages.contentRequired), ...postFields })

export type BoardForm = z.input<typeof boardForm>
export type ThreadForm = z.input<typeof threadForm>
export type CommentForm = z.input<typeof commentForm>

/** Where a numbered post stands, so that `>>123` can point at it. */
export type PostRef = { id: number; threadId: number; boardId: string }

export type BoardView = {
  id: string
  name: string
  description: string
  /** emails */
  moderators: string[]
}

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
  /** the existing posts that quote this one, oldest first */
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
