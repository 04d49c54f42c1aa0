import type { Context } from '#server/core/context.ts'
import { AppError } from '#server/core/errors.ts'
import { findBoard } from '#server/features/board/boards/boards.ts'
import { type FoundThread, findThread } from '#server/features/board/read/queries.ts'
import { readImageShare } from '#server/features/image/service.ts'
import { findPaste } from '#server/features/paste/service.ts'
import { refusal } from '#src/contract/refusal.ts'

type LookUp = (ctx: Context, ...captured: string[]) => Promise<unknown>

/** `missing`: cache key of the 404 page. `thread`: what the page of a thread need not read again. */
export type PageItem = { missing?: string; thread?: FoundThread }

const lookUpThread: LookUp = (ctx, board = '', thread = '') => findThread(ctx, board, thread)

const PAGES: [path: RegExp, lookUp: LookUp][] = [
  [/^\/paste\/([^/]+)(?:\/delete)?$/, (ctx, id = '') => findPaste(ctx, id)],
  [/^\/image-share\/([^/]+)(?:\/delete)?$/, (ctx, id = '') => readImageShare(ctx, id)],
  [/^\/dtpchan\/board\/([^/]+)(?:\/(?:post|catalog|archive))?$/, (ctx, id = '') => findBoard(ctx, id)],
  [/^\/dtpchan\/board\/([^/]+)\/thread\/([^/]+)$/, lookUpThread],
]

/** Returns whether the page shows an item that may not exist. Looking it up first can save rendering a 404 page. */
export const mayBeMissing = (url: string): boolean => findPage(url) !== null

/**
 * Looks up the item of a page. The 404 page depends on the route and the message. That of a missing thread also links to
 * its board, which exists.
 */
export async function findPageItem(ctx: Context, url: string): Promise<PageItem> {
  const page = findPage(url)
  if (!page) return {}
  try {
    const item = await page.lookUp({ ...ctx, isHumanView: false }, ...page.captured)
    return page.lookUp === lookUpThread ? { thread: item as FoundThread } : {}
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'NOT_FOUND' || error.gone) return {}
    const board = error.refusal === refusal('board.threadNotFound') ? ` ${page.captured[0]}` : ''
    return { missing: `${page.route} ${error.message}${board}` }
  }
}

function findPage(url: string) {
  const [path = ''] = url.split('?')
  for (const [route, lookUp] of PAGES) {
    const captured = route.exec(path)?.slice(1).map(decodeURIComponent)
    if (captured) return { route, lookUp, captured }
  }
  return null
}
