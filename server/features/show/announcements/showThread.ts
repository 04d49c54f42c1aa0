import { and, desc, eq, isNull } from 'drizzle-orm'
import { board, broadcast, thread } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { threadPath } from '#src/contract/thread.ts'

/** Returns the path of the thread of the broadcast that is running on a station. */
export async function readLiveThread({ db }: Pick<Services, 'db'>, stationId: number): Promise<string | null> {
  const [place] = await db
    .select({ boardId: board.id, threadId: thread.id })
    .from(broadcast)
    .innerJoin(thread, eq(thread.id, broadcast.threadId))
    .innerJoin(board, eq(board.id, thread.boardId))
    .where(
      and(
        eq(broadcast.stationId, stationId),
        isNull(broadcast.endedAt),
        isNull(thread.deletedAt),
        isNull(board.deletedAt),
      ),
    )
    .orderBy(desc(broadcast.id))
    .limit(1)
  return place ? threadPath(place.boardId, place.threadId) : null
}
