import { createDataPage } from '#pages/dataPage.tsx'
import { OverboardScreen } from '#src/features/board/OverboardScreen.tsx'
import type { Data } from './+data.ts'

export default createDataPage<Data>('All boards', function All({ data: { page, cursor } }) {
  return <OverboardScreen page={page} cursor={cursor} />
})
