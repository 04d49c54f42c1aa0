import { createTitle } from '#pages/title.ts'

export default createTitle(({ is404, abortStatusCode, abortReason }) => {
  const missing = abortStatusCode === 404 || (abortStatusCode === undefined && is404)
  const fallback = missing ? 'Page not found' : 'Something went wrong'
  return typeof abortReason === 'string' ? abortReason : fallback
})
