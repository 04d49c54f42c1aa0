import type { Head } from '#pages/head.ts'
import { type OccurrenceView, SCHEDULE_PATH } from '#src/contract/show.ts'
import { t } from '#src/i18n/t.ts'
import { createStructuredData, type StructuredData } from '#src/lib/structuredData.ts'
import type { Data } from './+data.ts'

/** Limits the page size. */
const MAX_EVENTS = 20

/** Describes the coming shows to search engines. */
const scheduleStructuredData = (occurrences: OccurrenceView[], siteName: string, siteUrl: string): StructuredData[] =>
  occurrences.slice(0, MAX_EVENTS).map(({ startsAt, endsAt, show }) =>
    createStructuredData('BroadcastEvent', {
      name: show.title,
      ...(show.description && { description: show.description }),
      ...(show.image && { image: `${siteUrl}${show.image.display.url}` }),
      startDate: startsAt.toISOString(),
      endDate: endsAt.toISOString(),
      isLiveBroadcast: true,
      url: `${siteUrl}${SCHEDULE_PATH}`,
      performer: { '@type': 'Person', name: show.streamer },
      publishedOn: {
        '@type': 'BroadcastService',
        name: siteName,
        broadcastDisplayName: siteName,
        url: `${siteUrl}${SCHEDULE_PATH}`,
      },
    }),
  )

export default {
  title: () => t('show.pageTitle'),
  description: () => t('show.description'),
  failure: () => t('show.loadFailed'),
  // Browsers do not load this code.
  structuredData: import.meta.env.SSR
    ? ({ data: { schedule }, site, siteUrl }) => scheduleStructuredData(schedule.occurrences, site.name, siteUrl)
    : undefined,
} satisfies Head<Data>
