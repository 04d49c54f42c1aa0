import { derivedFromData } from '#pages/pageData.ts'
import { boardStructuredData } from '#src/features/board/structuredData.ts'
import type { StructuredData } from '#src/lib/structuredData.ts'
import type { Data } from './+data.ts'

export default derivedFromData<Data, StructuredData[]>(
  ({ list: { board } }, { siteUrl = '', site }) => boardStructuredData(board, { siteUrl, boardsName: site.boardsName }),
  [],
)
