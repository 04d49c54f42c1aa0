import { fromData } from '#pages/load.ts'
import { titled } from '#pages/title.ts'
import { parseCursor } from '#src/contract/threadCursor.ts'
import type { Data } from './+data.ts'

// An older page is told from the newest, and from every other.
export default titled(
  fromData<Data>(({ list: { board }, cursor }) => {
    const name = `/${board.id}/ - ${board.name}`
    const after = parseCursor(cursor)
    return after ? `${name}, older than No. ${after.id}` : name
  }, 'Board'),
)
