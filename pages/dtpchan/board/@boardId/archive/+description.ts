import { derivedFromData } from '#pages/pageData.ts'
import type { Data } from './+data.ts'

export default derivedFromData<Data>(
  ({ page: { board } }) =>
    `Archived threads of /${board.id}/ - ${board.name} on DTPChan. They can be read, but take no new posts.`,
  'Archived threads of a board on DTPChan',
)
