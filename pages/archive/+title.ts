import type { PageContext } from 'vike/types'

export default (pageContext: PageContext) => `Archive - ${pageContext.site.name}`
