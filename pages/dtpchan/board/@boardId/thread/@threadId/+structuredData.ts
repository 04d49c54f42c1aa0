import { threadStructuredData } from '#src/features/board/structuredData.ts'
import { unpackThread } from '#src/lib/packedThread.ts'
import type { StructuredData } from '#src/lib/structuredData.ts'
import { fromData } from '../../../../../load.ts'
import type { Data } from './+data.ts'

export default fromData<Data, StructuredData[]>((packed, { siteUrl = '' }) => {
  const { board, thread } = unpackThread(packed)
  return threadStructuredData(board, thread, siteUrl)
}, [])
