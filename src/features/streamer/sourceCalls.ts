import { trpc } from '#src/lib/trpc.ts'

/** A connected source. Admins see all sources, streamers their own. */
export type SourceView = {
  id: string
  mount: string
  streamer: { name: string }
  state: 'testing' | 'standby' | 'on-air' | 'silent'
  /** program of the streamer */
  client: string
  format: string
  kilobitsPerSecond: number
  connectedAt: Date
  /** in dBFS, at most 0; null if the server cannot measure the format */
  level: Level | null
  title: { artist: string; title: string } | null
}
export type Level = { peak: number; rms: number }

type SourceCalls = {
  liveSources: {
    list: { query: () => Promise<SourceView[]> }
    takeOver: { mutate: (input: { sourceId: string }) => Promise<unknown> }
    disconnect: { mutate: (input: { sourceId: string }) => Promise<unknown> }
  }
}
/** The calls of the feature of live sources. */
const calls = async () => ((await trpc()) as unknown as SourceCalls).liveSources

export const listSources = async () => (await calls()).list.query()
export const takeOver = async (sourceId: string) => (await calls()).takeOver.mutate({ sourceId })
export const disconnect = async (sourceId: string) => (await calls()).disconnect.mutate({ sourceId })
