import { z } from 'zod'
import { createRestRoutes, type FormPage } from '#server/core/rpc/restRoute.ts'
import {
  archivedThreadSchema,
  boardSchema,
  catalogThreadSchema,
  commentSchema,
  createdPostSchema,
  listedThreadSchema,
  postSchema,
  postStatusSchema,
  quotedPostSchema,
  threadSchema,
} from '#src/contract/boardAnswers.ts'
import { boardPath, postFormPath, threadPath } from '#src/contract/boardPaths.ts'
import { MAX_POST_IMAGES } from '#src/contract/image.ts'
import { linksToJson } from '#src/contract/links.ts'
import { threadUpdatesSchema } from '#src/contract/watchingAnswers.ts'
import { unpackThread } from '#src/lib/packedThread.ts'
import type { Posted } from './posts.ts'
import { boardRouter } from './router.ts'

const BOARDS = '/api/dtpchan/boards'
const THREADS = `${BOARDS}/:boardId/threads`
const COMMENTS = `${THREADS}/:threadId/comments`
const REPLIES = `${COMMENTS}/:commentId/replies`
const POST_REFUSALS = { 409: 'The captcha was spent, or the thread is full', 410: 'The thread was taken down' }
const DELETE_TOKEN = { deleteToken: 'x-delete-token' }

const nextCursor = z.string().nullable().describe('`cursor` of the next page, or null on the last page')

const splitAnswer = <View, Name extends string>(
  name: Name,
  { deleteToken, held, heldUntil, ...view }: Posted<View>,
) => ({ [name]: view, deleteToken, ...(held && { held, heldUntil }) })

type Place = { boardId: string; threadId?: string; commentId?: string }
type Answer = Partial<Record<'thread' | 'comment' | 'reply', { id: number }>> & Partial<Posted<unknown>>

/** The page of a post's form. A browser is redirected to the post, or told on this page that the post is held. */
const postForm: FormPage = {
  convert: (fields) => ({ ...fields, ...(typeof fields.links === 'string' && { links: linksToJson(fields.links) }) }),
  path: ({ boardId, threadId, commentId }: Place) => postFormPath({ boardId, threadId, commentId }),
  next({ thread, comment, reply, held, heldUntil }: Answer, { boardId, threadId }: Place) {
    const id = (thread ?? comment ?? reply)?.id ?? 0
    if (held) {
      const until = heldUntil ? `&until=${heldUntil.toISOString()}` : ''
      return `${boardPath(boardId)}/post?held=${id}${until}${threadId === undefined ? '' : `&thread=${threadId}`}`
    }
    return thread ? threadPath(boardId, id) : `${threadPath(boardId, Number(threadId))}#p${id}`
  },
}

export const boardRoutes = createRestRoutes(boardRouter, [
  {
    method: 'GET',
    path: BOARDS,
    summary: 'Lists the boards in the order that admins set',
    answer: z.object({ boards: z.array(boardSchema) }),
    call: async (api) => ({ boards: (await api.list()).boards }),
  },
  {
    method: 'POST',
    path: BOARDS,
    summary: 'Creates a board. Its id is made from its name.',
    answer: z.object({ board: boardSchema }),
    access: 'member',
    call: async (api, input) => ({ board: await api.create(input) }),
  },
  {
    method: 'PUT',
    path: `${BOARDS}/:boardId`,
    summary: 'Changes the texts and settings of a board. Settings that are left out stay as they are.',
    answer: null,
    access: 'admin',
    call: (api, input) => api.change(input),
  },
  {
    method: 'DELETE',
    path: `${BOARDS}/:boardId`,
    summary: 'Deletes a board with all its threads',
    answer: null,
    access: 'admin',
    call: (api, input) => api.delete(input),
  },
  {
    method: 'GET',
    path: `${BOARDS}/:boardId/catalog`,
    summary: 'Lists up to 500 threads of a board with the start of their opening posts, in the order of the board',
    answer: z.object({
      threads: z.array(catalogThreadSchema),
      nextCursor: z.string().nullable().describe("`cursor` of the board's threads after these, or null"),
    }),
    call: async (api, input) => {
      const { threads, nextCursor } = await api.catalog(input)
      return { threads, nextCursor }
    },
  },
  {
    method: 'GET',
    path: `${BOARDS}/:boardId/archive`,
    summary: 'Lists 100 archived threads of a board, by latest activity',
    answer: z.object({ threads: z.array(archivedThreadSchema), nextCursor }),
    call: async (api, input) => {
      const { threads, nextCursor } = await api.archive(input)
      return { threads, nextCursor }
    },
  },
  {
    method: 'GET',
    path: '/api/dtpchan/threads',
    summary: 'Lists 50 threads of all boards by latest activity, with the start of their opening posts',
    answer: z.object({ threads: z.array(listedThreadSchema), nextCursor }),
    call: async (api, input) => {
      const { threads, nextCursor } = await api.all(input)
      return { threads, nextCursor }
    },
  },
  {
    method: 'GET',
    path: THREADS,
    summary:
      'Lists 50 threads with their 5 newest comments: pinned threads first on the first page, then by latest activity',
    answer: z.object({ threads: z.array(threadSchema), nextCursor }),
    call: async (api, input) => {
      const { threads, nextCursor } = await api.threads(input)
      return { threads, nextCursor }
    },
  },
  {
    method: 'POST',
    path: THREADS,
    summary: 'Creates a thread. Browsers without script are redirected to it.',
    answer: createdPostSchema('thread', threadSchema),
    statuses: POST_REFUSALS,
    limits: { rate: 'thread', storage: 'image' },
    maxImages: MAX_POST_IMAGES,
    formPage: postForm,
    call: async (api, input) => splitAnswer('thread', await api.createThread(input)),
  },
  {
    method: 'GET',
    path: `${THREADS}/:threadId`,
    summary: 'Reads a thread with all comments and replies',
    answer: z.object({ thread: threadSchema }),
    statuses: { 410: 'The thread was taken down' },
    call: async (api, input) => ({ thread: unpackThread(await api.thread(input)).thread }),
  },
  {
    method: 'DELETE',
    path: `${THREADS}/:threadId`,
    summary: 'Deletes a thread, as a moderator or with the delete token of its author',
    answer: null,
    access: 'moderator',
    headers: DELETE_TOKEN,
    call: (api, input) => api.deleteThread(input),
  },
  {
    method: 'POST',
    path: COMMENTS,
    summary: 'Adds a comment to a thread. Browsers without script are redirected to it.',
    answer: createdPostSchema('comment', commentSchema),
    statuses: POST_REFUSALS,
    limits: { rate: 'post', storage: 'image' },
    maxImages: MAX_POST_IMAGES,
    formPage: postForm,
    call: async (api, input) => splitAnswer('comment', await api.createComment(input)),
  },
  {
    method: 'DELETE',
    path: `${COMMENTS}/:commentId`,
    summary: 'Deletes a comment, as a moderator or with the delete token of its author',
    answer: null,
    access: 'moderator',
    headers: DELETE_TOKEN,
    call: (api, input) => api.deleteComment(input),
  },
  {
    method: 'POST',
    path: REPLIES,
    summary: 'Replies to a comment. Browsers without script are redirected to the reply.',
    answer: createdPostSchema('reply', postSchema),
    statuses: POST_REFUSALS,
    limits: { rate: 'post', storage: 'image' },
    maxImages: MAX_POST_IMAGES,
    formPage: postForm,
    call: async (api, input) => splitAnswer('reply', await api.createReply(input)),
  },
  {
    method: 'DELETE',
    path: `${REPLIES}/:replyId`,
    summary: 'Deletes a reply, as a moderator or with the delete token of its author',
    answer: null,
    access: 'moderator',
    headers: DELETE_TOKEN,
    call: (api, input) => api.deleteReply(input),
  },
  {
    method: 'GET',
    path: '/api/dtpchan/updates',
    summary: 'Reads what is new in up to 50 threads, for readers who follow them',
    answer: threadUpdatesSchema,
    call: (api, input) => api.updates(input),
  },
  {
    method: 'GET',
    path: '/api/dtpchan/posts/:postId',
    summary: 'Reads a published post',
    answer: z.object({ post: quotedPostSchema }),
    statuses: { 410: 'The post was taken down' },
    call: async (api, input) => ({ post: await api.post(input) }),
  },
  {
    method: 'GET',
    path: '/api/dtpchan/posts/:postId/status',
    summary: 'Tells the author of a post, who has its delete token, whether the post is published',
    answer: postStatusSchema,
    statuses: { 403: 'The delete token is wrong' },
    headers: DELETE_TOKEN,
    call: (api, input) => api.postStatus(input),
  },
])
