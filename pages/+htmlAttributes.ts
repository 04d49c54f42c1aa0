import type { PageContext } from 'vike/types'

/** The theme of visitors who have not chosen one. `pages/early.js` replaces it by the chosen one. */
export default ({ site: { theme } }: PageContext): Record<string, string> =>
  theme === 'system' ? {} : { 'data-theme': theme }
