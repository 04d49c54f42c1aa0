import { newsPath } from '#src/features/news/address.ts'
import { fromData } from '../load.ts'
import type { Data } from './+data.ts'

export default fromData<Data>(({ source, pagination }) => newsPath({ source, page: pagination.currentPage }), '')
