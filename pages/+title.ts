import type { PageContext } from 'vike/types'

/** Title of a page that sets none. */
export default (pageContext: PageContext) => pageContext.site.name
