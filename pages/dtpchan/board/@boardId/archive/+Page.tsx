import { createDataPage } from '#pages/dataPage.tsx'
import { ArchiveScreen } from '#src/features/board/lists/ArchiveScreen.tsx'
import type { Data } from './+data.ts'

export default createDataPage<Data>(function Archive({ data: { page, cursor } }) {
  return <ArchiveScreen page={page} cursor={cursor} />
})
