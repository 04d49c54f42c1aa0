import type { PageContext } from 'vike/types'
import { t } from '#src/i18n/t.ts'
import type { Data } from './+data.ts'

export default ({ data, site }: PageContext & { data?: Data }) =>
  data && data.posts.length > 0
    ? t('site.blogDescription', { blog: site.blogName, name: site.name })
    : t('site.blogSoonDescription')
