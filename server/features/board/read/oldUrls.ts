import { and, eq } from 'drizzle-orm'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { post } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { COST } from '#server/core/limits/requestCost.ts'
import { fileUrl } from '#server/core/storage/imageFiles.ts'
import { listBoards } from '#server/features/board/boards/boards.ts'
import { isBoardId, isReservedId, parsePostId } from '#server/features/board/ids.ts'
import { boardPath } from '#src/contract/board.ts'
import { feedPath } from '#src/contract/feeds.ts'
import { SCHEDULE_PATH } from '#src/contract/show.ts'
import { catalogPath, OVERBOARD_PATH, threadPath } from '#src/contract/thread.ts'
import { findImportedImage, findImportedPost, listImportedNames } from './importedNumbers.ts'
import { findPlace } from './queries.ts'
import { isOrWasOnBoard, isShownPost } from './threadConditions.ts'

type OldUrlServices = Pick<Services, 'db' | 'cache' | 'costs'>

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
  const readNames = createBoardsReader(services.cache, () => readBoardNames(services))

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
    const page = path.includes('/catalog') ? catalogPath(boardId) : boardPath(boardId)
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
async function readBoardNames(ctx: Pick<Services, 'db'>): Promise<Map<string, string>> {
  const [imported, boards] = await Promise.all([listImportedNames(ctx), listBoards(ctx)])
  return new Map([
    ...imported.map(({ name, boardId }) => [name, boardId] as const),
    ...boards.map(({ id }) => [id, id] as const),
  ])
}

/**
 * Keeps what a query reads in memory until the boards change, because it is needed for every unknown URL. Without the
 * database, returns what was read before.
 */
export function createBoardsReader<Value>(
  cache: Services['cache'],
  read: () => Promise<Map<string, Value>>,
): () => Promise<ReadonlyMap<string, Value>> {
  let current: Promise<ReadonlyMap<string, Value>> = Promise.resolve(new Map())
  let revision = -1
  return () => {
    const latest = cache.lastChange(['boards'])
    if (latest === revision) return current
    revision = latest
    const previous = current
    current = read().catch(() => {
      revision = -1
      return previous
    })
    return current
  }
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
