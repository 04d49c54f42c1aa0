import type { PageContext } from 'vike/types'
import { siteOf } from '#pages/siteOf.ts'
import { t } from '#src/i18n/t.ts'

export default (pageContext: PageContext) =>
  t('auth.adminLogin', { boards: siteOf(pageContext).boardsName ?? '' }).trim()
