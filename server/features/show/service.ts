import { and, asc, eq, gte, or, type SQL, sql } from 'drizzle-orm'
import type { Database, Transaction } from '#db/client.server.ts'
import { pick } from '#db/schema/columns.ts'
import { type StoredImage, show, streamer } from '#db/schema/index.ts'
import type { SessionUser } from '#server/core/auth/sessions.ts'
import { cacheFor } from '#server/core/cache/cacheFor.ts'
import type { Services } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { fileView } from '#server/core/storage/imageFiles.ts'
import {
  findSpanError,
  type OccurrenceView,
  type ShowTiming,
  type ShowView,
  scheduleLimits,
  showSchema,
  type UpcomingShows,
} from '#src/contract/show.ts'
import { listOccurrences } from './occurrences.ts'

const DAY_MS = 24 * 60 * 60 * 1000

const timingColumns = {
  zone: show.zone,
  firstDay: show.firstDay,
  startTime: show.startTime,
  minutes: show.minutes,
  isWeekly: show.isWeekly,
  lastDay: show.lastDay,
}

const { streamer: _streamer, ...ownFields } = showSchema.shape
const showColumns = { ...pick(show, ownFields), streamer: streamer.name }

type ShowRow = Omit<ShowView, 'image'> & { image: StoredImage | null }

const toShowView = ({ image, ...row }: ShowRow): ShowView => ({
  ...row,
  image: image && { ...fileView(image), preview: fileView(image.preview), display: fileView(image.display) },
})

/** Shows that may still take place, of streamers who may stream. Zones are at most a day away from UTC. */
export function isOnSchedule(from: Date, condition?: SQL): SQL | undefined {
  const day = new Date(from.getTime() - 2 * DAY_MS).toISOString().slice(0, 10)
  const lastDay = sql`case when ${show.isWeekly} then ${show.lastDay} else ${show.firstDay} end`
  return and(eq(streamer.disabled, false), or(sql`${lastDay} is null`, gte(lastDay, day)), condition)
}

export async function readShows(db: Database | Transaction, condition: SQL | undefined): Promise<ShowView[]> {
  const rows = await db
    .select(showColumns)
    .from(show)
    .innerJoin(streamer, eq(streamer.userId, show.userId))
    .where(condition)
    .orderBy(asc(show.id))
  return rows.map(toShowView)
}

export const readTimings = (
  db: Database | Transaction,
  condition: SQL | undefined,
): Promise<(ShowTiming & { title: string })[]> =>
  db
    .select({ title: show.title, ...timingColumns })
    .from(show)
    .innerJoin(streamer, eq(streamer.userId, show.userId))
    .where(condition)
    .orderBy(asc(show.id))

type Reader = Pick<Services, 'db' | 'now'>

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

const listAll = (shows: ShowView[], from: Date, to: Date): OccurrenceView[] =>
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

/** All open players ask once a minute: they share one answer for this time, in ms. */
const MAX_AGE_MS = 10_000
const WEEK_MS = scheduleLimits.defaultDays * 24 * 60 * 60 * 1000

/** Returns a function that reads the current and the next show. A change of the schedule applies at once. */
export function createUpcomingShows({
  db,
  cache,
  now,
}: Pick<Services, 'db' | 'cache' | 'now'>): () => Promise<UpcomingShows> {
  async function read(): Promise<UpcomingShows> {
    const from = now()
    const shows = await readShows(db, isOnSchedule(from))
    const occurrences = listAll(shows, from, new Date(from.getTime() + WEEK_MS))
    const isRunning = ({ startsAt }: OccurrenceView) => startsAt <= from
    return {
      current: occurrences.find(isRunning) ?? null,
      next: occurrences.find((occurrence) => !isRunning(occurrence)) ?? null,
    }
  }

  return cacheFor(MAX_AGE_MS, read, {
    now: () => now().getTime(),
    version: () => cache.lastChange(['shows']),
  })
}

declare module '#server/core/context.ts' {
  interface Services {
    upcomingShows: () => Promise<UpcomingShows>
  }
}
