/** Receives what other apps share with the installed site. The service worker (public/service-worker.js) knows it, too. */
export const SHARE_TARGET = '/share'
