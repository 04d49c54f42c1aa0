import { derivedFromData } from '#pages/pageData.ts'
import type { Data } from './+data.ts'

export default derivedFromData<Data>(
  ({ page: { board } }, { site }) =>
    `Archived threads of /${board.id}/ - ${board.name} on ${site.boardsName}. They can be read, but take no new posts.`,
  ({ site }) => `Archived threads of a board on ${site.boardsName}`,
)
