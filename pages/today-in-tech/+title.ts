import { fromData } from '#pages/load.ts'
import { titled } from '#pages/title.ts'
import { newsTitle } from '#src/features/news/newsPath.ts'
import type { Data } from './+data.ts'

export default titled(
  fromData<Data>(
    ({ source, pagination: { currentPage } }) => newsTitle({ source, page: currentPage }),
    'Today in Tech',
  ),
)
