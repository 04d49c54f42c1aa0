import type { PageContext } from 'vike/types'
import { derivedFromData } from '#pages/pageData.ts'
import { parseCursor } from '#src/contract/threadCursor.ts'
import type { Data } from './+data.ts'

const textOf = ({ site }: PageContext) =>
  `The threads of all boards of ${site.boardsName}, the most recently active first.`

export default derivedFromData<Data>(({ cursor }, pageContext) => {
  const after = parseCursor(cursor)
  const text = textOf(pageContext)
  return after ? `Threads older than No. ${after.id}. ${text}` : text
}, textOf)
