import type { Head } from '#pages/head.ts'
import { t } from '#src/i18n/t.ts'
import type { Data } from './+data.ts'

export default {
  title: ({ data }) =>
    data ? t('board.catalogPageTitle', { board: data.page.board.id, name: data.page.board.name }) : t('board.catalog'),
  description: ({ data, site: { boardsName: site } }) => {
    if (!data) return t('board.catalogFallback', { site })
    const { id, name, description } = data.page.board
    return t('board.catalogDescription', { board: id, name, site, description })
  },
  noindex: true,
  failure: () => t('board.loadThreads'),
} satisfies Head<Data>
