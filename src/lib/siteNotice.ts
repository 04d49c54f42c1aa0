import type { SiteSwitch } from '#src/contract/switches.ts'
import { createStore } from './store.ts'

/** What the last page or event said about parts of the site that are switched off; null before the first. */
export const siteNotice = createStore<SiteSwitch[] | null>(null)
