import type { PageContext } from 'vike/types'

// The same for each: a title lands in histories and in other people's chats.
export default (pageContext: PageContext) => `Shared image - ${pageContext.site.name}`
