import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import { errors } from '#server/core/errors.ts'
import { mediaTypeOf, sleep as wait } from '#server/features/radio/input/frames/audioParser.ts'
import { formatTitle } from '#server/features/radio/input/titles.ts'
import type { LivePlaying, LiveStation, LiveTitle } from '#server/features/radio/mix/types.ts'
import { musicDueIn, streamStation } from '#server/features/radio/output/playout.ts'
import {
  type RadioSource,
  RadioUnavailable,
  type SourceNowPlaying,
  type SourceSong,
  STATION_ID,
} from '#server/features/radio/types.ts'
import { refusal } from '#src/contract/refusal.ts'
import { cachePerFile, type FileEntry } from './files.ts'
import { createLibrary, type PlannedTracks, SHOWS_FOLDER } from './library.ts'
import { readMp3Info } from './mp3File.ts'
import { createShowArchive } from './shows.ts'
import { readCoverArt, readTags } from './tags.ts'
import { getPositionAt, getPreviousPosition, type Timeline, type TimelinePosition, type Track } from './timeline.ts'
import { createTrackIndex } from './trackIndex.ts'

type EmbeddedDeps = {
  station: { name: string; description: string }
  dir: string
  /** the track that plays if there is no other; its file names another artist */
  demo: { path: string; artist: string }
  planned?: PlannedTracks | null
  now: () => Date
  log: Pick<FastifyBaseLogger, 'warn' | 'error'>
  sleep?: (ms: number, signal: AbortSignal) => Promise<unknown>
  live: LiveStation
}

const HISTORY_LENGTH = 5
const MUSIC_FORMAT = 'MPEG'
const MAX_CACHED_INFOS = 20_000
const MAX_CACHED_TAGS = 5000

/**
 * Creates a source with one station that loops the music in a folder and serves past shows. It calculates the position
 * from the clock, so it does nothing without listeners.
 */
export function createEmbeddedSource(deps: EmbeddedDeps): RadioSource {
  const { station, dir, demo, planned = null, now, log, live, sleep = wait } = deps
  const getMp3Info = cachePerFile(MAX_CACHED_INFOS, readMp3Info)
  const getTags = cachePerFile(MAX_CACHED_TAGS, readTags)
  const library = createLibrary({ dir, demo: demo.path, getMp3Info, planned, now, log })
  const shows = createShowArchive({ dir: join(dir, SHOWS_FOLDER), getMp3Info, getTags, now })
  const tracks = createTrackIndex({ library, getSong })
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

  async function getHistory(timeline: Timeline, current: TimelinePosition, startedAt: number) {
    const history: SourceNowPlaying['history'] = []
    let [position, playedAt] = [current, startedAt]
    // Without requests, each track of a short ring is listed once.
    for (let left = timeline.tracks.length - 1; history.length < HISTORY_LENGTH; ) {
      const previous = getPreviousPosition(timeline, position)
      if (previous.requestId === null && --left < 0) break
      playedAt -= (previous.end - previous.start) * timeline.secondsPerFrame * 1000
      const isRequest = previous.requestId !== null
      history.push({ song: await getSong(previous.track), playedAt: new Date(playedAt).toISOString(), isRequest })
      position = previous
    }
    return history
  }

  return {
    stations: async () => [{ id: STATION_ID, ...station, listenUrl: '' }],

    async nowPlaying() {
      const playing = live.playing()
      // A source on air does not wait for the library.
      if (playing && musicDueIn(live.sound, library.currentTimeline(), now()) > 0) return describeLive(playing, now())
      const timeline = await library.timeline()
      const silent = playing && { unheard: playing.streamer }
      const noListeners = { listeners: null, live: { isLive: false, streamer: '', ...silent } }
      if (!timeline) return { song: null, elapsed: 0, duration: 0, history: [], ...noListeners }
      const time = now().getTime()
      const position = getPositionAt(timeline, time)
      const { track, frame, requestId } = position
      const elapsed = frame * timeline.secondsPerFrame
      return {
        song: await getSong(track),
        elapsed,
        duration: track.info.frames * timeline.secondsPerFrame,
        isRequest: requestId !== null,
        history: await getHistory(timeline, position, time - elapsed * 1000),
        ...noListeners,
      }
    },

    streamers: shows.streamers,
    broadcasts: (_stationId, streamerId) => shows.broadcasts(streamerId),

    async openStream(_stationId, signal) {
      if (!live.sound.state() && !(await library.timeline())) throw new RadioUnavailable('no music to play')
      const ending = AbortSignal.any([signal, closing.signal])
      const titleOf = async (track: Track) => formatTitle(await getSong(track))
      const liveTitle = () => formatTitle(live.playing()?.title ?? { artist: '', title: '' })
      return streamStation({ library, live: live.sound, liveTitle, titleOf, now, sleep }, ending)
    },

    streamType: () => mediaTypeOf(live.sound.state()?.format ?? MUSIC_FORMAT),

    openRecording: shows.open,

    async readArt(reference) {
      const track = library.findTrack(Number(reference))
      const picture = track && (await readCoverArt(track.file).catch(() => null))
      if (!picture) throw errors.notFound(refusal('failure.notFound'))
      return picture
    },

    tracks: planned && tracks,

    async close() {
      closing.abort()
    },
  }
}

function describeLive({ streamer, title, since, history }: LivePlaying, now: Date): SourceNowPlaying {
  const toSong = (title: LiveTitle): SourceSong => ({ ...title, album: '', art: null })
  return {
    song: toSong(title),
    elapsed: Math.max(0, (now.getTime() - since.getTime()) / 1000),
    duration: 0,
    listeners: null,
    live: { isLive: true, streamer },
    history: history.map(({ title, at }) => ({ song: toSong(title), playedAt: at.toISOString() })),
  }
}

const titleFromFilename = ({ name }: FileEntry) => name.replace(/\.[^.]*$/, '')
