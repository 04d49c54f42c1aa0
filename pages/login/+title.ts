import type { PageContext } from 'vike/types'

export default (pageContext: PageContext) => `DTPChan Admin Login - ${pageContext.site.name}`
