import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { errors, errorTexts } from '#server/core/errors.ts'
import {
  type RadioSource,
  RadioUnavailable,
  type SourceNowPlaying,
  type SourceSong,
} from '#server/features/radio/types.ts'
import { radioMessages } from '#src/contract/radio.ts'
import { rememberPerFile } from './fileCache.ts'
import { createLibrary, SHOWS } from './library.ts'
import type { FoundFile } from './mp3Files.ts'
import { probe } from './mp3Info.ts'
import { play } from './playout.ts'
import { createShows } from './shows.ts'
import { readPicture, readTags } from './tags.ts'
import { placeAt, type Timeline, type Track, trackAt } from './timeline.ts'

export type EmbeddedDeps = {
  /** folder of the music; it need not be there */
  dir: string
  /** the track that is played where the folder has none */
  demo: string
  now: () => Date
  log: Pick<FastifyBaseLogger, 'warn' | 'error'>
  sleep?: (ms: number, signal: AbortSignal) => Promise<unknown>
}

const STATION = { id: 1, name: 'Radio', description: 'The music of this site', listenUrl: '' }
const HISTORY = 5
/** Guards memory; a library has 5000 files at most. */
const REMEMBERED_SOUNDS = 20_000
const REMEMBERED_TAGS = 5000

/**
 * The station built in: plays the music of a folder, round and round by the clock, and has its past shows. It looks at
 * nothing before somebody asks, and nothing runs while nobody listens.
 */
export function createEmbeddedSource({ dir, demo, now, log, sleep = wait }: EmbeddedDeps): RadioSource {
  const soundOf = rememberPerFile(REMEMBERED_SOUNDS, probe)
  const tagsOf = rememberPerFile(REMEMBERED_TAGS, readTags)
  const library = createLibrary({ dir, demo, soundOf, now, log })
  const shows = createShows({ dir: join(dir, SHOWS), soundOf, tagsOf, now })
  const closing = new AbortController()

  async function songOf({ id, file }: Track): Promise<SourceSong> {
    const tags = await tagsOf(file).catch(() => null)
    return {
      title: tags?.title ?? titleOf(file),
      artist: tags?.artist ?? '',
      album: tags?.album ?? '',
      art: tags?.hasPicture ? String(id) : null,
    }
  }

  /** The songs before the one on air, newest first, none of them twice. */
  async function historyOf(timeline: Timeline, index: number, startedAt: number): Promise<SourceNowPlaying['history']> {
    const history: SourceNowPlaying['history'] = []
    let playedAt = startedAt
    for (let back = 1; back <= Math.min(HISTORY, timeline.tracks.length - 1); back++) {
      const track = trackAt(timeline, index - back)
      playedAt -= track.sound.frames * timeline.secondsPerFrame * 1000
      history.push({ song: await songOf(track), playedAt: new Date(playedAt).toISOString() })
    }
    return history
  }

  return {
    stations: async () => [STATION],

    async nowPlaying(stationId) {
      expectStation(stationId)
      const timeline = await library.timeline()
      const nobody = { listeners: null, live: { isLive: false, streamer: '' } }
      if (!timeline) return { song: null, elapsed: 0, duration: 0, history: [], ...nobody }
      const time = now().getTime()
      const { index, track, frame } = placeAt(timeline, time)
      const elapsed = frame * timeline.secondsPerFrame
      return {
        song: await songOf(track),
        elapsed,
        duration: track.sound.frames * timeline.secondsPerFrame,
        history: await historyOf(timeline, index, time - elapsed * 1000),
        ...nobody,
      }
    },

    async streamers(stationId) {
      expectStation(stationId)
      return shows.streamers()
    },

    async broadcasts(stationId, streamerId) {
      expectStation(stationId)
      return shows.broadcasts(streamerId)
    },

    async openStream(stationId, signal) {
      expectStation(stationId)
      if (!(await library.timeline())) throw new RadioUnavailable('there is nothing to play')
      const ending = AbortSignal.any([signal, closing.signal])
      return { type: 'audio/mpeg', metadataEvery: null, body: play({ library, now, sleep }, ending) }
    },

    async openRecording({ stationId, ...ids }, range, signal) {
      expectStation(stationId)
      return shows.open(ids, range, signal)
    },

    async readArt(reference) {
      const track = library.find(Number(reference))
      const picture = track && (await readPicture(track.file).catch(() => null))
      if (!picture) throw errors.notFound(errorTexts.notFound)
      return picture
    },

    async close() {
      closing.abort()
    },
  }
}

function expectStation(stationId: number): void {
  if (stationId !== STATION.id) throw errors.notFound(radioMessages.stationNotFound)
}

const titleOf = ({ name }: FoundFile) => name.replace(/\.[^.]*$/, '')

const wait = (ms: number, signal: AbortSignal) => setTimeout(ms, undefined, { signal })
