import { useEffect, useSyncExternalStore } from 'react'
import { isOwnRecording, type RecordedBroadcast, type Track } from '#src/contract/archive.ts'
import { createStore } from './store.ts'
import { trpc } from './trpc.ts'

/** `failed` is true if the last load failed, or there is no such recording. */
type Loaded = { broadcast: RecordedBroadcast | null; failed: boolean }

const tracklists = createStore<ReadonlyMap<number, Loaded>>(new Map())
const loads = new Map<number, Promise<RecordedBroadcast | null>>()

/** Loads a recording's tracklist, or returns the loaded one. Returns null if that fails. */
export function loadTracklist(broadcastId: number): Promise<RecordedBroadcast | null> {
  const known = tracklists.get().get(broadcastId)
  if (known?.broadcast) return Promise.resolve(known.broadcast)
  const load = loads.get(broadcastId) ?? readTracklist(broadcastId).finally(() => loads.delete(broadcastId))
  loads.set(broadcastId, load)
  return load
}

async function readTracklist(broadcastId: number): Promise<RecordedBroadcast | null> {
  const broadcast = isOwnRecording(broadcastId)
    ? await trpc()
        .then(({ recording }) => recording.read.query({ id: broadcastId }))
        .catch(() => null)
    : null
  tracklists.set(new Map(tracklists.get()).set(broadcastId, { broadcast, failed: broadcast === null }))
  return broadcast
}

/** Loads a tracklist again, after a change or a failure. */
export function reloadTracklist(broadcastId: number): Promise<RecordedBroadcast | null> {
  const others = new Map(tracklists.get())
  others.delete(broadcastId)
  tracklists.set(others)
  return loadTracklist(broadcastId)
}

/** Returns null until the tracklist is loaded. */
export function useTracklist(broadcastId: number): Loaded | null {
  const read = () => tracklists.get().get(broadcastId) ?? null
  const loaded = useSyncExternalStore(tracklists.subscribe, read, () => null)
  const isMissing = loaded === null
  useEffect(() => {
    if (isMissing) void loadTracklist(broadcastId)
  }, [broadcastId, isMissing])
  return loaded
}

/** Returns the index of the track at a position, or -1 before the first track. */
export const findTrack = (tracks: Track[], seconds: number): number =>
  tracks.findLastIndex((track) => track.seconds <= seconds)

/** Returns `artist - title`. */
export const formatTrack = ({ artist, title }: Pick<Track, 'artist' | 'title'>): string =>
  [artist, title].filter(Boolean).join(' – ')
