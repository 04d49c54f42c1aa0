import type { Head } from '#pages/head.ts'
import { t } from '#src/i18n/t.ts'
import type { Data } from './+data.ts'

export default {
  title: ({ data }) =>
    data ? t('board.archivePageTitle', { board: data.page.board.id, name: data.page.board.name }) : t('site.archive'),
  description: ({ data, site: { boardsName: site } }) =>
    data
      ? t('board.archiveDescription', { board: data.page.board.id, name: data.page.board.name, site })
      : t('board.archiveFallback', { site }),
  noindex: true,
  failure: () => t('board.loadThreads'),
} satisfies Head<Data>
