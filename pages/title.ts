import type { PageContext } from 'vike/types'

/** The title of a page: its own name, then the site's; for every page the same way. */
export const titled =
  (name: string | ((pageContext: PageContext) => string)) =>
  (pageContext: PageContext): string => {
    const own = typeof name === 'string' ? name : name(pageContext)
    // an error page rendered in the browser has no settings at hand
    const site = pageContext.site as PageContext['site'] | undefined
    return site ? `${own} - ${site.name}` : own
  }
