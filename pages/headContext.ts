import type { PageContext } from 'vike/types'
import type { SiteFacts } from '#src/contract/site.ts'
import { isFailed } from './pageData.ts'

/** What the texts and settings of a head are made from. */
export type HeadContext<Data> = {
  /** null if the page's data did not load */
  data: Data
  site: SiteFacts
  /** public origin without a trailing slash; only known on the server */
  siteUrl: string
  pageContext: PageContext
}

let known: SiteFacts | undefined

/** If the browser could not load the page's context, the facts of the site are those of an earlier page. */
export function createHeadContext(pageContext: PageContext): HeadContext<unknown> {
  const { data, siteUrl = '' } = pageContext
  known = (pageContext.site as SiteFacts | undefined) ?? known
  return { data: isFailed(data) ? null : data, site: known as SiteFacts, siteUrl, pageContext }
}
