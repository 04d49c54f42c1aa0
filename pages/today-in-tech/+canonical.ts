import { derivedFromData } from '#pages/pageData.ts'
import { newsPath } from '#src/features/news/newsPath.ts'
import type { Data } from './+data.ts'

export default derivedFromData<Data>(({ source, pagination }) => newsPath({ source, page: pagination.currentPage }), '')
