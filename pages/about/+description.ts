import type { PageContext } from 'vike/types'
import { t } from '#src/i18n/t.ts'

export default (pageContext: PageContext) => t('site.aboutDescription', { name: pageContext.site.name })
