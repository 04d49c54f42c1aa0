import { createDataPage } from '#pages/dataPage.tsx'
import { ApiScreen } from '#src/features/api/ApiScreen.tsx'
import type { Data } from './+data.ts'

export default createDataPage<Data>(function Api({ data }) {
  return <ApiScreen {...data} />
})
