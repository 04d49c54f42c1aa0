import { and, eq } from 'drizzle-orm'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { importedBoard, post } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { COST } from '#server/core/limits/requestCost.ts'
import { fileUrl } from '#server/core/storage/imageFiles.ts'
import { untilBoardsChange } from '#server/features/board/boards/boards.ts'
import { isBoardId, isReservedId } from '#server/features/board/ids.ts'
import { boardPath } from '#src/contract/board.ts'
import { feedPath } from '#src/contract/feeds.ts'
import { SCHEDULE_PATH } from '#src/contract/show.ts'
import { catalogPath, OVERBOARD_PATH, threadPath } from '#src/contract/thread.ts'
import { findImportedImage, findImportedPost } from './importedNumbers.ts'
import { findPlace, isOrWasOnBoard, isShownPost } from './queries.ts'

type OldUrlServices = Pick<Services, 'db' | 'cache' | 'costs' | 'knownBoards' | 'siteContent'>

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
    const withoutSlash = path.replace(/\/$/, '')
    // The footer links the operator's page.
    if ((await services.siteContent()).pages.some(({ slug }) => withoutSlash === `/${slug}`)) return
    const image = await findImage(request, path)
    if (image !== null) return reply.redirect(image, 301)
    if (OLD_OVERBOARD.test(path) && (await readNames()).size > 0) return reply.redirect(OVERBOARD_PATH, 301)
    const feedName = OLD_FEED.exec(path)?.[1]
    const feedBoard = feedName === undefined ? undefined : (await readNames()).get(decodePart(feedName))
    if (feedBoard !== undefined) return reply.redirect(feedPath(boardPath(feedBoard), 'atom'), 301)
    const [isOld, encodedName = '', number] = OLD_URL.exec(withoutSlash) ?? []
    const name = decodePart(encodedName)
    // Pages of this site have no URLs with numbers of posts. An imported board can have the name of a page.
    const isPage = isReservedId(name) && number === undefined
    const boardId = isOld === undefined || isPage ? undefined : (await readNames()).get(name)
    if (boardId === undefined) return
    const isCatalog = path.startsWith('/catalog', encodedName.length + 1)
    const page = isCatalog ? catalogPath(boardId) : boardPath(boardId)
    if (number === undefined) return reply.redirect(page, 301)
    services.costs.charge(request, COST.call)
    // The old numbers of an imported board win over this site's numbers: such URLs come from the old site.
    const found =
      (await findImportedPost(services, name, Number(number))) ??
      (await findPostNumber(services, boardId, Number(number)))
    if (!found) return
    const thread = threadPath(found.boardId, found.threadId)
    // Without a fragment in the redirect, browsers keep the fragment of the old URL.
    return reply.redirect(found.id === found.threadId ? thread : `${thread}#p${found.id}`, 301)
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
  const boards = await ctx.knownBoards()
  const imported = await ctx.db.select().from(importedBoard)
  const live = imported.filter(({ boardId }) => boards.some(({ id }) => id === boardId))
  return new Map([
    ...live.map(({ name, boardId }) => [name, boardId] as const),
    ...boards.map(({ id }) => [id, id] as const),
  ])
}

/** Finds the post or stub with this number on a board, or in a thread that has moved away from it. */
export async function findPostNumber(ctx: Pick<Services, 'db'>, boardId: string, id: number) {
  if (!isBoardId(boardId)) return null
  return findPlace(ctx, and(eq(post.id, id), isShownPost, isOrWasOnBoard(boardId)))
}
