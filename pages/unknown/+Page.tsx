import { loaded } from '#pages/loaded.tsx'

/** Shown only where its data did not arrive: they send everybody to the error page. */
export default loaded('Page', () => null)
