import { derivedFromData } from '#pages/pageData.ts'
import { newsTitle } from '#src/features/news/newsPath.ts'
import { t } from '#src/i18n/t.ts'
import type { Data } from './+data.ts'

export default derivedFromData<Data>(
  ({ source, pagination: { currentPage } }) => newsTitle({ source, page: currentPage }),
  () => t('news.title'),
)
