import { derivedFromData } from '#pages/pageData.ts'
import { parseCursor } from '#src/contract/threadCursor.ts'
import type { Data } from './+data.ts'

// Each page of older threads has its own title.
export default derivedFromData<Data>(({ cursor }) => {
  const after = parseCursor(cursor)
  return after ? `All boards, older than No. ${after.id}` : 'All boards'
}, 'All boards')
