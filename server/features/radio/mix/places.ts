import { randomUUID } from 'node:crypto'
import { errors } from '#server/core/errors.ts'
import { runConnection } from '#server/features/radio/input/connection.ts'
import { createAudioParser, NoSound } from '#server/features/radio/input/frames/audioParser.ts'
import { STATION_ID } from '#server/features/radio/types.ts'
import type { ConnectedSourceView } from '#src/contract/liveSources.ts'
import { refusal } from '#src/contract/refusal.ts'
import type { createMixer } from './mixer.ts'
import type { LiveSource, LiveTitle } from './types.ts'

export type SourceRequest = {
  streamer: { userId: string; name: string }
  mount: string
  isTest: boolean
  client: string
  contentType: string
}

type Deps = {
  maxSources: number
  mixer: ReturnType<typeof createMixer>
  /** Resolves before a source is read. */
  onConnect: (source: LiveSource) => Promise<void>
  /** Notes a source whose sound cannot be played. */
  onUnplayable: (userId: string, client: string) => void
  onFault: (error: unknown) => void
  now: () => Date
}

/** The sources of this process from their login on, also before their first audio. */
export function createPlaces({ maxSources, mixer, onConnect, onUnplayable, onFault, now }: Deps) {
  const places = new Map<string, LiveSource>()
  let isClosed = false

  /** Finds a source that has sent audio. */
  function find(sourceId: string): LiveSource {
    const source = mixer.sources().find(({ id }) => id === sourceId)
    if (!source) throw errors.notFound(refusal('streamer.sourceNotFound'))
    return source
  }

  function disconnect(source: LiveSource): void {
    mixer.remove(source, false)
    source.end('disconnected')
  }

  function toView(source: LiveSource): ConnectedSourceView {
    const { id, mount, streamer, client, type, format, connectedAt, title } = source
    return {
      ...{ id, stationId: STATION_ID, mount, streamer, client, type, format, connectedAt, title },
      state: mixer.stateOf(source),
      kilobitsPerSecond: source.kilobitsPerSecond(),
      level: source.level(),
    }
  }

  /** Frees the places of a streamer's connections without audio. The mixer replaces those with audio. */
  function endUnheard({ streamer, isTest }: Pick<SourceRequest, 'streamer' | 'isTest'>): void {
    for (const other of places.values()) {
      if (other.type !== '' || other.isTest !== isTest || other.streamer.userId !== streamer.userId) continue
      other.end('the streamer connected again')
      places.delete(other.id)
    }
  }

  function endAll(reason: string): void {
    for (const source of places.values()) source.end(reason)
  }

  return {
    endAll,

    /**
     * Takes a place for a source.
     * @param abort ends the connection of the source
     * @returns a function that reads the source until it ends
     * @throws AppError 415 for an unknown type, 503 if there are too many sources
     */
    accept({ contentType, ...details }: SourceRequest, abort: AbortController) {
      const parser = createAudioParser(contentType)
      const { streamer, client } = details
      if (!parser) {
        onUnplayable(streamer.userId, client)
        throw errors.unsupportedType(refusal('streamer.sourceType'))
      }
      endUnheard(details)
      if (isClosed || places.size >= maxSources) throw errors.unavailable(refusal('streamer.sourceFull'))
      const source: LiveSource = {
        ...{ id: randomUUID(), ...details, connectedAt: now(), type: '', format: '', header: [] },
        ...{ title: null, show: null, upcoming: null, isForced: false, isSilent: false },
        ...{ kilobitsPerSecond: () => 0, level: () => null, end: (reason) => abort.abort(new Error(reason)) },
      }
      places.set(source.id, source)
      return async (body: AsyncIterable<Buffer>): Promise<void> => {
        try {
          await onConnect(source)
          await runConnection({ mixer, onFault }, source, body, parser, abort)
        } catch (error) {
          if (error instanceof NoSound && source.type === '') onUnplayable(streamer.userId, client)
          throw error
        } finally {
          places.delete(source.id)
        }
      }
    },

    /** Sets the title of a streamer's source, also before its first audio. @returns false if the streamer has none */
    setTitle(userId: string, mount: string, title: LiveTitle): boolean {
      const own = [...places.values()].filter(({ streamer }) => streamer.userId === userId)
      const named = own.filter((source) => source.mount === mount)
      // A streamer who connects again has two sources on the mount until the new one sends audio.
      for (const source of named.length > 0 ? named : own) mixer.setTitle(source, title)
      return own.length > 0
    },

    sources: () => mixer.sources().map(toView),
    /** Puts a source on air at once; the source that was on air stands by. @throws AppError NOT_FOUND */
    takeOver(sourceId: string): void {
      const source = find(sourceId)
      if (source.isTest) throw errors.conflict(refusal('streamer.sourceIsTest'))
      mixer.takeOver(source)
    },
    /** Disconnects a source; its broadcast ends without a grace period. @throws AppError NOT_FOUND */
    disconnect: (sourceId: string): void => disconnect(find(sourceId)),
    /** Disconnects all sources of a user, for example when an admin disables the account. */
    disconnectUser(userId: string): void {
      for (const source of places.values()) if (source.streamer.userId === userId) disconnect(source)
    },
    close(): void {
      isClosed = true
      endAll('the site is closing')
    },
  }
}
