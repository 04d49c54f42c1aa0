import type { FastifyBaseLogger } from 'fastify'
import { STATION_ID } from '#server/features/radio/types.ts'
import type { ScheduledShow } from '#server/features/show/service.ts'
import { createAirings } from './airing.ts'
import type { RowDeps } from './interrupted.ts'
import { createMixer } from './mixer.ts'
import { createSound } from './sound.ts'
import { createSources } from './sources.ts'
import type { BroadcastObserver, LivePlaying, LiveSource, OnAir, OnAirState } from './types.ts'

/** How often shows are looked up and the broadcast's row is refreshed. */
const TICK_MS = 5000
/** A streamer who connects at most this long before a show starts the show's broadcast. */
const EARLY_MS = 15 * 60_000

export type LiveSources = ReturnType<typeof createLive>

declare module '#server/core/context.ts' {
  interface Services {
    live: LiveSources
  }
}

type Deps = {
  maxSources: number
  rows: RowDeps['rows']
  findShow: (userId: string, at: Date) => Promise<ScheduledShow | null>
  log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>
  now: () => Date
}

/** The live sources of this process, and the broadcast on air, which another process may have. */
export function createLive({ maxSources, rows, findShow, log, now }: Deps) {
  const onFault = (error: unknown) => log.error({ err: error }, 'live source failed')
  const observers = new Set<BroadcastObserver>()
  const stateListeners = new Set<() => void>()
  const reportState = () => {
    for (const listener of stateListeners) listener()
  }
  const sound = createSound(now, reportState)
  const airings = createAirings({
    ...{ stationId: STATION_ID, rows, observers, onChange: reportState, onFault, now },
  })
  const mixer = createMixer({ maxSources, sound, startAiring: airings.start, awaited: airings.awaited })
  const sources = createSources({ mixer, prepare: findShows, onFault, now })
  /** what another process with the sources plays; null if this process or none has them */
  let remote: OnAirState | null = null
  let tickTimer: NodeJS.Timeout | undefined

  /** Works without the database: the source is on air, and its show is found later. */
  async function findShows(source: LiveSource): Promise<void> {
    const { userId } = source.streamer
    const at = now()
    const times = [at, new Date(at.getTime() + EARLY_MS)]
    const shows = await Promise.all(times.map((time) => findShow(userId, time))).catch((error) => {
      onFault(error)
      return []
    })
    ;[source.show = null, source.upcoming = null] = shows
    tickTimer ??= setInterval(() => void tick().catch(onFault), TICK_MS).unref()
  }

  async function tick(): Promise<void> {
    const airing = mixer.airing()
    if (airing) airings.refresh(airing)
    const users = new Set(mixer.sources().map(({ streamer }) => streamer.userId))
    if (users.size === 0 && !airing) return stopTicking()
    const shows = await Promise.all([...users].map(async (id) => [id, await findShow(id, now())] as const))
    if (tickTimer) mixer.setShows(new Map(shows))
  }

  function stopTicking(): void {
    clearInterval(tickTimer)
    tickTimer = undefined
  }

  return {
    ...sources,
    sound,
    playing: (): LivePlaying | null => mixer.airing()?.playing ?? remote?.playing ?? null,
    /** Calls the listener when the broadcast on air or its track changes. @returns a function that removes it */
    onChange(listener: () => void): () => void {
      stateListeners.add(listener)
      return () => stateListeners.delete(listener)
    },
    /** Returns the state of this process's own sources. */
    ownState: (): OnAirState => ({ onAir: mixer.airing()?.info ?? null, playing: mixer.airing()?.playing ?? null }),
    /** Sets the state of the process that has the sources; null if no other process has them. */
    setRemoteState(state: OnAirState | null): void {
      remote = state
      reportState()
    },
    onAir: (stationId: number): OnAir | null =>
      stationId === STATION_ID ? (mixer.airing()?.info ?? remote?.onAir ?? null) : null,
    /** @returns a function that removes the observer */
    observe(observer: BroadcastObserver): () => void {
      observers.add(observer)
      return () => observers.delete(observer)
    },
    /** Looks for broadcasts that a crash interrupted. */
    recover: airings.recover,
    /** Disconnects all sources because another process may have taken them. It can continue the broadcast. */
    abandon(): void {
      airings.abandon()
      mixer.clear('another process may have the live sources')?.end()
      // Ends the broadcast if no process continues it.
      airings.recover()
    },
    async close(): Promise<void> {
      stopTicking()
      // The broadcast stays open, so that it can go on after a restart.
      mixer.clear('the site is closing')
      await airings.close()
    },
  }
}
