import { createCallerFactory } from '#server/core/rpc/procedures.ts'
import { createRestRoutes } from '#server/core/rpc/restRoute.ts'
import { unpackThread } from '#src/lib/packedThread.ts'
import type { Posted } from './posts.ts'
import { boardRouter } from './router.ts'

const BOARDS = '/api/dtpchan/boards'
const THREADS = `${BOARDS}/:boardId/threads`
const COMMENTS = `${THREADS}/:threadId/comments`
const REPLIES = `${COMMENTS}/:commentId/replies`
const DELETE_TOKEN = { deleteToken: 'x-delete-token' }

const splitAnswer = <View, Name extends string>(
  name: Name,
  { deleteToken, held, heldUntil, ...view }: Posted<View>,
) => ({ [name]: view, deleteToken, ...(held && { held, heldUntil }) })

export const boardRoutes = createRestRoutes(createCallerFactory(boardRouter), [
  { method: 'GET', path: BOARDS, call: async (api) => ({ boards: (await api.list()).boards }) },
  { method: 'POST', path: BOARDS, call: async (api, input) => ({ board: await api.create(input) }) },
  { method: 'DELETE', path: `${BOARDS}/:boardId`, call: (api, input) => api.delete(input) },
  {
    method: 'GET',
    path: THREADS,
    call: async (api, input) => {
      const { threads, nextCursor } = await api.threads(input)
      return { threads, nextCursor }
    },
  },
  {
    method: 'POST',
    path: THREADS,
    limits: { rate: 'thread', storage: 'image' },
    call: async (api, input) => splitAnswer('thread', await api.createThread(input)),
  },
  {
    method: 'GET',
    path: `${THREADS}/:threadId`,
    call: async (api, input) => ({ thread: unpackThread(await api.thread(input)).thread }),
  },
  {
    method: 'DELETE',
    path: `${THREADS}/:threadId`,
    headers: DELETE_TOKEN,
    call: (api, input) => api.deleteThread(input),
  },
  {
    method: 'POST',
    path: COMMENTS,
    limits: { rate: 'post', storage: 'image' },
    call: async (api, input) => splitAnswer('comment', await api.createComment(input)),
  },
  {
    method: 'DELETE',
    path: `${COMMENTS}/:commentId`,
    headers: DELETE_TOKEN,
    call: (api, input) => api.deleteComment(input),
  },
  {
    method: 'POST',
    path: REPLIES,
    limits: { rate: 'post', storage: 'image' },
    call: async (api, input) => splitAnswer('reply', await api.createReply(input)),
  },
  {
    method: 'DELETE',
    path: `${REPLIES}/:replyId`,
    headers: DELETE_TOKEN,
    call: (api, input) => api.deleteReply(input),
  },
  {
    method: 'GET',
    path: '/api/dtpchan/posts/:postId/status',
    headers: DELETE_TOKEN,
    call: (api, input) => api.postStatus(input),
  },
])
