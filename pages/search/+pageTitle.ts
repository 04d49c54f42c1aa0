import { derivedFromData } from '#pages/pageData.ts'
import { searchLimits } from '#src/contract/search.ts'
import { t } from '#src/i18n/t.ts'
import type { Data } from './+data.ts'

export default derivedFromData<Data>(
  ({ fields: { q } }) => (q ? t('search.pageTitle', { query: q.slice(0, searchLimits.query) }) : t('search.title')),
  () => t('search.title'),
)
