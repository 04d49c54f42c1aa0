import { and, eq } from 'drizzle-orm'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { movedThread, post, thread } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { COST } from '#server/core/limits/requestCost.ts'
import { fileUrl } from '#server/core/storage/imageFiles.ts'
import { untilBoardsChange } from '#server/features/board/boards/boards.ts'
import { isBoardId, isReservedId, parsePostId } from '#server/features/board/ids.ts'
import { boardPath } from '#src/contract/board.ts'
import { feedPath } from '#src/contract/feeds.ts'
import { SCHEDULE_PATH } from '#src/contract/show.ts'
import { catalogPath, OVERBOARD_PATH, threadPath } from '#src/contract/thread.ts'
import { findImportedImage, findImportedPost, listImportedNames } from './importedNumbers.ts'
import { findPlace } from './queries.ts'
import { isOrWasOnBoard, isShownPost } from './threadConditions.ts'

type OldUrlServices = Pick<Services, 'db' | 'cache' | 'costs' | 'knownBoards'>

/** URLs of boards and threads on sites that run the software of 4chan or vichan. A thread's URL may have its title. */
const OLD_URL =
  /^\/([^/]+)(?:\/(?:index\.html|catalog(?:\.html)?|\d{1,4}(?:\.html)?|(?:thread|res)\/([1-9]\d{0,14})(?:-[^/]*)?(?:\+50)?(?:\.html|\/[^/]*)?)?)?$/

/**
 * URLs of images: `/b/src/1.png` and `/b/thumb/1.jpg` of vichan, `/file/1.png` and `/file/thumb/1.jpg` of jschan,
 * `/.media/1.png` and `/.media/t_1` of LynxChan.
 */
const OLD_IMAGE =
  /^\/(?:(?!file\/|\.media\/)([^/]+)\/(?:src|(thumb))\/|(file)\/(thumb\/)?|(\.media)\/(t_)?)([\w-]{1,200})(?:\.\w{1,8})?$/
const OLD_FEED = /^\/([^/]+)\/index\.rss$/
/** Pages with the threads of all boards. */
const OLD_OVERBOARD = /^\/(?:catalog|overboard)\.html$/

/** Routes of unknown URLs, for pages and for calls. */
const CATCH_ALL = new Set(['/*', '/api/*'])

/** Redirects the URLs of a site that moved here to their pages. All other routes of the site win. */
export function registerOldUrls(app: FastifyInstance, services: OldUrlServices): void {
  const names = untilBoardsChange(services.cache, () => readBoardNames(services))
  const readNames = () => names().catch(() => new Map<string, string>())

  app.addHook('onRequest', async (request, reply) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (!isRead || (!CATCH_ALL.has(request.routeOptions.url ?? '') && !request.is404)) return
    const [path = ''] = request.url.split('?')
    // Sites had a board of this name before the page, so the name is not reserved.
    if (path === SCHEDULE_PATH) return
    const image = await findImage(request, path)
    if (image !== null) return reply.redirect(image, 301)
    if (OLD_OVERBOARD.test(path) && (await readNames()).size > 0) return reply.redirect(OVERBOARD_PATH, 301)
    const feedName = OLD_FEED.exec(path)?.[1]
    const feedBoard = feedName === undefined ? undefined : (await readNames()).get(decodePart(feedName))
    if (feedBoard !== undefined) return reply.redirect(feedPath(boardPath(feedBoard), 'atom'), 301)
    const [isOld, encodedName = '', number] = OLD_URL.exec(path.replace(/\/$/, '')) ?? []
    const name = decodePart(encodedName)
    // Pages of this site have no URLs with numbers of posts. An imported board can have the name of a page.
    const isPage = isReservedId(name) && number === undefined
    const boardId = isOld === undefined || isPage ? undefined : (await readNames()).get(name)
    if (boardId === undefined) return
    const isCatalog = path.startsWith('/catalog', encodedName.length + 1)
    const page = isCatalog ? catalogPath(boardId) : boardPath(boardId)
    if (number === undefined) return reply.redirect(page, 301)
    services.costs.charge(request, COST.call)
    const target = await findPostPath(services, { name, boardId, number })
    if (target !== null) return reply.redirect(target, 301)
  })

  async function findImage(request: FastifyRequest, path: string): Promise<string | null> {
    const [, board, vichanThumb, files, jschanThumb, media, lynxchanThumb, stem] = OLD_IMAGE.exec(path) ?? []
    if (stem === undefined) return null
    // jschan and LynxChan have one folder for all boards.
    const name = files ?? media ?? decodePart(board ?? '')
    if (board !== undefined && !(await readNames()).has(name)) return null
    services.costs.charge(request, COST.call)
    const image = await findImportedImage(services, `${name}/${stem}`)
    return image && fileUrl((vichanThumb ?? jschanThumb ?? lynxchanThumb) ? image.preview.name : image.name)
  }
}

/** Decodes a part of a path. Returns an empty text if it is not valid. */
function decodePart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return ''
  }
}

/** Reads the ids of boards, by their ids and the names of imported boards. */
async function readBoardNames(ctx: OldUrlServices): Promise<Map<string, string>> {
  const [imported, boards] = await Promise.all([listImportedNames(ctx), ctx.knownBoards()])
  return new Map([
    ...imported.map(({ name, boardId }) => [name, boardId] as const),
    ...boards.map(({ id }) => [id, id] as const),
  ])
}

type OldPost = { name: string; boardId: string; number: string }

/** The old numbers of an imported board win over this site's numbers: such URLs come from the old site. */
async function findPostPath(ctx: Pick<Services, 'db'>, { name, boardId, number }: OldPost): Promise<string | null> {
  const post = (await findImportedPost(ctx, name, number)) ?? (await findPostNumber(ctx, boardId, number))
  if (!post) return null
  const thread = threadPath(post.boardId, post.threadId)
  // Without a fragment in the redirect, browsers keep the fragment of the old URL.
  return post.id === post.threadId ? thread : `${thread}#p${post.id}`
}

/** Finds the post or stub with this number on a board, or in a thread that has moved away from it. */
export async function findPostNumber(ctx: Pick<Services, 'db'>, boardId: string, number: string) {
  const id = parsePostId(number)
  if (id === null || !isBoardId(boardId)) return null
  return findPlace(ctx, and(eq(post.id, id), isShownPost, isOrWasOnBoard(boardId)))
}

/** URLs of a thread: its page with feeds, its calls, the form of its comments, and its JSON as on 4chan. */
const THREAD_URLS = [
  /^(\/dtpchan\/board\/|\/api\/dtpchan\/boards\/)([a-z0-9-]{1,40})(\/threads?\/|\/post\?(?:.*&)?thread=)([1-9]\d{0,14})(?=[/?&]|$)/,
  // Other URLs below `/{board}/` can have the numbers of an old site: `registerOldUrls` redirects them.
  /^(\/)([a-z0-9-]{1,40})(\/(?:thread|res)\/)([1-9]\d{0,14})(?=\.json)/,
]

/**
 * Redirects the URLs that a thread had on other boards, before anything reads a body or spends a captcha. Browsers repeat
 * other methods than GET with their body (308). The thread can come back, so that browsers must not keep the redirect.
 */
export function registerMovedThreads(app: FastifyInstance, { db, cache }: Pick<Services, 'db' | 'cache'>): void {
  const readMoved = untilBoardsChange(cache, async () => {
    const rows = await db
      .select({ id: thread.id, from: movedThread.boardId, boardId: thread.boardId })
      .from(movedThread)
      .innerJoin(thread, eq(thread.id, movedThread.threadId))
    return new Map(rows.map(({ id, from, boardId }) => [`${from}/${id}`, boardId]))
  })
  app.addHook('onRequest', async ({ url, method }, reply) => {
    const pattern = THREAD_URLS.find((one) => one.test(url))
    // Browsers do not follow redirects when they ask whether a script may send a request.
    if (!pattern || method === 'OPTIONS') return
    const [, start, boardId = '', kind, id = ''] = pattern.exec(url) ?? []
    // Without the database, cached pages are still served.
    const moved = await readMoved().catch(() => null)
    const current = moved?.get(`${boardId}/${id}`)
    if (current === undefined || current === boardId) return
    const isRead = method === 'GET' || method === 'HEAD'
    const target = url.replace(pattern, () => `${start}${current}${kind}${id}`)
    // Pages of other sites read the JSON.
    if (isRead) reply.header('access-control-allow-origin', '*')
    return reply.header('cache-control', 'no-cache').redirect(target, isRead ? 301 : 308)
  })
}
