import { usePrivateQuery } from '#src/lib/privateQuery.ts'
import { listRefusedSources, listSources } from './sourceCalls.ts'

/** The server measures levels once a second. The browser pauses the interval while the tab is hidden. */
const POLL_MS = 1000

export const useSources = () => usePrivateQuery(['sources'], listSources, { pollMs: () => POLL_MS })

const REFUSED_POLL_MS = 5000

export const useRefusedSources = () =>
  usePrivateQuery(['refused-sources'], listRefusedSources, { pollMs: () => REFUSED_POLL_MS })
