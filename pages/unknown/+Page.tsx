import { createDataPage } from '#pages/dataPage.tsx'

/** Shown only if its data fails to load: the data hook redirects to the error page. */
export default createDataPage('Page', () => null)
