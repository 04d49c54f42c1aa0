import type { Head } from '#pages/head.ts'
import { scheduleStructuredData } from '#src/features/show/structuredData.ts'
import { t } from '#src/i18n/t.ts'
import type { Data } from './+data.ts'

export default {
  title: () => t('show.pageTitle'),
  description: () => t('show.description'),
  failure: () => t('show.loadFailed'),
  // Browsers do not load this code.
  structuredData: import.meta.env.SSR
    ? ({ data: { schedule }, site, siteUrl }) => scheduleStructuredData(schedule.occurrences, site.name, siteUrl)
    : undefined,
} satisfies Head<Data>
