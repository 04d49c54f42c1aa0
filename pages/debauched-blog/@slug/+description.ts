import { derivedFromData } from '#pages/pageData.ts'
import { t } from '#src/i18n/t.ts'
import type { Data } from './+data.ts'

export default derivedFromData<Data>(
  ({ description }, { site }) => description || t('site.blogPostDescription', { blog: site.blogName }),
  ({ site }) => t('site.blogPostDescription', { blog: site.blogName }),
)
