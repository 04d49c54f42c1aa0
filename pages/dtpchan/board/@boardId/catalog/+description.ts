import { derivedFromData } from '#pages/pageData.ts'
import type { Data } from './+data.ts'

export default derivedFromData<Data>(
  ({ page: { board } }) => `All threads of /${board.id}/ - ${board.name} on DTPChan at a glance. ${board.description}`,
  'All threads of a board on DTPChan',
)
