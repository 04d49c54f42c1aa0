/** Callbacks before and after the next page is rendered, set by code that loads when the page is idle. */
export const pageTransition: { start?: () => Promise<void>; end?: () => void } = {}
