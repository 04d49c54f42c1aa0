import type { FastifyInstance } from 'fastify'
import { sendCachedText } from '#server/core/cache/cachedText.ts'
import type { Services } from '#server/core/context.ts'
import { type Calendar, writeCalendar } from '#server/core/http/iCalendar.ts'
import { CALENDAR_PATH, SCHEDULE_PATH, scheduleLimits } from '#src/contract/show.ts'
import { listOccurrences } from './occurrences.ts'
import { isOnSchedule, readShows } from './service.ts'

const WEEK_MS = 7 * 24 * 60 * 60 * 1000

export function registerCalendar(app: FastifyInstance, services: Services, siteName: string): void {
  app.get(CALENDAR_PATH, (request, reply) =>
    sendCachedText(services, request, reply, async () => ({
      text: writeCalendar(await createCalendar(services, siteName)),
      headers: {
        'content-type': 'text/calendar; charset=utf-8',
        'content-disposition': 'inline; filename="schedule.ics"',
      },
    })),
  )
}

/**
 * Lists each time of the shows in UTC. A rule with a time zone would be shorter, but calendars bring their own rules of
 * summer time, which would not always agree with the schedule.
 */
async function createCalendar({ db, now, config }: Services, siteName: string): Promise<Calendar> {
  const time = now().getTime()
  const from = new Date(time - scheduleLimits.calendarPastWeeks * WEEK_MS)
  const to = new Date(time + scheduleLimits.calendarWeeks * WEEK_MS)
  const shows = await readShows(db, isOnSchedule(from))
  return {
    page: `${config.siteUrl}${SCHEDULE_PATH}`,
    title: `${siteName} radio`,
    events: shows.flatMap((show) =>
      listOccurrences(show, from, to).map(({ day, startsAt, endsAt }) => ({
        // A show that starts earlier or later stays the same event.
        id: `show-${show.id}-${day}@${new URL(config.siteUrl).host}`,
        title: `${show.title} with ${show.streamer}`,
        description: show.description,
        startsAt,
        endsAt,
        updatedAt: show.updatedAt,
      })),
    ),
  }
}
