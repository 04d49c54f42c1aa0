import type { PageContext } from 'vike/types'

export default (pageContext: PageContext) => `Delete paste - ${pageContext.site.name}`
