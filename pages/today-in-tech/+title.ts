import { newsName } from '#src/features/news/address.ts'
import { fromData } from '../load.ts'
import { titled } from '../title.ts'
import type { Data } from './+data.ts'

export default titled(
  fromData<Data>(({ source, pagination: { currentPage } }) => newsName({ source, page: currentPage }), 'Today in Tech'),
)
