import { randomUUID } from 'node:crypto'
import { errors } from '#server/core/errors.ts'
import { type Connection, type NewSource, runConnection } from '#server/features/radio/input/connection.ts'
import { createAudioParser } from '#server/features/radio/input/frames/audioParser.ts'
import { STATION_ID } from '#server/features/radio/types.ts'
import type { ConnectedSourceView } from '#src/contract/liveSources.ts'
import { refusal } from '#src/contract/refusal.ts'
import type { createMixer } from './mixer.ts'
import type { LiveTitle } from './types.ts'

export type SourceRequest = {
  streamer: { userId: string; name: string }
  mount: string
  isTest: boolean
  client: string
  contentType: string
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
  mixer: ReturnType<typeof createMixer>
  /** Resolves before a source is read. */
  onConnect: (source: NewSource) => Promise<void>
  onFault: (error: unknown) => void
  now: () => Date
}

/** The sources of this process from their login on, also before their first audio. */
export function createPlaces({ maxSources, mixer, onConnect, onFault, now }: Deps) {
  const places = new Map<string, Place>()
  let isClosed = false

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

  function toView({ source, kilobitsPerSecond, level }: Connection): ConnectedSourceView {
    const { id, mount, streamer, client, type, format, connectedAt, title } = source
    return {
      ...{ id, stationId: STATION_ID, mount, streamer, client, type, format, connectedAt, title },
      state: mixer.stateOf(source),
      kilobitsPerSecond: kilobitsPerSecond(),
      level: level(),
    }
  }

  function abortAll(reason: string): void {
    for (const { abort } of places.values()) abort?.abort(new Error(reason))
  }

  return {
    abortAll,
    hasSound: () => connections().length > 0,

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
          await onConnect(source)
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
    close(): void {
      isClosed = true
      abortAll('the site is closing')
    },
  }
}
