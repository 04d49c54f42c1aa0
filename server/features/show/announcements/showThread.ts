import { and, desc, eq, isNotNull, isNull } from 'drizzle-orm'
import { board, broadcast, thread } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { threadPath } from '#src/contract/thread.ts'

type Reader = Pick<Services, 'db'>

/** Returns the path of the thread that discusses a broadcast, or null if there is none, or a moderator deleted it. */
export async function readShowThread({ db }: Reader, broadcastId: number): Promise<string | null> {
  return toPath(await select(db).where(and(eq(broadcast.id, broadcastId), isShown)))
}

/** Returns the path of the thread of the broadcast that is running on a station. */
export async function readLiveThread({ db }: Reader, stationId: number): Promise<string | null> {
  const isRunning = and(eq(broadcast.stationId, stationId), isNull(broadcast.endedAt))
  const found = select(db).where(and(isRunning, isNotNull(broadcast.threadId), isShown))
  return toPath(await found.orderBy(desc(broadcast.id)).limit(1))
}

const isShown = and(isNull(thread.deletedAt), isNull(board.deletedAt))

const select = (db: Services['db']) =>
  db
    .select({ boardId: board.id, threadId: thread.id })
    .from(broadcast)
    .innerJoin(thread, eq(thread.id, broadcast.threadId))
    .innerJoin(board, eq(board.id, thread.boardId))
    .$dynamic()

const toPath = ([place]: { boardId: string; threadId: number }[]): string | null =>
  place ? threadPath(place.boardId, place.threadId) : null
