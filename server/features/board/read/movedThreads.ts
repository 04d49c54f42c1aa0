import { eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { movedThread, thread } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { createBoardsReader } from './oldUrls.ts'

/** URLs of a thread: its page with feeds, its calls, the form of its comments, and its JSON as on 4chan. */
const THREAD_URLS = [
  /^(\/dtpchan\/board\/|\/api\/dtpchan\/boards\/)([a-z0-9-]{1,40})(\/threads?\/|\/post\?(?:.*&)?thread=)([1-9]\d{0,14})(?=[/?&]|$)/,
  // Other URLs below `/{board}/` can have the numbers of an old site: oldUrls.ts redirects them.
  /^(\/)([a-z0-9-]{1,40})(\/(?:thread|res)\/)([1-9]\d{0,14})(?=\.json)/,
]

/**
 * Redirects the URLs that a thread had on other boards, before anything reads a body or spends a captcha. Browsers repeat
 * other methods than GET with their body (308). The thread can come back, so that browsers must not keep the redirect.
 */
export function registerMovedThreads(app: FastifyInstance, { db, cache }: Pick<Services, 'db' | 'cache'>): void {
  const readMoved = createBoardsReader(cache, async () => {
    const rows = await db
      .select({ id: thread.id, from: movedThread.boardId, boardId: thread.boardId })
      .from(movedThread)
      .innerJoin(thread, eq(thread.id, movedThread.threadId))
    return new Map(rows.map(({ id, from, boardId }) => [`${from}/${id}`, boardId]))
  })
  app.addHook('onRequest', async ({ url, method }, reply) => {
    const pattern = THREAD_URLS.find((one) => one.test(url))
    if (!pattern) return
    const [, start, boardId = '', kind, id = ''] = pattern.exec(url) ?? []
    const current = (await readMoved()).get(`${boardId}/${id}`)
    if (current === undefined || current === boardId) return
    const isRead = method === 'GET' || method === 'HEAD'
    const target = url.replace(pattern, () => `${start}${current}${kind}${id}`)
    // Pages of other sites read the JSON.
    if (isRead) reply.header('access-control-allow-origin', '*')
    return reply.header('cache-control', 'no-cache').redirect(target, isRead ? 301 : 308)
  })
}
