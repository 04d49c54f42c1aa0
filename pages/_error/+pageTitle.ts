import type { PageContext } from 'vike/types'
import { translateRefusal } from '#src/i18n/refusals.ts'
import { t } from '#src/i18n/t.ts'

export default ({ is404, abortStatusCode, abortReason }: PageContext) => {
  const missing = abortStatusCode === 404 || (abortStatusCode === undefined && is404)
  const fallback = missing ? t('ui.pageNotFound') : t('site.errorTitle')
  return typeof abortReason === 'string' ? translateRefusal(abortReason) : fallback
}
