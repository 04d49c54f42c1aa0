import { eq, sql } from 'drizzle-orm'
import { shownPost } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { findBoard } from '#server/features/board/boards/boards.ts'
import { boardLimits } from '#src/contract/board.ts'
import { type CatalogPage, formatCursor } from '#src/contract/thread.ts'
import { excerptSource } from '#src/lib/excerpt.ts'
import { pick, threadColumns } from './queries.ts'
import { selectBoardThreads } from './threadRows.ts'
import { catalogView } from './view.ts'

const openingColumns = {
  createdAt: shownPost.createdAt,
  image: shownPost.image,
  moreImages: shownPost.moreImages,
  spoiler: shownPost.spoiler,
  stub: shownPost.stub,
}

/**
 * Lists the pinned and the most recently active threads of a board, with the beginning of their opening posts.
 * @throws AppError 404 'Board not found'
 */
export async function readCatalog(ctx: Pick<Services, 'db'>, boardId: string): Promise<CatalogPage> {
  const { board, lastEventId } = await findBoard(ctx, boardId)
  const limit = boardLimits.catalogThreads
  const page = selectBoardThreads(ctx, boardId, { after: null, limit: limit + 1 })
  // The limit makes the planner look up each opening post instead of reading all posts.
  const opening = ctx.db
    .select({ ...openingColumns, content: sql<string>`left(${shownPost.content}, ${excerptSource})`.as('content') })
    .from(shownPost)
    .where(eq(shownPost.id, page.id))
    .limit(1)
    .as('opening')
  const rows = await ctx.db
    .select({
      head: pick(page, threadColumns),
      opening: { ...pick(opening, openingColumns), content: opening.content },
    })
    .from(page)
    .innerJoinLateral(opening, sql`true`)
    .orderBy(sql`${page.pinned} desc, ${page.lastActivity} desc, ${page.id} desc`)
  const listed = rows.slice(0, limit)
  const last = listed.at(-1)?.head
  return {
    board,
    threads: listed.map(({ head, opening }) => catalogView(head, opening)),
    nextCursor: last && rows.length > limit ? formatCursor(last) : null,
    lastEventId,
  }
}
