import type { FastifyInstance } from 'fastify'
import type { Services } from '#server/core/context.ts'
import { COST } from '#server/core/limits/requestCost.ts'
import { boardPath, catalogPath, threadPath } from '#src/contract/boardPaths.ts'
import { SCHEDULE_PATH } from '#src/contract/show.ts'
import { listBoards } from './boards.ts'
import { isReservedId } from './ids.ts'
import { findImportedPost, listImportedNames } from './importedNumbers.ts'
import { findPostNumber } from './postNumbers.ts'

type OldUrlServices = Pick<Services, 'db' | 'cache' | 'costs'>

/** URLs of boards and threads on sites that run the software of 4chan or vichan. A thread's URL may have its title. */
const OLD_URL =
  /^\/([^/]+)(?:\/(?:index\.html|catalog(?:\.html)?|\d{1,4}(?:\.html)?|(?:thread|res)\/([1-9]\d{0,14})(?:-[^/]*)?(?:\+50)?(?:\.html|\/[^/]*)?)?)?$/

/** Routes of unknown URLs, for pages and for calls. */
const CATCH_ALL = new Set(['/*', '/api/*'])

/** Redirects the URLs of a site that moved here to their pages. All other routes of the site win. */
export function registerOldUrls(app: FastifyInstance, services: OldUrlServices): void {
  const readNames = createNameReader(services)

  app.addHook('onRequest', async (request, reply) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (!isRead || (!CATCH_ALL.has(request.routeOptions.url ?? '') && !request.is404)) return
    const [path = ''] = request.url.split('?')
    // Sites had a board of this name before the page, so the name is not reserved.
    if (path === SCHEDULE_PATH) return
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
}

/** Decodes a part of a path. Returns an empty text if it is not valid. */
function decodePart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return ''
  }
}

/**
 * Keeps the ids of boards in memory, by their ids and the names of imported boards, because every unknown URL is looked
 * up. Without the database, returns the previous ids.
 */
function createNameReader({ db, cache }: OldUrlServices): () => Promise<ReadonlyMap<string, string>> {
  let names: ReadonlyMap<string, string> = new Map()
  let revision = -1
  return async () => {
    const latest = cache.lastChange(['boards'])
    if (latest === revision) return names
    const read = Promise.all([listImportedNames({ db }), listBoards({ db })])
    const [imported, boards] = await read.catch(() => [null, null])
    if (!imported || !boards) return names
    revision = latest
    names = new Map([
      ...imported.map(({ name, boardId }) => [name, boardId] as const),
      ...boards.map(({ id }) => [id, id] as const),
    ])
    return names
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
