import type { ConnectedSourceView } from '#src/contract/liveSources.ts'
import { trpc } from '#src/lib/trpc.ts'

/** A connected source. Admins see all sources, streamers their own. */
export type SourceView = ConnectedSourceView
/** in dBFS, at most 0 */
export type Level = NonNullable<SourceView['level']>

export const listSources = async () => (await trpc()).live.sources.query()
export const listRefusedSources = async () => (await trpc()).live.refused.query()
export const takeOver = async (id: string) => (await trpc()).live.takeOver.mutate({ id })
export const disconnect = async (id: string) => (await trpc()).live.disconnect.mutate({ id })
