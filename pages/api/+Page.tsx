import { createDataPage } from '#pages/dataPage.tsx'
import { ApiScreen } from '#src/features/api/ApiScreen.tsx'
import { t } from '#src/i18n/t.ts'
import type { Data } from './+data.ts'

export default createDataPage<Data>(
  () => t('site.apiTitle'),
  function Api({ data }) {
    return <ApiScreen {...data} />
  },
)
