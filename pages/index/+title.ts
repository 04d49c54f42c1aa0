import type { PageContext } from 'vike/types'

export default (pageContext: PageContext) => `${pageContext.site.name} - tech, radio and hardware on IRC`
