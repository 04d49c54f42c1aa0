import { derivedFromData } from '#pages/pageData.ts'
import { t } from '#src/i18n/t.ts'
import type { Data } from './+data.ts'

export default derivedFromData<Data>(
  ({ title }) => title,
  () => t('site.page'),
)
