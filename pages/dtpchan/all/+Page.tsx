import { createDataPage } from '#pages/dataPage.tsx'
import { OverboardScreen } from '#src/features/board/lists/OverboardScreen.tsx'
import type { Data } from './+data.ts'

export default createDataPage<Data>(function All({ data: { list, cursor } }) {
  return <OverboardScreen key={list.html} page={list} cursor={cursor} />
})
