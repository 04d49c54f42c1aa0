import type { PageContext } from 'vike/types'

export default (pageContext: PageContext) => `Visualiser - ${pageContext.site.name}`
