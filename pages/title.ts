import type { PageContext } from 'vike/types'

/** Creates a page's title setting: the page's name, then the site's. */
export const createTitle =
  (name: string | ((pageContext: PageContext) => string)) =>
  (pageContext: PageContext): string => {
    const own = typeof name === 'string' ? name : name(pageContext)
    // missing on an error page that the browser rendered
    const site = pageContext.site as PageContext['site'] | undefined
    return site ? `${own} - ${site.name}` : own
  }
