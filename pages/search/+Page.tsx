import { createDataPage } from '#pages/dataPage.tsx'
import { SearchScreen } from '#src/features/search/SearchScreen.tsx'
import type { Data } from './+data.ts'

export default createDataPage<Data>(function Search({ data }) {
  return <SearchScreen {...data} />
})
