import { derivedFromData } from '#pages/pageData.ts'
import { parseCursor } from '#src/contract/threadCursor.ts'
import type { Data } from './+data.ts'

const TEXT = 'The threads of all boards of DTPChan, the most recently active first.'

export default derivedFromData<Data>(({ cursor }) => {
  const after = parseCursor(cursor)
  return after ? `Threads older than No. ${after.id}. ${TEXT}` : TEXT
}, TEXT)
