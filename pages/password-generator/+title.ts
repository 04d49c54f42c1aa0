import type { PageContext } from 'vike/types'

export default (pageContext: PageContext) => `Password Generator - ${pageContext.site.name}`
