import type { ConnectedSourceView } from '#src/contract/liveSources.ts'
import { usePrivateQuery } from '#src/lib/privateQuery.ts'
import { trpc } from '#src/lib/trpc.ts'

/** The server measures levels once a second. The browser pauses the interval while the tab is hidden. */
const POLL_MS = 1000
const REFUSED_POLL_MS = 5000

/** A connected source. Admins see all sources, streamers their own. */
export type SourceView = ConnectedSourceView
/** in dBFS, at most 0 */
export type Level = NonNullable<SourceView['level']>

export const useSources = () =>
  usePrivateQuery(['sources'], ({ live }) => live.sources.query(), { pollMs: () => POLL_MS })
export const useRefusedSources = () =>
  usePrivateQuery(['refused-sources'], ({ live }) => live.refused.query(), { pollMs: () => REFUSED_POLL_MS })

export const takeOver = async (id: string) => (await trpc()).live.takeOver.mutate({ id })
export const disconnect = async (id: string) => (await trpc()).live.disconnect.mutate({ id })
