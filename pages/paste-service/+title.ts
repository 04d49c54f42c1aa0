import type { PageContext } from 'vike/types'

export default (pageContext: PageContext) => `Paste Service - ${pageContext.site.name}`
