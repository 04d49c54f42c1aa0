import { randomUUID } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import { errors } from '#server/core/errors.ts'
import type { BroadcastRows } from '#server/features/radio/broadcastRows.ts'
import { type Connection, type NewSource, runConnection } from '#server/features/radio/input/connection.ts'
import { createAudioParser } from '#server/features/radio/input/frames/audioParser.ts'
import { createRefusedSources } from '#server/features/radio/input/login.ts'
import type { ScheduledShow } from '#server/features/show/scheduledShow.ts'
import type { ConnectedSourceView } from '#src/contract/liveSources.ts'
import { refusal } from '#src/contract/refusal.ts'
import { createAirings, createTitleLog } from './airing.ts'
import { createMixer } from './mixer.ts'
import { createSound } from './sound.ts'
import type { BroadcastObserver, LivePlaying, LiveTitle, OnAir, OnAirState } from './types.ts'

/** Station of the embedded source. */
export const LIVE_STATION_ID = 1
/** How often shows are looked up and the broadcast's row is refreshed. */
const TICK_MS = 5000
/** A streamer who connects at most this long before a show starts the show's broadcast. */
const EARLY_MS = 15 * 60_000

export type SourceRequest = {
  streamer: { userId: string; name: string }
  mount: string
  isTest: boolean
  client: string
  contentType: string
}

export type LiveSources = ReturnType<typeof createLive>

declare module '#server/core/context.ts' {
  interface Services {
    live: LiveSources
  }
}

type Place = {
  source: NewSource
  /** null before the source is read */
  abort: AbortController | null
  /** null before its first audio */
  connection: Connection | null
}

type Deps = {
  maxSources: number
  rows: Pick<BroadcastRows, 'insert' | 'refresh' | 'end' | 'listOpen'>
  findShow: (userId: string, at: Date) => Promise<ScheduledShow | null>
  /** current listeners of the station */
  listeners: () => number
  log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>
  now: () => Date
}

/** The live sources of this process, and the broadcast on air, which another process may have. */
export function createLive({ maxSources, rows, findShow, listeners, log, now }: Deps) {
  const observers = new Set<BroadcastObserver>()
  /** all sources, also those that have not sent audio yet */
  const places = new Map<string, Place>()
  let isClosed = false
  let tickTimer: NodeJS.Timeout | undefined
  const onFault = (error: unknown) => log.error({ err: error }, 'live source failed')

  const refused = createRefusedSources(now)
  let remote: OnAirState | null = null
  const stateListeners = new Set<() => void>()
  const reportState = () => {
    for (const listener of stateListeners) listener()
  }
  const sound = createSound(now, reportState)
  const titles = createTitleLog(now, reportState)
  observers.add(titles.observer)
  const airings = createAirings({ stationId: LIVE_STATION_ID, rows, observers, listeners, onFault, now })
  const mixer = createMixer({ sound, startAiring: airings.start })

  function startTicking(): void {
    tickTimer ??= setInterval(() => void tick().catch(onFault), TICK_MS).unref()
  }

  async function tick(): Promise<void> {
    const airing = mixer.airing()
    if (airing) airings.refresh(airing)
    if (connections().length === 0 && !airing) {
      clearInterval(tickTimer)
      tickTimer = undefined
      return
    }
    const users = new Set(mixer.sources().map(({ streamer }) => streamer.userId))
    const shows = await Promise.all([...users].map(async (id) => [id, await findShow(id, now())] as const))
    if (!isClosed) mixer.setShows(new Map(shows))
  }

  /** Works without the database: the source is on air, and its show is found later. */
  async function findShows(userId: string): Promise<(ScheduledShow | null)[]> {
    const at = now()
    const times = [at, new Date(at.getTime() + EARLY_MS)]
    return Promise.all(times.map((time) => findShow(userId, time))).catch((error) => {
      onFault(error)
      return []
    })
  }

  const connections = () => [...places.values()].flatMap(({ connection }) => connection ?? [])

  function find(sourceId: string): Connection {
    const connection = places.get(sourceId)?.connection
    if (!connection) throw errors.notFound(refusal('streamer.sourceNotFound'))
    return connection
  }

  function disconnect({ source }: Connection): void {
    mixer.remove(source, false)
    source.end('disconnected')
  }

  function abortAll(reason: string): void {
    for (const { abort } of places.values()) abort?.abort(new Error(reason))
  }

  function toView({ source, kilobitsPerSecond, level }: Connection): ConnectedSourceView {
    const { id, mount, streamer, client, type, format, connectedAt, title } = source
    return {
      ...{ id, stationId: LIVE_STATION_ID, mount, streamer, client, type, format, connectedAt, title },
      state: mixer.stateOf(source),
      kilobitsPerSecond: kilobitsPerSecond(),
      level: level(),
    }
  }

  return {
    sound,
    playing: (): LivePlaying | null => titles.playing() ?? remote?.playing ?? null,
    /** Calls the listener when the broadcast on air or its track changes. @returns a function that removes it */
    onChange(listener: () => void): () => void {
      stateListeners.add(listener)
      return () => stateListeners.delete(listener)
    },
    /** Returns the state of this process's own sources. */
    ownState: (): OnAirState => ({ onAir: mixer.airing()?.info ?? null, playing: titles.playing() }),
    /** Sets the state of the process that has the sources; null if no other process has them. */
    setRemoteState(state: OnAirState | null): void {
      remote = state
      reportState()
    },
    /** Looks for broadcasts that a crash interrupted. */
    recover: airings.recover,
    /** Disconnects all sources because another process may have taken them. It can continue the broadcast. */
    abandon(): void {
      airings.abandon()
      mixer.clear()?.end()
      abortAll('another process may have the live sources')
      // Ends the broadcast if no process continues it.
      airings.recover()
    },

    /**
     * Takes a place for a source.
     * @returns a function that reads the source until it ends
     * @throws AppError 415 for an unknown type, 503 if there are too many sources
     */
    accept({ contentType, ...details }: SourceRequest) {
      const parser = createAudioParser(contentType)
      if (!parser) throw errors.unsupportedType(refusal('streamer.sourceType'))
      if (isClosed || places.size >= maxSources) throw errors.unavailable(refusal('streamer.sourceFull'))
      const id = randomUUID()
      const end = (reason: string) => place.abort?.abort(new Error(reason))
      const source: NewSource = { id, ...details, connectedAt: now(), title: null, show: null, upcoming: null, end }
      const place: Place = { source, abort: null, connection: null }
      places.set(id, place)
      return async (body: AsyncIterable<Buffer>, abort: AbortController): Promise<void> => {
        place.abort = abort
        try {
          ;[source.show = null, source.upcoming = null] = await findShows(details.streamer.userId)
          startTicking()
          await runConnection({ mixer, onFault }, body, parser, source, abort, (connection) => {
            place.connection = connection
          })
        } finally {
          places.delete(id)
        }
      }
    },

    /** Sets the title of a streamer's source, also before its first audio. @returns false if the streamer has none */
    setTitle(userId: string, mount: string, title: LiveTitle): boolean {
      const own = [...places.values()].filter(({ source }) => source.streamer.userId === userId)
      const named = own.filter(({ source }) => source.mount === mount)
      // A streamer who connects again has two sources on the mount until the new one sends audio.
      for (const { source, connection } of named.length > 0 ? named : own) {
        if (connection) mixer.setTitle(connection.source, title)
        else source.title = title
      }
      return own.length > 0
    },
    /** Notes that a program sent a wrong password. */
    addRefused: refused.add,
    /** Returns the programs that sent a wrong password within the last minutes. */
    refused: refused.list,

    /** @returns a function that removes the observer */
    observe(observer: BroadcastObserver): () => void {
      observers.add(observer)
      return () => observers.delete(observer)
    },
    onAir: (stationId: number): OnAir | null =>
      stationId === LIVE_STATION_ID ? (mixer.airing()?.info ?? remote?.onAir ?? null) : null,
    sources: () => connections().map(toView),
    /** Puts a source on air at once; the source that was on air stands by. @throws AppError NOT_FOUND */
    takeOver(sourceId: string): void {
      const { source } = find(sourceId)
      if (source.isTest) throw errors.conflict(refusal('streamer.sourceIsTest'))
      mixer.takeOver(source)
    },
    /** Disconnects a source; its broadcast ends without a grace period. @throws AppError NOT_FOUND */
    disconnect: (sourceId: string): void => disconnect(find(sourceId)),
    /** Disconnects all sources of a user, for example when an admin disables the account. */
    disconnectUser(userId: string): void {
      for (const connection of connections()) {
        if (connection.source.streamer.userId === userId) disconnect(connection)
      }
    },
    async close(): Promise<void> {
      isClosed = true
      clearInterval(tickTimer)
      // The broadcast stays open, so that it can go on after a restart.
      mixer.clear()
      abortAll('the site is closing')
      await airings.close()
    },
  }
}
