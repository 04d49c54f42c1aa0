import { eq } from 'drizzle-orm'
import { show } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { listOccurrences } from './occurrences.ts'

export type ScheduledShow = { id: number; title: string; startsAt: Date; endsAt: Date }

/** Returns the streamer's show that takes place at a time. If shows overlap, the one that started last. */
export async function findScheduledShow(
  { db }: Pick<Services, 'db'>,
  userId: string,
  at: Date,
): Promise<ScheduledShow | null> {
  const rows = await db.select().from(show).where(eq(show.userId, userId))
  const moment = new Date(at.getTime() + 1)
  const shows = rows.flatMap((row) =>
    listOccurrences(row, at, moment).map((times) => ({ id: row.id, title: row.title, ...times })),
  )
  return shows.sort((a, b) => b.startsAt.getTime() - a.startsAt.getTime())[0] ?? null
}
