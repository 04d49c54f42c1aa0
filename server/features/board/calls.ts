import { z } from 'zod'
import type { Context } from '#server/core/context.ts'
import { withLastEventId } from '#server/core/events/writeAndPublish.ts'
import { inLanguage } from '#server/core/http/language.ts'
import {
  adminProcedure,
  guestProcedure,
  memberProcedure,
  middleware,
  rateLimited,
  router,
} from '#server/core/rpc/procedures.ts'
import { documented, type FormPage } from '#server/core/rpc/restRoute.ts'
import { imageStorageUse } from '#server/core/storage/storageQuota.ts'
import { boardForm, boardParams, boardPath, boardSchema, moderatorChange } from '#src/contract/board.ts'
import { MAX_POST_IMAGES, type UploadedFile } from '#src/contract/image.ts'
import { linksToJson } from '#src/contract/links.ts'
import {
  commentForm,
  commentParams,
  commentSchema,
  createdPostSchema,
  deletion,
  importedPostParams,
  postFormPath,
  postParams,
  postSchema,
  quotedPostSchema,
  replyParams,
  shownPostParams,
  threadForm,
  threadParams,
} from '#src/contract/post.ts'
import { refusal } from '#src/contract/refusal.ts'
import {
  catalogThreadSchema,
  latestThreadsInput,
  listedThreadSchema,
  nextCursorSchema,
  overboardParams,
  shownCatalogParams,
  threadListParams,
  threadPath,
  threadSchema,
} from '#src/contract/thread.ts'
import { threadUpdatesParams, threadUpdatesSchema } from '#src/contract/watching.ts'
import { packThread, unpackThread } from '#src/lib/packedThread.ts'
import { change, changeModerator, createBoard, deleteBoard, move } from './boards/boardChanges.ts'
import { activity, overview } from './boards/boardOverview.ts'
import { listBoards } from './boards/boards.ts'
import { renderBoard, renderCatalog, renderOverboard } from './html/listHtml.ts'
import { renderPost, renderThread } from './html/threadHtml.ts'
import { findImportedId } from './read/importedNumbers.ts'
import { readEventPosts, readQuotedPost } from './read/singlePosts.ts'
import { listLatestThreads, listThreads, readBoardPage, readCatalog, readOverboard } from './read/threadLists.ts'
import { readThread } from './read/threads.ts'
import { deletePost, type PostDeletion } from './states/deletePosts.ts'
import { readThreadUpdates, watchingRouter } from './watching/watchers.ts'
import { completeName } from './write/author.ts'
import { DELETE_TOKEN, postStatus } from './write/deleteToken.ts'
import { postForm } from './write/postFormPlace.ts'
import { createComment, createReply, createThread, type Receipt } from './write/posts.ts'
import { archive } from './write/threadArchive.ts'

const postStorageUse = ({ image = [] }: { image?: UploadedFile[] }) => imageStorageUse(image)

/** Refuses a post without a name before it counts towards limits, unless its board has a default name. */
const named = middleware(async ({ ctx, input, next }) => {
  await completeName(ctx, input as { boardId: string; author: string })
  return next()
})

const BOARDS = '/api/dtpchan/boards'
const THREADS = `${BOARDS}/:boardId/threads`
const COMMENTS = `${THREADS}/:threadId/comments`
const REPLIES = `${COMMENTS}/:commentId/replies`

const POST_REFUSALS = {
  401: 'A signature needs a login',
  409: 'The captcha was spent, or the thread is full',
}

type Place = { boardId: string; threadId?: string; commentId?: string }
type Answer = Partial<Record<'thread' | 'comment' | 'reply', { id: number }>> & Partial<Receipt>

/** The page of a post's form. A browser is redirected to the post, or told on this page that the post is held. */
const formPage: FormPage = {
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

/** Reads a page, and renders it in the visitor's language. */
const show = <Page, Shown>(ctx: Context, read: () => Promise<Page>, render: (page: Page) => Shown): Promise<Shown> =>
  ctx.readLarge(async () => {
    const page = await read()
    return inLanguage(ctx.language, () => render(page))
  })

/** Returns the options of a call that creates a post. */
const posting = <Name extends string, View extends z.ZodType>(name: Name, view: View) => ({
  answer: createdPostSchema(name, view),
  statuses: POST_REFUSALS,
  limits: { rate: name === 'thread' ? ('thread' as const) : ('post' as const), storage: 'image' as const },
  maxImages: MAX_POST_IMAGES,
  formPage,
})

/** Creates the call that deletes a kind of post. */
const deleting = <Input extends z.ZodType<PostDeletion>>(kind: string, path: `/${string}`, input: Input) =>
  documented(
    guestProcedure.input(input).mutation(({ ctx, input }) => deletePost(ctx, input as PostDeletion)),
    {
      method: 'DELETE',
      path,
      summary: `Deletes a ${kind}, as a moderator or with the delete token of its author`,
      access: 'moderator',
      headers: DELETE_TOKEN,
    },
  )

export const boardRouter = router({
  list: documented(
    guestProcedure.query(({ ctx }) => withLastEventId(ctx, async () => ({ boards: await listBoards(ctx) }))),
    {
      path: BOARDS,
      summary: 'Lists the boards in the order that admins set',
      answer: z.object({ boards: z.array(boardSchema) }),
    },
  ),
  overview,
  create: documented(
    memberProcedure(refusal('board.loginRequired'))
      .input(boardForm)
      .mutation(({ ctx, input }) => createBoard(ctx, input, ctx.user)),
    {
      path: BOARDS,
      summary: 'Creates a board. Its id is made from its name.',
      answer: z.object({ board: boardSchema }),
    },
  ),
  delete: deleteBoard,
  change,
  move,
  changeModerator: adminProcedure
    .input(moderatorChange)
    .mutation(({ ctx, input }) => changeModerator(ctx, input.boardId, input.change, input.email)),

  latest: guestProcedure.input(latestThreadsInput).query(({ ctx, input }) => listLatestThreads(ctx, input.count)),
  activity,
  catalog: documented(
    guestProcedure.input(boardParams).query(({ ctx, input }) => ctx.readLarge(() => readCatalog(ctx, input.boardId))),
    {
      path: `${BOARDS}/:boardId/catalog`,
      summary: 'Lists up to 500 threads of a board with the start of their opening posts, in the order of the board',
      answer: z.object({
        threads: z.array(catalogThreadSchema),
        nextCursor: z.string().nullable().describe("`cursor` of the board's threads after these, or null"),
      }),
    },
  ),
  all: documented(
    guestProcedure
      .input(overboardParams)
      .query(({ ctx, input }) => ctx.readLarge(() => readOverboard(ctx, input.cursor))),
    {
      path: '/api/dtpchan/threads',
      summary: 'Lists 50 threads of all boards by latest activity, with the start of their opening posts',
      answer: z.object({ threads: z.array(listedThreadSchema), nextCursor: nextCursorSchema }),
    },
  ),
  archive,
  threads: documented(
    guestProcedure
      .input(threadListParams)
      .query(({ ctx, input }) => ctx.readLarge(() => listThreads(ctx, input.boardId, input.cursor))),
    {
      path: THREADS,
      summary:
        'Lists 50 threads with their 5 newest comments: pinned threads first on the first page, then by latest activity',
      answer: z.object({ threads: z.array(threadSchema), nextCursor: nextCursorSchema }),
    },
  ),
  // Sends the comments as one string: superjson visits every value of objects, which takes 130 ms for many quotes.
  thread: documented(
    guestProcedure
      .input(threadParams)
      .query(({ ctx, input }) =>
        ctx.readLarge(async () => packThread(await readThread(ctx, input.boardId, input.threadId))),
      ),
    {
      path: `${THREADS}/:threadId`,
      summary: 'Reads a thread with all comments and replies',
      answer: z.object({ thread: threadSchema }),
      respond: (packed) => ({ thread: unpackThread(packed).thread }),
    },
  ),
  // For the site's own pages: HTML in the language of the page.
  shownBoard: guestProcedure
    .input(threadListParams)
    .query(({ ctx, input: { boardId, cursor } }) => show(ctx, () => readBoardPage(ctx, boardId, cursor), renderBoard)),
  shownOverboard: guestProcedure
    .input(overboardParams)
    .query(({ ctx, input }) => show(ctx, () => readOverboard(ctx, input.cursor), renderOverboard)),
  shownCatalog: guestProcedure.input(shownCatalogParams).query(({ ctx, input }) =>
    show(
      ctx,
      () => readCatalog(ctx, input.boardId),
      (page) => renderCatalog(page, input),
    ),
  ),
  shownThread: guestProcedure
    .input(threadParams)
    .query(({ ctx, input: { boardId, threadId } }) =>
      show(ctx, () => readThread(ctx, boardId, threadId), renderThread),
    ),
  shownPost: guestProcedure.input(shownPostParams).query(async ({ ctx, input }) => {
    const post = (await readEventPosts(ctx, [input.postId]))?.get(input.postId)
    return post ? inLanguage(ctx.language, () => renderPost(post, input.pageId)) : null
  }),
  postForm,
  createThread: documented(
    guestProcedure
      .input(boardParams.and(threadForm))
      .use(named)
      .use(rateLimited('thread', postStorageUse))
      .mutation(({ ctx, input }) => createThread(ctx, input.boardId, input)),
    {
      path: THREADS,
      summary: 'Creates a thread. Browsers without script are redirected to it.',
      ...posting('thread', threadSchema),
    },
  ),
  deleteThread: deleting('thread', `${THREADS}/:threadId`, threadParams.extend(deletion)),

  createComment: documented(
    guestProcedure
      .input(threadParams.and(commentForm))
      .use(named)
      .use(rateLimited('post', postStorageUse))
      .mutation(({ ctx, input }) => createComment(ctx, input, input)),
    {
      path: COMMENTS,
      summary: 'Adds a comment to a thread. Browsers without script are redirected to it.',
      ...posting('comment', commentSchema),
    },
  ),
  deleteComment: deleting('comment', `${COMMENTS}/:commentId`, commentParams.extend(deletion)),

  createReply: documented(
    guestProcedure
      .input(commentParams.and(commentForm))
      .use(named)
      .use(rateLimited('post', postStorageUse))
      .mutation(({ ctx, input }) => createReply(ctx, input, input)),
    {
      path: REPLIES,
      summary: 'Replies to a comment. Browsers without script are redirected to the reply.',
      ...posting('reply', postSchema),
    },
  ),
  updates: documented(
    guestProcedure
      .input(threadUpdatesParams)
      .query(({ ctx, input }) => withLastEventId(ctx, () => readThreadUpdates(ctx, input.threads))),
    {
      path: '/api/dtpchan/updates',
      summary: 'Reads what is new in up to 50 threads, for readers who follow them',
      answer: threadUpdatesSchema,
    },
  ),
  watching: watchingRouter,
  post: documented(
    guestProcedure.input(postParams).query(({ ctx, input }) => readQuotedPost(ctx, input.postId)),
    {
      path: '/api/dtpchan/posts/:postId',
      summary: 'Reads a published post',
      answer: z.object({ post: quotedPostSchema }),
    },
  ),
  importedId: guestProcedure.input(importedPostParams).query(({ ctx, input }) => findImportedId(ctx, input)),
  postStatus,
  deleteReply: deleting('reply', `${REPLIES}/:replyId`, replyParams.extend(deletion)),
})
