import { fileURLToPath } from 'node:url'
import type { FastifyBaseLogger } from 'fastify'
import { RECORDINGS_FOLDER } from '#server/features/radio/record/store.ts'
import { type FileEntry, findMp3Files, hashId, mapFiles, statFile } from './files.ts'
import type { Mp3Info } from './mp3File.ts'
import {
  continueTimeline,
  createTimeline,
  type PlannedTrack,
  startTrack,
  type Timeline,
  type TimelinePosition,
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
  /** Resolves when the tracks are known for the first time, or if they cannot be read. */
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
  let scannedVersions: string | null = null
  let loggedFiles = ''
  /** frames of tracks whose files were read to their end and have more or fewer than estimated; 0 if unreadable */
  const lengths = new Map<number, { frames: number; at: number }>()

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
    for (const [id, { frames, at }] of lengths) {
      if (frames > 0 || Math.abs(time - at) <= RETRY_MS) continue
      lengths.delete(id)
      scannedVersions = null
    }
    const versions = files.map(({ path, version }) => `${path} ${version}`).join('\n')
    if (versions === scannedVersions) return
    const infos = await mapFiles(files, async (file) => ({ info: await getMp3Info(file) }))
    const scanned = files.flatMap((file, index) => toTrack(file, infos[index]?.info) ?? [])
    tracks = scanned.some(({ id }) => lengths.get(id)?.frames !== 0) ? scanned : await loadDemoTrack()
    // Retry unreadable files in the next scan, even if they have not changed.
    scannedVersions = infos.includes(null) ? null : versions
    replaceTimeline(buildTimeline())
    logUnplayedFiles(files.filter(({ path }) => !timeline?.tracks.some(({ file }) => file.path === path)))
  }

  async function loadDemoTrack(): Promise<Track[]> {
    const file = await statFile(demo, '')
    const track = file && toTrack(file, await getMp3Info(file).catch(() => null))
    return track ? [track] : []
  }

  /** Uses only the format with the longest total duration, because browsers stop when the format changes. */
  function buildTimeline(): Timeline | null {
    const groups = new Map<string, { tracks: Track[]; seconds: number }>()
    for (const track of tracks) {
      const { format, secondsPerFrame } = track.info
      const frames = lengths.get(track.id)?.frames ?? track.info.frames
      if (frames === 0) continue
      const group = groups.get(format) ?? { tracks: [], seconds: 0 }
      group.tracks.push({ ...track, info: { ...track.info, frames } })
      group.seconds += frames * secondsPerFrame
      groups.set(format, group)
    }
    const [longest] = [...groups.values()].sort((a, b) => b.seconds - a.seconds)
    return createTimeline(longest?.tracks ?? [])
  }

  function replaceTimeline(next: Timeline | null): void {
    const old = currentTimeline()
    timeline = old && next ? continueTimeline(old, next, now().getTime()) : next
  }

  const currentTimeline = () => timeline && withRequests(timeline, planned?.current() ?? [])

  function logUnplayedFiles(unplayed: FileEntry[]): void {
    const names = unplayed.map(({ name }) => name)
    const nameList = names.join('\n')
    if (nameList === loggedFiles) return
    loggedFiles = nameList
    if (names.length === 0) return
    log.warn(
      { files: names.slice(0, MAX_LOGGED_NAMES), count: names.length, format: timeline?.format },
      'these files in the music folder are not played: not readable as mp3, or not the sample rate and channel count of most files',
    )
  }

  return {
    /** Returns null when there are no tracks. */
    async timeline(): Promise<Timeline | null> {
      const scan = refresh()
      if (!timeline && scan) await scan
      await planned?.ready()
      return currentTimeline()
    },
    /** Returns the last timeline at once and rescans in the background. */
    currentTimeline(): Timeline | null {
      refresh()
      return currentTimeline()
    },
    onTrackStart(started: Pick<TimelinePosition, 'track' | 'requestId'>, timeMs: number): void {
      const current = currentTimeline()
      timeline = current && startTrack(current, started, timeMs)
    },
    /** Corrects the length of a track. @param frames less than a second of sound, or none, excludes it */
    correctLength({ id, info }: Track, frames: number): void {
      const isPlayed = frames * info.secondsPerFrame >= MIN_TRACK_SECONDS
      lengths.set(id, { frames: isPlayed ? frames : 0, at: now().getTime() })
      replaceTimeline(buildTimeline())
      if (isPlayed) return
      // The folder has probably changed: rescan.
      scannedVersions = null
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
