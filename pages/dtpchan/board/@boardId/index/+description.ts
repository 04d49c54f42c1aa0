import { derivedFromData } from '#pages/pageData.ts'
import { parseCursor } from '#src/contract/threadCursor.ts'
import type { Data } from './+data.ts'

export default derivedFromData<Data>(
  ({ list: { board }, cursor }, { site }) => {
    const text = `${board.description} A board on ${site.boardsName}. Read and post without an account.`
    const after = parseCursor(cursor)
    return after ? `Threads older than No. ${after.id}. ${text}` : text
  },
  ({ site }) => `A board on ${site.boardsName}`,
)
