import { and, eq, isNull, sql } from 'drizzle-orm'
import { pick } from '#db/schema/columns.ts'
import { board } from '#db/schema/index.ts'
import { cacheFor } from '#server/core/cache/cacheFor.ts'
import type { Services } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { lastEventIdSql } from '#server/core/events/writeAndPublish.ts'
import { isBoardId } from '#server/features/board/ids.ts'
import { type BoardView, boardSchema } from '#src/contract/board.ts'
import { refusal } from '#src/contract/refusal.ts'

/**
 * Emails of a board's moderators, in order of appointment. Uses raw SQL, because Drizzle omits the table in `board.id`.
 */
const moderatorEmails = sql<string[]>`coalesce((
  select json_agg(u.email order by m.created_at, u.email) from moderator m
  join "user" u on u.id = m.user_id where m.board_id = "board"."id"), '[]'::json)`

const { moderators: _moderators, ...ownFields } = boardSchema.shape
export const boardColumns = { ...pick(board, ownFields), moderators: moderatorEmails }

/** The order of the list of boards, which admins can change. */
export const boardOrder = sql`${board.position}, ${board.createdAt}, ${board.id}`

export const listBoards = async ({ db }: Pick<Services, 'db'>): Promise<BoardView[]> =>
  db.select(boardColumns).from(board).where(isNull(board.deletedAt)).orderBy(boardOrder)

declare module '#server/core/context.ts' {
  interface Services {
    /** all boards, in memory until one changes */
    knownBoards: () => Promise<BoardView[]>
  }
}

export const createKnownBoards = ({ db, cache }: Pick<Services, 'db' | 'cache'>): Services['knownBoards'] =>
  untilBoardsChange(cache, () => listBoards({ db }))

/** Returns a function that says whether a board exists. */
export async function createBoardCheck(knownBoards: Services['knownBoards']): Promise<(id: string) => boolean> {
  const ids = new Set((await knownBoards()).map(({ id }) => id))
  return (id) => ids.has(id)
}

/** Returns a function that reads a value again only after a change of the boards. */
export const untilBoardsChange = <T>(cache: Services['cache'], read: () => Promise<T>): (() => Promise<T>) =>
  cacheFor(Number.POSITIVE_INFINITY, read, { version: () => cache.lastChange(['boards']) })

/** @throws AppError 404 'Board not found' */
export async function findBoard({ db }: { db: Pick<Services['db'], 'select'> }, boardId: string) {
  const columns = { board: boardColumns, lastEventId: lastEventIdSql }
  const isFound = and(eq(board.id, boardId), isNull(board.deletedAt))
  const [found] = isBoardId(boardId) ? await db.select(columns).from(board).where(isFound) : []
  if (!found) throw errors.notFound(refusal('board.boardNotFound'))
  return found
}
