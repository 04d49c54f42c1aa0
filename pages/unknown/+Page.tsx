import { createDataPage } from '#pages/dataPage.tsx'
import { t } from '#src/i18n/t.ts'

/** Renders only if the data request fails. Otherwise the data hook shows the error page. */
export default createDataPage(
  () => t('site.page'),
  () => null,
)
