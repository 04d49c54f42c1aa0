import { derivedFromData } from '#pages/pageData.ts'
import { searchLimits } from '#src/contract/search.ts'
import type { Data } from './+data.ts'

export default derivedFromData<Data>(
  ({ fields: { q } }) => (q ? `Search: ${q.slice(0, searchLimits.query)}` : 'Search'),
  'Search',
)
