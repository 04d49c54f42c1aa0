import { and, desc, eq, gt, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import { post } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { findBoard } from '#server/features/board/boards.ts'
import { postColumns, threadColumns } from '#server/features/board/queries.ts'
import { pick, selectBoardThreads } from '#server/features/board/threadHeads.ts'
import type { ThreadRow } from '#server/features/board/view.ts'
import type { ListedPostRow } from './posts.ts'

type Reader = Pick<Services, 'db'>

export type ListedThread = {
  /** `imageCount` includes the image of the opening post */
  head: ThreadRow & { imageCount: number }
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
  const opening = db.select(postColumns).from(post).where(eq(post.id, page.id))
  const newest = db
    .select(postColumns)
    .from(post)
    .where(and(eq(post.threadId, page.id), gt(post.id, page.id)))
    .orderBy(desc(post.id))
    .limit(answers)
  const shown = unionAll(opening, newest).as('shown')
  const order = sql`${page.pinned} desc, ${page.lastActivity} desc, ${page.id} desc, ${shown.id}`
  const before = sql`sum(octet_length(${shown.content})) over (order by ${order}
    rows between unbounded preceding and 1 preceding)`
  const { content: _content, ...others } = postColumns
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
