import type { PageContext } from 'vike/types'

export default ({ site }: PageContext) => site.blogName
