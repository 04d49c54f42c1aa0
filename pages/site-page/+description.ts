import { derivedFromData } from '#pages/pageData.ts'
import { t } from '#src/i18n/t.ts'
import type { Data } from './+data.ts'

export default derivedFromData<Data>(
  ({ title }, { site }) => t('site.pageOfSite', { title, name: site.name }),
  ({ site }) => t('site.pageDescription', { name: site.name }),
)
