import type { PageContext } from 'vike/types'

export default (pageContext: PageContext) => `Image Sharing - ${pageContext.site.name}`
