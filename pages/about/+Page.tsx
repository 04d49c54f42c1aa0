import { createDataPage } from '#pages/dataPage.tsx'
import { AboutScreen } from '#src/features/site/AboutScreen.tsx'
import { t } from '#src/i18n/t.ts'
import type { Data } from './+data.ts'

export default createDataPage<Data>(
  () => t('site.about'),
  function About({ data }) {
    return <AboutScreen {...data} />
  },
)
