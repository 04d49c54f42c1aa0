import { fileURLToPath } from 'node:url'
import type { FastifyBaseLogger } from 'fastify'
import { RECORDINGS_FOLDER } from '#server/features/radio/record/store.ts'
import { type FileEntry, findMp3Files, hashId, mapFiles, statFile } from './files.ts'
import type { Mp3Info } from './mp3File.ts'
import {
  createTimeline,
  getPositionAt,
  MAX_DRIFT_SECONDS,
  type PlannedTrack,
  type Timeline,
  type Track,
  withRequests,
} from './timeline.ts'

type Deps = {
  dir: string
  demo: string
  getMp3Info: (file: FileEntry) => Promise<Mp3Info | null>
  /** null if the station takes no requests */
  planned: PlannedTracks | null
  now: () => Date
  log: Pick<FastifyBaseLogger, 'warn' | 'error'>
}

export type PlannedTracks = {
  /** Returns the last known tracks at once. */
  current(): PlannedTrack[]
  /** Resolves when the latest tracks are known, or after a short time if they cannot be read. */
  ready(): Promise<void>
}

export type Library = ReturnType<typeof createLibrary>

export const SHOWS_FOLDER = 'shows'
/** Plays when the music folder is empty. The build copies the file next to the server bundle. */
export const DEMO_TRACK = fileURLToPath(new URL('./demo.mp3', import.meta.url))

const RESCAN_MS = 60_000
/** Delay before an unreadable track is tried again: the disk may have failed only temporarily. */
const RETRY_MS = 600_000
const MAX_FILES = 5000
/** Shorter files are skipped: a folder full of them would make the server open files constantly. */
const MIN_TRACK_SECONDS = 1
const MAX_LOGGED_NAMES = 20

export function createLibrary({ dir, demo, getMp3Info, planned, now, log }: Deps) {
  let tracks: Track[] = []
  let timeline: Timeline | null = null
  let scannedAt = Number.NEGATIVE_INFINITY
  let scanning: Promise<void> | null = null
  let loggedFiles = ''
  /** replaces the timeline at a time in ms since 1970: the current track ends first */
  let upcoming: { timeline: Timeline | null; from: number } | null = null
  /** versions of files that could not be read to their end, with the time in ms since 1970 */
  const unreadable = new Map<string, number>()

  function refresh(): Promise<void> | null {
    // `Math.abs` also forces a rescan after the clock was set back.
    if (Math.abs(now().getTime() - scannedAt) < RESCAN_MS) return scanning
    scanning ??= scan()
      .catch((error) => log.error({ err: error }, 'could not scan the music folder'))
      .finally(() => {
        scanning = null
        scannedAt = now().getTime()
      })
    return scanning
  }

  async function scan(): Promise<void> {
    const files = await findMp3Files(dir, MAX_FILES, [SHOWS_FOLDER, RECORDINGS_FOLDER])
    const time = now().getTime()
    for (const [version, at] of unreadable) if (Math.abs(time - at) > RETRY_MS) unreadable.delete(version)
    const infos = await mapFiles(files, getMp3Info)
    const scanned = files.flatMap((file, index) => toTrack(file, infos[index]) ?? [])
    tracks = scanned.some(isReadable) ? scanned : await loadDemoTrack()
    const built = buildTimeline()
    replaceTimeline(built)
    logUnplayedFiles(
      built,
      files.filter(({ path }) => !built?.tracks.some(({ file }) => file.path === path)),
    )
  }

  const isReadable = ({ file }: Track) => !unreadable.has(file.version)

  async function loadDemoTrack(): Promise<Track[]> {
    const file = await statFile(demo, '')
    const track = file && toTrack(file, await getMp3Info(file).catch(() => null))
    return track ? [track] : []
  }

  /** Uses only the format with the longest total duration, because browsers stop when the format changes. */
  function buildTimeline(): Timeline | null {
    const groups = new Map<string, { tracks: Track[]; seconds: number }>()
    for (const track of tracks.filter(isReadable)) {
      const { format, secondsPerFrame, frames } = track.info
      const group = groups.get(format) ?? { tracks: [], seconds: 0 }
      group.tracks.push(track)
      group.seconds += frames * secondsPerFrame
      groups.set(format, group)
    }
    const [longest] = [...groups.values()].sort((a, b) => b.seconds - a.seconds)
    return createTimeline(longest?.tracks ?? [])
  }

  /** Lets the current track play to its end, if there is still such a track. */
  function replaceTimeline(next: Timeline | null): void {
    const old = currentTimeline()
    const { track, end } = (old && getPositionAt(old, now().getTime())) ?? {}
    const isKept = old?.format === next?.format && next?.tracks.some(({ id }) => id === track?.id)
    // A listener's track can end early, and the next one must be of the new timeline.
    const from = isKept && old && end ? (end * old.secondsPerFrame - MAX_DRIFT_SECONDS) * 1000 : 0
    upcoming = { timeline: next, from }
  }

  function currentTimeline(): Timeline | null {
    if (upcoming && upcoming.from <= now().getTime()) {
      timeline = upcoming.timeline
      upcoming = null
    }
    return timeline && withRequests(timeline, planned?.current() ?? [])
  }

  function logUnplayedFiles(built: Timeline | null, unplayed: FileEntry[]): void {
    const names = unplayed.map(({ name }) => name)
    const nameList = names.join('\n')
    if (nameList === loggedFiles) return
    loggedFiles = nameList
    if (names.length === 0) return
    log.warn(
      { files: names.slice(0, MAX_LOGGED_NAMES), count: names.length, format: built?.format },
      'these files in the music folder are not played: not readable as mp3, or not the sample rate and channel count of most files',
    )
  }

  return {
    /** Returns null when there are no tracks. */
    async timeline(): Promise<Timeline | null> {
      const scan = refresh()
      if (!currentTimeline() && scan) await scan
      await planned?.ready()
      return currentTimeline()
    },
    /** Returns the last timeline at once and rescans in the background. */
    currentTimeline(): Timeline | null {
      refresh()
      return currentTimeline()
    },
    /** Leaves out a track for some minutes, from now on. */
    exclude({ file }: Track): void {
      unreadable.set(file.version, now().getTime())
      timeline = buildTimeline()
      upcoming = null
      // The folder has probably changed: rescan.
      scannedAt = Number.NEGATIVE_INFINITY
    },
    findTrack: (id: number): Track | null => tracks.find((track) => track.id === id) ?? null,
  }
}

function toTrack(file: FileEntry, info: Mp3Info | null | undefined): Track | null {
  if (!info || info.frames * info.secondsPerFrame < MIN_TRACK_SECONDS) return null
  // The same on all machines, also in copies of the folder.
  return { id: hashId(`${file.relative} ${file.size}`), file, info }
}
