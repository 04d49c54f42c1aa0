import { fromData } from '#pages/pageData.ts'
import { boardStructuredData } from '#src/features/board/structuredData.ts'
import type { StructuredData } from '#src/lib/structuredData.ts'
import type { Data } from './+data.ts'

export default fromData<Data, StructuredData[]>(
  ({ list: { board } }, { siteUrl = '' }) => boardStructuredData(board, siteUrl),
  [],
)
