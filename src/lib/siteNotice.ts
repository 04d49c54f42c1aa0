import type { SiteSwitch } from '#src/contract/switches.ts'
import { createStore } from './store.ts'

/** Switched off parts of the site, from the last page or event; null before the first one. */
export const siteNotice = createStore<SiteSwitch[] | null>(null)
