import type { PageContext } from 'vike/types'

export default (pageContext: PageContext) => `Programs We Love - ${pageContext.site.name}`
