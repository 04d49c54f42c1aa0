import { join } from 'node:path'
import { errors } from '#server/core/errors.ts'
import { openFile } from '#server/features/radio/record/store.ts'
import type { ByteRange, SourceRecording } from '#server/features/radio/types.ts'
import type { Broadcast, Streamer } from '#src/contract/archive.ts'
import { refusal } from '#src/contract/refusal.ts'
import { type FileEntry, hashId, isMp3, listFolder, mapFiles, statFile, withFile } from './files.ts'
import type { Mp3Info } from './mp3File.ts'
import type { Tags } from './tags.ts'

type Deps = {
  /** has a subfolder for each streamer */
  dir: string
  getMp3Info: (file: FileEntry) => Promise<Mp3Info | null>
  getTags: (file: FileEntry) => Promise<Tags>
  now: () => Date
}

const MAX_STREAMERS = 1000
const MAX_RECORDINGS = 2000
const MAX_ABOUT_BYTES = 4096
/** A file that changed more recently than this is still being recorded. */
const GROWING_MS = 30_000

/** Finds files by a hash of their names, so a client can open only listed files. */
export function createShowArchive({ dir, getMp3Info, getTags, now }: Deps) {
  const listStreamerFolders = async () =>
    (await listFolder(dir)).filter(({ isFolder }) => isFolder).slice(0, MAX_STREAMERS)

  async function findFolder(streamerId: number): Promise<string> {
    const folder = (await listStreamerFolders()).find(({ name }) => hashId(name) === streamerId)
    if (!folder) throw errors.notFound(refusal('archive.notFound'))
    return join(dir, folder.name)
  }

  async function readStreamer(name: string): Promise<Streamer> {
    const about = await statFile(join(dir, name, 'about.txt'), 'about.txt')
    const bytes = about ? await withFile(about, (read) => read(0, MAX_ABOUT_BYTES)).catch(() => null) : null
    const comments =
      bytes
        ?.toString('utf8')
        .replace(/[^\P{C}\n\t]/gu, '')
        .trim() || null
    return { id: hashId(name), streamer_username: name, display_name: name, comments }
  }

  async function readBroadcast(file: FileEntry): Promise<Broadcast | null> {
    const info = await getMp3Info(file)
    const isGrowing = Math.abs(now().getTime() - file.modifiedMs) < GROWING_MS
    if (!info && !isGrowing) return null
    const milliseconds = info ? Math.round(info.frames * info.secondsPerFrame * 1000) : 0
    const start = parseFilenameDate(file.name) ?? new Date(file.modifiedMs - milliseconds)
    return {
      id: hashId(file.name),
      title: (await getTags(file)).title,
      timestampStart: start.toISOString(),
      timestampEnd: isGrowing ? null : new Date(start.getTime() + milliseconds).toISOString(),
      recording: { size: file.size },
    }
  }

  return {
    streamers: async (): Promise<Streamer[]> =>
      Promise.all((await listStreamerFolders()).map(({ name }) => readStreamer(name))),

    /** @throws AppError NOT_FOUND */
    async broadcasts(streamerId: number): Promise<Broadcast[]> {
      const folder = await findFolder(streamerId)
      const names = (await listFolder(folder)).filter(({ name, isFile }) => isFile && isMp3(name))
      const looks = names.slice(-MAX_RECORDINGS).map(({ name }) => statFile(join(folder, name), name))
      const files = (await Promise.all(looks)).filter((file) => file !== null)
      return (await mapFiles(files, readBroadcast)).filter((broadcast) => broadcast !== null)
    },

    /** @throws AppError NOT_FOUND; RadioUnavailable when the recording cannot be read */
    async open(
      { streamerId, broadcastId }: { streamerId: number; broadcastId: number },
      range: ByteRange | null,
      signal: AbortSignal,
    ): Promise<SourceRecording> {
      const folder = await findFolder(streamerId)
      const names = (await listFolder(folder)).filter(({ name, isFile }) => isFile && isMp3(name))
      const name = names.find(({ name }) => hashId(name) === broadcastId)?.name
      if (name === undefined) throw errors.notFound(refusal('archive.notFound'))
      return openFile(join(folder, name), 'audio/mpeg', range, signal)
    },
  }
}

const DATE = /(?<!\d)(\d{4})([-_.]?)(\d{2})\2(\d{2})(?!\d)/
const TIME = /^[-_ T.]{1,3}(\d{2})([-_.:h]?)(\d{2})(?:\2(\d{2}))?(?!\d)/

/** Parses the date and time (UTC) in names such as `2026-11-18`, `20261118` and `stream_20260222-200000`. */
export function parseFilenameDate(name: string): Date | null {
  const date = DATE.exec(name)
  if (!date) return null
  const [match, year, , month, day] = date
  const [, hour = '00', , minute = '00', second = '00'] = TIME.exec(name.slice(date.index + match.length)) ?? []
  return (
    parseExactUtc(`${year}-${month}-${day}T${hour}:${minute}:${second}`) ??
    parseExactUtc(`${year}-${month}-${day}T00:00:00`)
  )
}

/** Returns null for dates such as 31 June, because Date would turn it into 1 July. */
function parseExactUtc(text: string): Date | null {
  const date = new Date(`${text}.000Z`)
  if (Number.isNaN(date.getTime()) || date.toISOString() !== `${text}.000Z`) return null
  return date.getUTCFullYear() >= 1970 ? date : null
}
