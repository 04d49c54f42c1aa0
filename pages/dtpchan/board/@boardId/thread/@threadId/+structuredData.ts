import { derivedFromData } from '#pages/pageData.ts'
import { threadStructuredData } from '#src/features/board/structuredData.ts'
import { unpackThread } from '#src/lib/packedThread.ts'
import type { StructuredData } from '#src/lib/structuredData.ts'
import type { Data } from './+data.ts'

export default derivedFromData<Data, StructuredData[]>((packed, { siteUrl = '', site }) => {
  const { board, thread } = unpackThread(packed)
  return threadStructuredData(board, thread, { siteUrl, boardsName: site.boardsName })
}, [])
