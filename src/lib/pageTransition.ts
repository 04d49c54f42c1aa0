/** What happens before and after the next page is rendered. Code that loads when the page is idle sets it. */
export const pageTransition: { start?: () => Promise<void>; end?: () => void } = {}
