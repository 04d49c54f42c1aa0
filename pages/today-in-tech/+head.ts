import type { Head } from '#pages/head.ts'
import { NEWS_PATH } from '#src/contract/news.ts'
import { newsPath, newsTitle } from '#src/features/news/newsPath.ts'
import { t } from '#src/i18n/t.ts'
import type { Data } from './+data.ts'

export default {
  title: ({ data }) => (data ? newsTitle({ source: data.source, page: data.pagination.currentPage }) : t('news.title')),
  description: ({ data }) => {
    if (!data) return t('news.description')
    const { source, pagination } = data
    const text = source === null ? t('news.description') : t('news.descriptionOfSource', { source })
    const { currentPage: page, totalPages: pages } = pagination
    return page > 1 ? t('news.descriptionOfPage', { text, page, pages }) : text
  },
  failure: () => t('news.failed'),
  canonical: ({ data: { source, pagination } }) => newsPath({ source, page: pagination.currentPage }),
  feed: () => ({ path: NEWS_PATH, title: t('news.title') }),
} satisfies Head<Data>
