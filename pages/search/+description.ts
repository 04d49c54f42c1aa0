import type { PageContext } from 'vike/types'
import { t } from '#src/i18n/t.ts'

export default ({ site }: PageContext) => t('search.description', { site: site.boardsName })
