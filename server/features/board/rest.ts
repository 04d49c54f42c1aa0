import { unpackThread } from '#src/lib/packedThread.ts'
import type { RestRow } from '../../restRow.ts'

const BOARDS = '/api/dtpchan/boards'
const THREADS = `${BOARDS}/:boardId/threads`
const COMMENTS = `${THREADS}/:threadId/comments`
const REPLIES = `${COMMENTS}/:commentId/replies`

export const boardRows: RestRow[] = [
  { method: 'GET', path: BOARDS, call: async (api) => ({ boards: (await api.board.list()).boards }) },
  { method: 'POST', path: BOARDS, call: async (api, input) => ({ board: await api.board.create(input) }) },
  { method: 'DELETE', path: `${BOARDS}/:boardId`, call: (api, input) => api.board.delete(input) },
  {
    method: 'GET',
    path: THREADS,
    call: async (api, input) => {
      const { threads, nextCursor } = await api.board.threads(input)
      return { threads, nextCursor }
    },
  },
  {
    method: 'POST',
    path: THREADS,
    counts: { limit: 'thread', stores: 'image' },
    call: async (api, input) => ({ thread: await api.board.createThread(input) }),
  },
  {
    method: 'GET',
    path: `${THREADS}/:threadId`,
    call: async (api, input) => ({ thread: unpackThread(await api.board.thread(input)).thread }),
  },
  { method: 'DELETE', path: `${THREADS}/:threadId`, call: (api, input) => api.board.deleteThread(input) },
  {
    method: 'POST',
    path: COMMENTS,
    counts: { limit: 'post', stores: 'image' },
    call: async (api, input) => ({ comment: await api.board.createComment(input) }),
  },
  { method: 'DELETE', path: `${COMMENTS}/:commentId`, call: (api, input) => api.board.deleteComment(input) },
  {
    method: 'POST',
    path: REPLIES,
    counts: { limit: 'post', stores: 'image' },
    call: async (api, input) => ({ reply: await api.board.createReply(input) }),
  },
  { method: 'DELETE', path: `${REPLIES}/:replyId`, call: (api, input) => api.board.deleteReply(input) },
]
