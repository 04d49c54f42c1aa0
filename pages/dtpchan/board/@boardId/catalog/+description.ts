import { derivedFromData } from '#pages/pageData.ts'
import type { Data } from './+data.ts'

export default derivedFromData<Data>(
  ({ page: { board } }, { site }) =>
    `All threads of /${board.id}/ - ${board.name} on ${site.boardsName} at a glance. ${board.description}`,
  ({ site }) => `All threads of a board on ${site.boardsName}`,
)
