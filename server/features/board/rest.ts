import { createCallerFactory } from '#server/core/rpc/procedures.ts'
import { createRestRoutes, type FormPage } from '#server/core/rpc/restRoute.ts'
import { boardPath, postFormPath, threadPath } from '#src/contract/boardPaths.ts'
import { linksToJson } from '#src/contract/links.ts'
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
    formPage: postForm,
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
    formPage: postForm,
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
    formPage: postForm,
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
