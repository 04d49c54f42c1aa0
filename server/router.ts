import { createCallerFactory, router } from './core/rpc/procedures.ts'
import { authRouter } from './features/auth/router.ts'
import { boardRouter } from './features/board/router.ts'
import { imageRouter } from './features/image/router.ts'
import { moderationRouter } from './features/moderation/moderationRouter.ts'
import { newsRouter } from './features/news/router.ts'
import { pasteRouter } from './features/paste/router.ts'
import { programRouter } from './features/program/router.ts'
import { archiveRouter } from './features/radio/archive/router.ts'
import { liveRouter } from './features/radio/live/router.ts'
import { recordingRouter } from './features/radio/recordings/router.ts'
import { songRequestRouter } from './features/radio/requests/router.ts'
import { radioRouter } from './features/radio/router.ts'
import { searchRouter } from './features/search/router.ts'
import { showRouter } from './features/show/router.ts'
import { siteRouter } from './features/site/router.ts'
import { streamerRouter } from './features/streamer/router.ts'

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
