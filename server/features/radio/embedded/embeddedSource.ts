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
import { cachePerFile } from './fileCache.ts'
import { createLibrary, SHOWS_FOLDER } from './library.ts'
import type { FileEntry } from './mp3Files.ts'
import { readMp3Info } from './mp3Info.ts'
import { streamTimeline } from './playout.ts'
import { createShowArchive } from './shows.ts'
import { readCoverArt, readTags } from './tags.ts'
import { getPositionAt, getTrackAt, type Timeline, type Track } from './timeline.ts'

export type EmbeddedDeps = {
  station: { name: string; description: string }
  dir: string
  /** the track that plays if there is no other; its file names another artist */
  demo: { path: string; artist: string }
  now: () => Date
  log: Pick<FastifyBaseLogger, 'warn' | 'error'>
  sleep?: (ms: number, signal: AbortSignal) => Promise<unknown>
}

const STATION_ID = 1
const HISTORY_LENGTH = 5
const MAX_CACHED_INFOS = 20_000
const MAX_CACHED_TAGS = 5000

/**
 * Creates a source that loops the music in a folder and serves past shows. It calculates the position from the clock,
 * so it does nothing without listeners.
 */
export function createEmbeddedSource({ station, dir, demo, now, log, sleep = wait }: EmbeddedDeps): RadioSource {
  const getMp3Info = cachePerFile(MAX_CACHED_INFOS, readMp3Info)
  const getTags = cachePerFile(MAX_CACHED_TAGS, readTags)
  const library = createLibrary({ dir, demo: demo.path, getMp3Info, now, log })
  const shows = createShowArchive({ dir: join(dir, SHOWS_FOLDER), getMp3Info, getTags, now })
  const closing = new AbortController()

  async function getSong({ id, file }: Track): Promise<SourceSong> {
    const tags = await getTags(file).catch(() => null)
    return {
      title: tags?.title ?? titleFromFilename(file),
      artist: file.path === demo.path ? demo.artist : (tags?.artist ?? ''),
      album: tags?.album ?? '',
      art: tags?.hasCoverArt ? String(id) : null,
    }
  }

  async function getHistory(timeline: Timeline, index: number, startedAt: number) {
    const history: SourceNowPlaying['history'] = []
    let playedAt = startedAt
    for (let back = 1; back <= Math.min(HISTORY_LENGTH, timeline.tracks.length - 1); back++) {
      const track = getTrackAt(timeline, index - back)
      playedAt -= track.info.frames * timeline.secondsPerFrame * 1000
      history.push({ song: await getSong(track), playedAt: new Date(playedAt).toISOString() })
    }
    return history
  }

  return {
    stations: async () => [{ id: STATION_ID, ...station, listenUrl: '' }],

    async nowPlaying(stationId) {
      assertStation(stationId)
      const timeline = await library.timeline()
      const noListeners = { listeners: null, live: { isLive: false, streamer: '' } }
      if (!timeline) return { song: null, elapsed: 0, duration: 0, history: [], ...noListeners }
      const time = now().getTime()
      const { index, track, frame } = getPositionAt(timeline, time)
      const elapsed = frame * timeline.secondsPerFrame
      return {
        song: await getSong(track),
        elapsed,
        duration: track.info.frames * timeline.secondsPerFrame,
        history: await getHistory(timeline, index, time - elapsed * 1000),
        ...noListeners,
      }
    },

    async streamers(stationId) {
      assertStation(stationId)
      return shows.streamers()
    },

    async broadcasts(stationId, streamerId) {
      assertStation(stationId)
      return shows.broadcasts(streamerId)
    },

    async openStream(stationId, signal) {
      assertStation(stationId)
      if (!(await library.timeline())) throw new RadioUnavailable('no music to play')
      const ending = AbortSignal.any([signal, closing.signal])
      return { type: 'audio/mpeg', metadataInterval: null, body: streamTimeline({ library, now, sleep }, ending) }
    },

    async openRecording({ stationId, ...ids }, range, signal) {
      assertStation(stationId)
      return shows.open(ids, range, signal)
    },

    async readArt(reference) {
      const track = library.findTrack(Number(reference))
      const picture = track && (await readCoverArt(track.file).catch(() => null))
      if (!picture) throw errors.notFound(errorTexts.notFound)
      return picture
    },

    async close() {
      closing.abort()
    },
  }
}

function assertStation(stationId: number): void {
  if (stationId !== STATION_ID) throw errors.notFound(radioMessages.stationNotFound)
}

const titleFromFilename = ({ name }: FileEntry) => name.replace(/\.[^.]*$/, '')

const wait = (ms: number, signal: AbortSignal) => setTimeout(ms, undefined, { signal })
