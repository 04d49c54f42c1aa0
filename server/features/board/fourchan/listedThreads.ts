import { and, desc, eq, gt, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import { shownPost } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { findBoard } from '#server/features/board/boards/boards.ts'
import { pick, shownColumns, threadColumns } from '#server/features/board/read/queries.ts'
import { selectBoardThreads } from '#server/features/board/read/threadHeads.ts'
import type { FourchanHead, ListedPostRow } from './fourchanPosts.ts'

type Reader = Pick<Services, 'db'>

export type ListedThread = {
  /** `imageCount` includes the image of the opening post */
  head: FourchanHead & { imageCount: number }
  opening: ListedPostRow
  /** the newest answers, oldest first */
  newest: ListedPostRow[]
}
/** Limits the size of a list: posts after these bytes of text come without a text. */
const MAX_TEXT_BYTES = 2_000_000

type Range = { skip: number; limit: number; answers: number }

/**
 * Reads threads in the order of the board's pages, each with its newest comments and replies.
 * @throws AppError 404 'Board not found'
 */
export async function readListedThreads(
  { db }: Reader,
  boardId: string,
  { skip, limit, answers }: Range,
): Promise<ListedThread[]> {
  await findBoard({ db }, boardId)
  const all = selectBoardThreads({ db }, boardId, { after: null, limit: skip + limit })
  const page = db
    .select(pick(all, threadColumns))
    .from(all)
    .orderBy(desc(all.pinned), desc(all.lastActivity), desc(all.id))
    .limit(limit)
    .offset(skip)
    .as('listed')
  const opening = db.select(shownColumns).from(shownPost).where(eq(shownPost.id, page.id))
  const newest = db
    .select(shownColumns)
    .from(shownPost)
    .where(and(eq(shownPost.threadId, page.id), gt(shownPost.id, page.id)))
    .orderBy(desc(shownPost.id))
    .limit(answers)
  const shown = unionAll(opening, newest).as('shown')
  const order = sql`${page.pinned} desc, ${page.lastActivity} desc, ${page.id} desc, ${shown.id}`
  const before = sql`sum(octet_length(${shown.content})) over (order by ${order}
    rows between unbounded preceding and 1 preceding)`
  const { content: _content, ...others } = shownColumns
  const rows = await db
    .select({
      head: pick(page, threadColumns),
      shown: pick(shown, others),
      content: sql<string | null>`case when coalesce(${before}, 0) < ${MAX_TEXT_BYTES}::int then ${shown.content} end`,
    })
    .from(page)
    .innerJoinLateral(shown, sql`true`)
    .orderBy(order)
  const threads = new Map<number, ListedThread>()
  for (const { head, shown, content } of rows) {
    const row = { ...shown, content }
    const known = threads.get(head.id)
    if (known) known.newest.push(row)
    else threads.set(head.id, { head, opening: row, newest: [] })
  }
  return [...threads.values()].filter(({ head, opening }) => opening.id === head.id)
}
