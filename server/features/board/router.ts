import { readLastEventId } from '#server/core/events/writeAndPublish.ts'
import { adminProcedure, guestProcedure, memberProcedure, rateLimited, router } from '#server/core/rpc/procedures.ts'
import { imageStorageUse } from '#server/core/storage/storageQuota.ts'
import {
  boardChange,
  boardForm,
  boardMove,
  boardParams,
  commentForm,
  commentParams,
  deletion,
  importedPostParams,
  latestThreadsInput,
  moderatorChange,
  overboardParams,
  postFormParams,
  postParams,
  postStatusParams,
  replyParams,
  threadForm,
  threadListParams,
  threadParams,
} from '#src/contract/boardForms.ts'
import { boardFormMessages } from '#src/contract/boardFormTexts.ts'
import type { UploadedFile } from '#src/contract/image.ts'
import { threadUpdatesParams } from '#src/contract/watchingForms.ts'
import { packThread } from '#src/lib/packedThread.ts'
import { readDayActivity } from './activity.ts'
import { listBoardOverviews } from './boardOverview.ts'
import { changeBoard, moveBoard } from './boardSettings.ts'
import { changeModerator, createBoard, deleteBoard, listBoards } from './boards.ts'
import { readCatalog } from './catalog.ts'
import { findImportedId } from './importedNumbers.ts'
import { listLatestThreads } from './latestThreads.ts'
import { readPostFormPlace } from './postFormPlace.ts'
import { readPostStatus } from './postStatus.ts'
import { createComment, createReply, createThread } from './posts.ts'
import { readQuotedPost } from './quotedPost.ts'
import { deleteComment, deleteReply, deleteThread } from './states/deletePosts.ts'
import { listArchivedThreads } from './threadArchive.ts'
import { listThreads, readBoardPage, readOverboard, readThread } from './threads.ts'
import { readThreadUpdates } from './threadUpdates.ts'
import { watchingRouter } from './watching/watchRouter.ts'

const postStorageUse = ({ image = [] }: { image?: UploadedFile[] }) => imageStorageUse(image)

export const boardRouter = router({
  list: guestProcedure.query(async ({ ctx }) => {
    // Read the event id first: a change during the query is then replayed, not missed.
    const lastEventId = await readLastEventId(ctx)
    return { boards: await listBoards(ctx), lastEventId }
  }),
  overview: guestProcedure.query(async ({ ctx }) => {
    const lastEventId = await readLastEventId(ctx)
    return { boards: await listBoardOverviews(ctx), lastEventId }
  }),
  create: memberProcedure(boardFormMessages.loginRequired)
    .input(boardForm)
    .mutation(({ ctx, input }) => createBoard(ctx, input, ctx.user)),
  delete: memberProcedure()
    .input(boardParams)
    .mutation(({ ctx, input }) => deleteBoard(ctx, input.boardId, ctx.user)),

  change: adminProcedure
    .input(boardParams.and(boardChange))
    .mutation(({ ctx, input }) => changeBoard(ctx, input.boardId, input)),
  move: adminProcedure.input(boardMove).mutation(({ ctx, input }) => moveBoard(ctx, input)),
  changeModerator: adminProcedure
    .input(moderatorChange)
    .mutation(({ ctx, input }) => changeModerator(ctx, input.boardId, input.change, input.email)),

  latest: guestProcedure.input(latestThreadsInput).query(({ ctx, input }) => listLatestThreads(ctx, input.count)),
  activity: guestProcedure.query(({ ctx }) => readDayActivity(ctx)),
  page: guestProcedure
    .input(threadListParams)
    .query(({ ctx, input }) => ctx.readLarge(() => readBoardPage(ctx, input.boardId, input.cursor))),
  catalog: guestProcedure
    .input(boardParams)
    .query(({ ctx, input }) => ctx.readLarge(() => readCatalog(ctx, input.boardId))),
  all: guestProcedure
    .input(overboardParams)
    .query(({ ctx, input }) => ctx.readLarge(() => readOverboard(ctx, input.cursor))),
  archive: guestProcedure
    .input(threadListParams)
    .query(({ ctx, input }) => ctx.readLarge(() => listArchivedThreads(ctx, input.boardId, input.cursor))),
  threads: guestProcedure
    .input(threadListParams)
    .query(({ ctx, input }) => ctx.readLarge(() => listThreads(ctx, input.boardId, input.cursor))),
  // Sends the comments as one string: superjson visits every value of objects, which takes 130 ms for many quotes.
  thread: guestProcedure
    .input(threadParams)
    .query(({ ctx, input }) =>
      ctx.readLarge(async () => packThread(await readThread(ctx, input.boardId, input.threadId))),
    ),
  postForm: guestProcedure.input(postFormParams).query(({ ctx, input }) => readPostFormPlace(ctx, input)),
  createThread: guestProcedure
    .input(boardParams.and(threadForm))
    .use(rateLimited('thread', postStorageUse))
    .mutation(({ ctx, input }) => createThread(ctx, input.boardId, input)),
  deleteThread: guestProcedure
    .input(threadParams.extend(deletion))
    .mutation(({ ctx, input }) => deleteThread(ctx, input)),

  createComment: guestProcedure
    .input(threadParams.and(commentForm))
    .use(rateLimited('post', postStorageUse))
    .mutation(({ ctx, input }) => createComment(ctx, input, input)),
  deleteComment: guestProcedure
    .input(commentParams.extend(deletion))
    .mutation(({ ctx, input }) => deleteComment(ctx, input)),

  createReply: guestProcedure
    .input(commentParams.and(commentForm))
    .use(rateLimited('post', postStorageUse))
    .mutation(({ ctx, input }) => createReply(ctx, input, input)),
  updates: guestProcedure.input(threadUpdatesParams).query(({ ctx, input }) => readThreadUpdates(ctx, input.threads)),
  watching: watchingRouter,
  post: guestProcedure.input(postParams).query(({ ctx, input }) => readQuotedPost(ctx, input.postId)),
  importedId: guestProcedure.input(importedPostParams).query(({ ctx, input }) => findImportedId(ctx, input)),
  postStatus: guestProcedure.input(postStatusParams).query(({ ctx, input }) => readPostStatus(ctx, input)),
  deleteReply: guestProcedure.input(replyParams.extend(deletion)).mutation(({ ctx, input }) => deleteReply(ctx, input)),
})
