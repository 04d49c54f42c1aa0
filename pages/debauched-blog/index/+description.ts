import type { PageContext } from 'vike/types'
import type { Data } from './+data.ts'

export default ({ data, site }: PageContext & { data?: Data }) =>
  data && data.posts.length > 0
    ? `${site.blogName}: what the people of ${site.name} write.`
    : 'The blog of an IRC community of hackers and tinkerers. Coming soon.'
