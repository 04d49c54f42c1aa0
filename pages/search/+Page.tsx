import { createDataPage } from '#pages/dataPage.tsx'
import { SearchScreen } from '#src/features/search/SearchScreen.tsx'
import { t } from '#src/i18n/t.ts'
import type { Data } from './+data.ts'

export default createDataPage<Data>(
  () => t('search.title'),
  function Search({ data }) {
    return <SearchScreen {...data} />
  },
)
