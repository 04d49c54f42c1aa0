import type { PageContext } from 'vike/types'

export default ({ is404, abortStatusCode, abortReason, site }: PageContext) => {
  const missing = abortStatusCode === 404 || (abortStatusCode === undefined && is404)
  const fallback = missing ? 'Page not found' : 'Something went wrong'
  const text = typeof abortReason === 'string' ? abortReason : fallback
  // an error page rendered in the browser has no settings at hand
  return site ? `${text} - ${site.name}` : text
}
