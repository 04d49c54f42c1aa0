import type { PageContext } from 'vike/types'
import { translateRefusal } from '#src/i18n/refusals.ts'

export default ({ is404, abortStatusCode, abortReason }: PageContext) => {
  const missing = abortStatusCode === 404 || (abortStatusCode === undefined && is404)
  const fallback = missing ? 'Page not found' : 'Something went wrong'
  return typeof abortReason === 'string' ? translateRefusal(abortReason) : fallback
}
