/** Receives what other apps share with the installed site. The service worker (public/service-worker.js) knows it, too. */
export const SHARE_TARGET = '/share'

export const shareTargetMessages = {
  imageLost: 'Your browser could not hand over the image. Please select it here.',
  nothingShared: 'There was no text and no image to share',
} as const
