import { usePrivateQuery } from '#src/lib/privateQuery.ts'
import { listSources } from './sourceCalls.ts'

/** The server measures levels once a second. The browser pauses the interval while the tab is hidden. */
const POLL_MS = 1000

export const useSources = () => usePrivateQuery(['sources'], listSources, { pollMs: () => POLL_MS })
