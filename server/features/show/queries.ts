import { and, asc, eq, gte, or, type SQL, sql } from 'drizzle-orm'
import type { Database, Transaction } from '#db/client.server.ts'
import { pick } from '#db/schema/columns.ts'
import { type StoredImage, show, streamer } from '#db/schema/index.ts'
import { fileView } from '#server/core/storage/imageFiles.ts'
import { type ShowTiming, type ShowView, showSchema } from '#src/contract/show.ts'

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
