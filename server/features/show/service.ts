import { asc, eq } from 'drizzle-orm'
import { show, streamer } from '#db/schema/index.ts'
import type { SessionUser } from '#server/core/auth/sessions.ts'
import type { Services } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { findSpanError, type OccurrenceView, type ShowView, scheduleLimits } from '#src/contract/show.ts'
import { listOccurrences } from './occurrences.ts'
import { isOnSchedule, readShows } from './queries.ts'

type Reader = Pick<Services, 'db' | 'now'>

const DAY_MS = 24 * 60 * 60 * 1000

/** Lists what takes place in a span, earliest first. @throws AppError 400 for a span that is empty or too long */
export async function readSchedule(
  { db, now }: Reader,
  { from = now(), to = new Date(from.getTime() + scheduleLimits.defaultDays * DAY_MS) }: { from?: Date; to?: Date },
): Promise<OccurrenceView[]> {
  const error = findSpanError({ from, to })
  if (error) throw errors.badRequest(error)
  const shows = await readShows(db, isOnSchedule(from))
  // Limits the size of the answer, because each occurrence has the texts of its show.
  return listAll(shows, from, to).slice(0, scheduleLimits.occurrences)
}

export const listAll = (shows: ShowView[], from: Date, to: Date): OccurrenceView[] =>
  shows
    .flatMap((show) =>
      listOccurrences(show, from, to).map(({ startsAt, endsAt }): OccurrenceView => ({ startsAt, endsAt, show })),
    )
    .sort((a, b) => a.startsAt.getTime() - b.startsAt.getTime() || a.show.id - b.show.id)

/** Returns the shows that a user may edit, and the streamers whose shows the user may plan. */
export async function readEditableShows(
  { db }: Pick<Services, 'db'>,
  { id, role }: SessionUser,
): Promise<{ shows: ShowView[]; streamers: string[] }> {
  const isAdmin = role === 'admin'
  const [shows, streamers] = await Promise.all([
    readShows(db, isAdmin ? undefined : eq(show.userId, id)),
    db
      .select({ name: streamer.name, disabled: streamer.disabled })
      .from(streamer)
      .where(isAdmin ? undefined : eq(streamer.userId, id))
      .orderBy(asc(streamer.name)),
  ])
  return { shows, streamers: streamers.filter(({ disabled }) => !disabled).map(({ name }) => name) }
}
