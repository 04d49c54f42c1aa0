import { setTimeout as sleep } from 'node:timers/promises'
import { and, asc, eq, isNull } from 'drizzle-orm'
import { broadcast } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { createBroadcastRows, SERVICE_TYPE } from '#server/features/radio/broadcastRows.ts'
import type { BroadcastObserver, LiveTitle, OnAir } from '#server/features/radio/mix/types.ts'
import { NOW_PLAYING_SECONDS, type NowPlaying, UNKNOWN_SONG } from '#src/contract/radio.ts'

declare module '#server/core/context.ts' {
  interface Services {
    serviceBroadcasts: ReturnType<typeof createServiceBroadcasts>
  }
}

/** Slightly later than the cached answer expires. */
const CHECK_MS = NOW_PLAYING_SECONDS * 1000 + 100
/** Shorter than the time that a job may run. The next run continues at once. */
const MAX_WATCH_MS = 50 * 60_000

/**
 * Turns what an AzuraCast plays into broadcasts: rows without a file, and the events of an observer without frames.
 * Watches only if something uses the broadcasts, so that an unused site does not poll the service.
 */
export function createServiceBroadcasts(isUsed: () => boolean) {
  const observers = new Set<BroadcastObserver>()
  const isWatching = ({ config }: Pick<Services, 'config'>) => config.radio.service !== null && isUsed()
  let waking = new AbortController()

  return {
    observe(observer: BroadcastObserver): () => void {
      observers.add(observer)
      return () => observers.delete(observer)
    },
    /** Checks now instead of at the next interval. */
    wake: () => waking.abort(),
    isWatching,
    /** Watches the service until the signal aborts or the time of a run is over. Only one process may do this. */
    async watch(services: Services, signal: AbortSignal): Promise<void> {
      const watch = createWatch(services, (notify) => {
        for (const observer of observers) notify(observer)
      })
      if (!isWatching(services)) return watch.endAll()
      const until = AbortSignal.any([signal, AbortSignal.timeout(MAX_WATCH_MS)])
      while (!until.aborted) {
        // Before the check, so that a call during the check is not lost.
        waking = new AbortController()
        await watch.check()
        await sleep(CHECK_MS, undefined, { signal: AbortSignal.any([until, waking.signal]) }).catch(() => {})
      }
    },
  }
}

/** A broadcast continues if its streamer returns within this time. */
const GRACE_MS = 30_000
/** AzuraCast does not name all streamers. */
const UNNAMED = 'Live'

type Current = { onAir: OnAir; title: string; interruptedAt: Date | null }
type Notify = (call: (observer: BroadcastObserver) => void) => void

/**
 * Follows the broadcasts of the service's stations. Begins with the rows that a process before it left, and keeps what it
 * sees in memory.
 */
export function createWatch(services: Services, notify: Notify) {
  const { db, radio, now } = services
  const rows = createBroadcastRows(services)
  let running: Map<number, Current> | null = null

  const load = async () => {
    const open = await db
      .select()
      .from(broadcast)
      .where(and(isNull(broadcast.endedAt), eq(broadcast.type, SERVICE_TYPE)))
      .orderBy(asc(broadcast.id))
    return new Map<number, Current>(
      open.map(({ id: broadcastId, streamerName: name, stationId, showId, title, type, startedAt }) => {
        const onAir = { broadcastId, streamer: { userId: '', name }, stationId, showId, title, type, startedAt }
        return [stationId, { onAir, title: '', interruptedAt: null }]
      }),
    )
  }

  async function checkStation(stationId: number, nowPlaying: NowPlaying): Promise<void> {
    running ??= await load()
    const { live } = nowPlaying
    const streamer = live.isLive ? live.streamer || UNNAMED : null
    const current = running.get(stationId)
    if (current && streamer === current.onAir.streamer.name) {
      if (current.interruptedAt) notify((observer) => observer.onResume?.(current.onAir))
      current.interruptedAt = null
      return updateTitle(current, nowPlaying)
    }
    if (current && streamer === null && !isOver(current)) return
    if (current) await end(current)
    if (streamer === null) return
    const onAir = await insert(stationId, streamer)
    const started: Current = { onAir, title: '', interruptedAt: null }
    running.set(stationId, started)
    notify((observer) => observer.onStart?.(onAir))
    await updateTitle(started, nowPlaying)
  }

  async function insert(stationId: number, name: string): Promise<OnAir> {
    const values = { stationId, showId: null, title: null, type: SERVICE_TYPE, startedAt: now() }
    const broadcastId = await rows.insert({ ...values, streamer: { userId: null, name } })
    return { ...values, broadcastId, streamer: { userId: '', name } }
  }

  /** Returns whether the grace period is over. It begins with the first call. */
  function isOver(current: Current): boolean {
    if (!current.interruptedAt) {
      current.interruptedAt = now()
      notify((observer) => observer.onInterrupt?.(current.onAir))
    }
    return now().getTime() - current.interruptedAt.getTime() >= GRACE_MS
  }

  async function end({ onAir, interruptedAt }: Current): Promise<void> {
    await rows.end(onAir.broadcastId, interruptedAt ?? now())
    running?.delete(onAir.stationId)
    notify((observer) => observer.onEnd?.(onAir))
  }

  async function updateTitle(current: Current, { song, online }: NowPlaying): Promise<void> {
    const { artist, title } = song
    const text = `${artist}\n${title}`
    if (!online || title === UNKNOWN_SONG.title || text === current.title) return
    current.title = text
    const track: LiveTitle = { artist, title }
    const { broadcastId, startedAt } = current.onAir
    const position = Math.max(0, (now().getTime() - startedAt.getTime()) / 1000)
    const isNew = await rows.addTrack(broadcastId, position, track)
    if (isNew) notify((observer) => observer.onTitle?.(current.onAir, track))
  }

  return {
    /** Reads all stations once. Changes nothing while the service does not answer. */
    async check(): Promise<void> {
      const { stations } = await radio.stations()
      for (const { id } of stations) {
        const nowPlaying = await radio.nowPlaying(id)
        if (nowPlaying.available) await checkStation(id, nowPlaying)
      }
    },
    /** Ends the broadcasts that a previous process left running. */
    async endAll(): Promise<void> {
      running ??= await load()
      for (const current of running.values()) await end(current)
    },
  }
}
