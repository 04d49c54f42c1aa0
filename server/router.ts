import { createCallerFactory, router } from './core/rpc/procedures.ts'
import { authRouter } from './features/auth/calls.ts'
import { boardRouter } from './features/board/calls.ts'
import { imageRouter } from './features/image/calls.ts'
import { moderationRouter } from './features/moderation/moderationCalls.ts'
import { newsRouter } from './features/news/calls.ts'
import { pasteRouter } from './features/paste/calls.ts'
import { programRouter } from './features/program/calls.ts'
import { radioRouter } from './features/radio/calls.ts'
import { songRequestRouter } from './features/radio/library/requests/calls.ts'
import { liveRouter } from './features/radio/mix/calls.ts'
import { archiveRouter, recordingRouter } from './features/radio/record/calls.ts'
import { searchRouter } from './features/search/calls.ts'
import { showRouter } from './features/show/calls.ts'
import { siteRouter } from './features/site/calls.ts'
import { streamerRouter } from './features/streamer/calls.ts'

export const appRouter = router({
  archive: archiveRouter,
  auth: authRouter,
  board: boardRouter,
  image: imageRouter,
  live: liveRouter,
  moderation: moderationRouter,
  news: newsRouter,
  paste: pasteRouter,
  program: programRouter,
  radio: radioRouter,
  recording: recordingRouter,
  search: searchRouter,
  show: showRouter,
  site: siteRouter,
  streamer: streamerRouter,
  songRequest: songRequestRouter,
})

export type AppRouter = typeof appRouter

/** Calls procedures without HTTP, for server-rendered pages and the REST API. */
export const createCaller = createCallerFactory(appRouter)
export type Caller = ReturnType<typeof createCaller>
