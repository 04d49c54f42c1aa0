import { createDataPage } from '#pages/dataPage.tsx'

/** Renders only if the data request fails. Otherwise the data hook shows the error page. */
export default createDataPage(() => null)
