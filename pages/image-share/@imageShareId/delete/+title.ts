import type { PageContext } from 'vike/types'

export default (pageContext: PageContext) => `Delete shared image - ${pageContext.site.name}`
