import { and, asc, desc, eq, not } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import { thread } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { boardLimits } from '#src/contract/board.ts'
import type { ThreadCursor } from '#src/contract/thread.ts'
import { threadColumns } from './queries.ts'
import { isBefore, isLive, isOnBoard } from './threadConditions.ts'

type Reader = Pick<Services, 'db'>
/** `limit` does not include pinned threads */
type Range = { after: ThreadCursor | null; limit: number }

/** A subquery of live threads, to which readers join their posts. */
export type ThreadHeads = ReturnType<typeof selectAllThreads>

/**
 * Selects a board's threads after a cursor by latest activity. Without a cursor, the pinned threads come first; no other
 * page has them.
 */
export function selectBoardThreads({ db }: Reader, boardId: string, { after, limit }: Range): ThreadHeads {
  const pinned = db
    .select(threadColumns)
    .from(thread)
    .where(and(eq(thread.boardId, boardId), thread.pinned, isLive))
    .orderBy(...activity)
    .limit(boardLimits.pinnedThreads)
  const unpinned = db
    .select(threadColumns)
    .from(thread)
    .where(and(isOnBoard(boardId), isLive, not(thread.pinned), after ? isBefore(after) : undefined))
    .orderBy(asc(thread.boardId), ...activity)
    .limit(limit)
  return (after ? unpinned : unionAll(pinned, unpinned)).as('page')
}

/** Selects the threads of all boards after a cursor by latest activity. */
export const selectAllThreads = ({ db }: Reader, { after, limit }: Range) =>
  db
    .select(threadColumns)
    .from(thread)
    .where(and(isLive, after ? isBefore(after) : undefined))
    .orderBy(...activity)
    .limit(limit)
    .as('page')

const activity = [desc(thread.lastActivity), desc(thread.id)]
