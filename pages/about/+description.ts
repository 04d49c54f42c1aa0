import type { PageContext } from 'vike/types'

export default (pageContext: PageContext) =>
  `Who ${pageContext.site.name} is, what this place is for, what it offers, and how to join the channels.`
