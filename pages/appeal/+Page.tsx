import { createDataPage } from '#pages/dataPage.tsx'
import { AppealScreen } from '#src/features/moderation/AppealScreen.tsx'
import { t } from '#src/i18n/t.ts'
import type { Data } from './+data.ts'

export default createDataPage<Data>(
  () => t('moderation.appealTitle'),
  function Appeal({ data }) {
    return <AppealScreen {...data} />
  },
)
