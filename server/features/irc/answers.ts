import { and, desc, eq, isNotNull, isNull } from 'drizzle-orm'
import { broadcast, thread } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { isLive } from '#server/features/board/read/queries.ts'
import { listLatestThreads } from '#server/features/board/read/threadLists.ts'
import { STATION_ID } from '#server/features/radio/types.ts'
import { readSchedule } from '#server/features/show/service.ts'
import { SCHEDULE_PATH } from '#src/contract/show.ts'
import { threadPath } from '#src/contract/thread.ts'
import { describeShow } from './announcements/shows.ts'
import { describeStreamer, describeTrack } from './announcements/tracks.ts'
import { cleanAndCut } from './cleanText.ts'
import { ircLimits, ircTexts } from './texts.ts'

const HOUR_MS = 60 * 60 * 1000
const DAY_MS = 24 * HOUR_MS
/** Limits the search of `!next`. */
const MAX_AHEAD_MS = 60 * DAY_MS

async function readCurrentTrack({ radio }: Pick<Services, 'radio'>) {
  const { song, live } = await radio.nowPlaying(STATION_ID)
  const track = describeTrack(song)
  return track && { track, streamer: describeStreamer(live) }
}

export async function describeCurrentTrack(services: Pick<Services, 'radio' | 'config'>): Promise<string> {
  const current = await readCurrentTrack(services)
  if (!current) return ircTexts.noTrack
  return ircTexts.nowPlaying(current.track, current.streamer, `${services.config.siteUrl}${SCHEDULE_PATH}`)
}

export async function describeTrackToKeep(services: Pick<Services, 'radio' | 'config'>): Promise<string> {
  const current = await readCurrentTrack(services)
  return current ? ircTexts.keepTrack(current.track, `${services.config.siteUrl}${SCHEDULE_PATH}`) : ircTexts.noTrack
}

export async function describeNextShow(services: Pick<Services, 'db' | 'config' | 'now'>): Promise<string> {
  const from = services.now()
  const coming = await readSchedule(services, { from, to: new Date(from.getTime() + MAX_AHEAD_MS) })
  const next = coming.find(({ startsAt }) => startsAt > from)
  if (!next) return ircTexts.noShow
  const url = `${services.config.siteUrl}${SCHEDULE_PATH}`
  return ircTexts.next(describeShow(next.show), formatStart(next.startsAt, from), url)
}

const startFormat = new Intl.DateTimeFormat('en-GB', {
  ...{ weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', timeZone: 'UTC' },
})

/** Formats a time in UTC with the time until then, because the readers live in many time zones. */
export function formatStart(startsAt: Date, now: Date): string {
  const ms = startsAt.getTime() - now.getTime()
  const minutes = Math.max(1, Math.round(ms / 60_000))
  const wait =
    ms < HOUR_MS
      ? `${minutes} min`
      : ms < 2 * DAY_MS
        ? `${Math.round(ms / HOUR_MS)} h`
        : `${Math.round(ms / DAY_MS)} days`
  return `${startFormat.format(startsAt)} UTC (in ${wait})`
}

/** Describes the thread of the show that is on air, or else the thread with the latest post. */
export async function describeThread(services: Pick<Services, 'db' | 'config'>): Promise<string> {
  const { db, config } = services
  const [own] = await db
    .select({ id: thread.id, boardId: thread.boardId, title: thread.title })
    .from(broadcast)
    .innerJoin(thread, eq(thread.id, broadcast.threadId))
    .where(and(isNull(broadcast.endedAt), isNotNull(broadcast.threadId), isLive))
    .orderBy(desc(broadcast.id))
    .limit(1)
  const [found] = own ? [own] : await listLatestThreads(services, 1)
  if (!found) return ircTexts.noThread
  const url = `${config.siteUrl}${threadPath(found.boardId, found.id)}`
  const title = cleanAndCut(found.title, ircLimits.title)
  return own ? ircTexts.showThread(title, url) : ircTexts.latestThread(found.boardId, title, url)
}
