import { derivedFromData } from '#pages/pageData.ts'
import { t } from '#src/i18n/t.ts'
import type { Data } from './+data.ts'

export default derivedFromData<Data>(
  ({ source, pagination: { currentPage, totalPages } }) => {
    const text = source === null ? t('news.description') : t('news.descriptionOfSource', { source })
    return currentPage > 1 ? t('news.descriptionOfPage', { text, page: currentPage, pages: totalPages }) : text
  },
  () => t('news.description'),
)
