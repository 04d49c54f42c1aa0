import { randomUUID } from 'node:crypto'
import { errors } from '#server/core/errors.ts'
import { runConnection } from '#server/features/radio/input/connection.ts'
import { createAudioParser, NoSound } from '#server/features/radio/input/frames/audioParser.ts'
import { createRefusedSources } from '#server/features/radio/input/login.ts'
import { STATION_ID } from '#server/features/radio/types.ts'
import type { ConnectedSourceView } from '#src/contract/liveSources.ts'
import { refusal } from '#src/contract/refusal.ts'
import type { createMixer } from './mixer.ts'
import type { LiveSource, LiveTitle } from './types.ts'

export type SourceRequest = Pick<LiveSource, 'streamer' | 'mount' | 'isTest' | 'client'> & { contentType: string }

type Deps = {
  mixer: ReturnType<typeof createMixer>
  /** Resolves before a source is read. */
  prepare: (source: LiveSource) => Promise<void>
  onFault: (error: unknown) => void
  now: () => Date
}

/** Reads the sources of this process, and answers the calls about them. */
export function createSources({ mixer, prepare, onFault, now }: Deps) {
  const refused = createRefusedSources(now)

  /**
   * Takes a place for a source.
   * @param abort ends the connection of the source
   * @returns a function that reads the source until it ends
   * @throws AppError 415 for an unknown type, 503 if there are too many sources
   */
  function accept({ contentType, ...details }: SourceRequest, abort: AbortController) {
    const parser = createAudioParser(contentType)
    const noteUnplayable = () => refused.add(details.streamer.userId, details.client, 'sound')
    if (!parser) {
      noteUnplayable()
      throw errors.unsupportedType(refusal('streamer.sourceType'))
    }
    const source: LiveSource = {
      ...{ id: randomUUID(), ...details, connectedAt: now(), type: '', format: '', header: [] },
      ...{ title: null, show: null, upcoming: null, isForced: false, isSilent: false },
      ...{ kilobitsPerSecond: () => 0, level: () => null, end: (reason) => abort.abort(new Error(reason)) },
    }
    mixer.connect(source)
    return async (body: AsyncIterable<Buffer>): Promise<void> => {
      try {
        await prepare(source)
        await runConnection({ mixer, onFault }, source, body, parser, abort)
      } catch (error) {
        if (error instanceof NoSound && source.type === '') noteUnplayable()
        throw error
      } finally {
        mixer.remove(source, true)
      }
    }
  }

  const heard = () => mixer.sources().filter(({ type }) => type !== '')

  /** @throws AppError NOT_FOUND unless the source has sent audio */
  function find(sourceId: string): LiveSource {
    const source = heard().find(({ id }) => id === sourceId)
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
      ...{ state: mixer.stateOf(source), level: source.level(), kilobitsPerSecond: source.kilobitsPerSecond() },
    }
  }

  return {
    accept,
    /** Notes that a program was refused. */
    addRefused: refused.add,
    /** Returns the programs that were refused within the last minutes. */
    refused: refused.list,
    /** Returns the sources that have sent audio. */
    sources: () => heard().map(toView),
    /** Sets the title of a streamer's source, also before its first audio. @returns false if the streamer has none */
    setTitle(userId: string, mount: string, title: LiveTitle | null): boolean {
      const own = mixer.sources().filter(({ streamer }) => streamer.userId === userId)
      const named = own.filter((source) => source.mount === mount)
      // A streamer who connects again has two sources on the mount until the new one sends audio.
      for (const source of named.length > 0 ? named : own) mixer.setTitle(source, title)
      return own.length > 0
    },
    /** Puts a source on air at once; the source that was on air stands by. @throws AppError 404, 409 */
    takeOver(sourceId: string): void {
      const source = find(sourceId)
      if (source.isTest) throw errors.conflict(refusal('streamer.sourceIsTest'))
      mixer.takeOver(source)
    },
    /** Disconnects a source; its broadcast ends without a grace period. @throws AppError NOT_FOUND */
    disconnect: (sourceId: string): void => disconnect(find(sourceId)),
    /** Disconnects all sources of a user, for example when an admin disables the account. */
    disconnectUser(userId: string): void {
      for (const source of mixer.sources()) if (source.streamer.userId === userId) disconnect(source)
    },
  }
}
