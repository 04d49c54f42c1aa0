import type { Head } from '#pages/head.ts'
import { siteStructuredData } from '#src/features/site/structuredData.ts'
import { t } from '#src/i18n/t.ts'
import type { Data } from './+data.ts'

export default {
  title: () => t('site.homeTitle'),
  description: ({ site }) => site.description,
  fallbackData: { threads: null, articles: null, activity: null, nextShow: null, nowPlaying: null, isIncomplete: true },
  // Browsers do not load this code.
  structuredData: import.meta.env.SSR ? ({ site, siteUrl }) => siteStructuredData(site, siteUrl) : undefined,
} satisfies Head<Data>
