/** Event that `window` fires with the switches if the notice to all visitors changes. */
export const SITE_NOTICE = 'site-notice'
