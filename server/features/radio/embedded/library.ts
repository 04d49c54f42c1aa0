import type { FastifyBaseLogger } from 'fastify'
import { forEachFile } from './fileCache.ts'
import { type FoundFile, findMp3, idOf, look } from './mp3Files.ts'
import type { Sound } from './mp3Info.ts'
import { begun, joined, makeTimeline, type Timeline, type Track } from './timeline.ts'

type Deps = {
  dir: string
  /** played where the folder has nothing to play */
  demo: string
  soundOf: (file: FoundFile) => Promise<Sound | null>
  now: () => Date
  log: Pick<FastifyBaseLogger, 'warn' | 'error'>
}

export type Library = {
  /** What is on air, as the folder was a minute ago at most when somebody asked before; null when there is nothing. */
  timeline(): Promise<Timeline | null>
  /** The same without waiting. */
  current(): Timeline | null
  /** Tells when a track begins in the sound that is sent, in milliseconds: what is on air follows that. */
  begins(track: Track, time: number): void
  /** A track could not be played: it is left out for some minutes. */
  lose(track: Track): void
  find(id: number): Track | null
}

/** Below the music lie the recordings of past shows. */
export const SHOWS = 'shows'

const RESCAN_MS = 60_000
/** A track that could not be played, as with a disk that was away for a moment, gets another chance. */
const RETRY_MS = 600_000
/** Guards memory and time: further files are not played. */
const FILES = 5000
/** Shorter ones are no tracks: a folder of them would be opened over and over. */
const TRACK_SECONDS = 1
const NAMES_IN_LOG = 20

/** The music of the station: looked for when somebody asks, and again after a minute, beside what plays. */
export function createLibrary({ dir, demo, soundOf, now, log }: Deps): Library {
  let tracks: Track[] = []
  let timeline: Timeline | null = null
  let scannedAt = Number.NEGATIVE_INFINITY
  let scanning: Promise<void> | null = null
  let seen: string | null = null
  let noted = ''
  /** ids of tracks that could not be played, and when that was */
  const lost = new Map<number, number>()

  function refresh(): Promise<void> | null {
    // A clock that was set back makes nothing last longer.
    if (Math.abs(now().getTime() - scannedAt) < RESCAN_MS) return scanning
    scanning ??= scan()
      .catch((error) => log.error({ err: error }, 'the music of the radio could not be read'))
      .finally(() => {
        scanning = null
        scannedAt = now().getTime()
      })
    return scanning
  }

  async function scan(): Promise<void> {
    const files = await findMp3(dir, FILES, SHOWS)
    const time = now().getTime()
    for (const [id, since] of lost) {
      if (Math.abs(time - since) <= RETRY_MS) continue
      lost.delete(id)
      seen = null
    }
    const versions = files.map(({ path, version }) => `${path} ${version}`).join('\n')
    if (versions === seen) return
    const sounds = await forEachFile(files, async (file) => ({ sound: await soundOf(file) }))
    const found = files.flatMap((file, index) => trackOf(file, sounds[index]?.sound) ?? [])
    tracks = found.some(({ id }) => !lost.has(id)) ? found : await demoTrack()
    // What could not be read is tried again, whether it has changed or not.
    seen = sounds.includes(null) ? null : versions
    const next = choose()
    timeline = timeline && next ? joined(timeline, next, now().getTime()) : next
    note(files.filter(({ path }) => !timeline?.tracks.some(({ file }) => file.path === path)))
  }

  async function demoTrack(): Promise<Track[]> {
    const file = await look(demo, '')
    const track = file && trackOf(file, await soundOf(file).catch(() => null))
    return track ? [track] : []
  }

  /** The format with the most sound in it: a browser gives up when it changes between two tracks. */
  function choose(): Timeline | null {
    const groups = new Map<string, { tracks: Track[]; seconds: number }>()
    for (const track of tracks.filter(({ id }) => !lost.has(id))) {
      const { format, frames, secondsPerFrame } = track.sound
      const group = groups.get(format) ?? { tracks: [], seconds: 0 }
      group.tracks.push(track)
      group.seconds += frames * secondsPerFrame
      groups.set(format, group)
    }
    const [most] = [...groups.values()].sort((a, b) => b.seconds - a.seconds)
    return makeTimeline(most?.tracks ?? [])
  }

  function note(left: FoundFile[]): void {
    const names = left.map(({ name }) => name)
    const list = names.join('\n')
    if (list === noted) return
    noted = list
    if (names.length === 0) return
    log.warn(
      { files: names.slice(0, NAMES_IN_LOG), count: names.length, format: timeline?.format },
      'these files in the folder of the radio are not played: no mp3 that can be read, or another sample rate or number of channels than most of the music',
    )
  }

  return {
    async timeline() {
      const scan = refresh()
      if (!timeline && scan) await scan
      return timeline
    },
    current() {
      refresh()
      return timeline
    },
    begins(track, time) {
      timeline &&= begun(timeline, track, time)
    },
    lose(track) {
      lost.set(track.id, now().getTime())
      const next = choose()
      timeline = timeline && next ? joined(timeline, next, now().getTime()) : next
      // There is a reason, and what it is shows in the folder.
      seen = null
      scannedAt = Number.NEGATIVE_INFINITY
    },
    find: (id) => tracks.find((track) => track.id === id) ?? null,
  }
}

function trackOf(file: FoundFile, sound: Sound | null | undefined): Track | null {
  if (!sound || sound.frames * sound.secondsPerFrame < TRACK_SECONDS) return null
  return { id: idOf(`${file.path} ${file.version}`), file, sound }
}
