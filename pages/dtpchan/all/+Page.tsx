import { createDataPage } from '#pages/dataPage.tsx'
import { OverboardScreen } from '#src/features/board/lists/OverboardScreen.tsx'
import type { Data } from './+data.ts'

export default createDataPage<Data>(function All({ data: { page, cursor } }) {
  return <OverboardScreen key={page.html} page={page} cursor={cursor} />
})
