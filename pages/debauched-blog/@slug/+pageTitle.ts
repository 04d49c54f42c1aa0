import { derivedFromData } from '#pages/pageData.ts'
import { siteOf } from '#pages/siteOf.ts'
import type { Data } from './+data.ts'

export default derivedFromData<Data, string | undefined>(
  ({ title }) => title,
  (pageContext) => siteOf(pageContext).blogName,
)
