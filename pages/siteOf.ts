import type { PageContext } from 'vike/types'
import type { SiteFacts } from '#src/contract/site.ts'

let known: SiteFacts | undefined

/** Returns the facts of the site. If the browser could not load a page's context, they are those of an earlier page. */
export function siteOf(pageContext: PageContext): Partial<SiteFacts> {
  known = (pageContext.site as SiteFacts | undefined) ?? known
  return known ?? {}
}
