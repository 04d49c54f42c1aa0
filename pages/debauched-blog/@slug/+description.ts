import { derivedFromData } from '#pages/pageData.ts'
import type { Data } from './+data.ts'

export default derivedFromData<Data>(
  ({ description }, { site }) => description || `A post of ${site.blogName}`,
  ({ site }) => `A post of ${site.blogName}`,
)
