import { join } from 'node:path'
import { errors } from '#server/core/errors.ts'
import { partOf } from '#server/core/http/byteRange.ts'
import { RadioUnavailable, type SourceRecording } from '#server/features/radio/types.ts'
import { archiveMessages, type Broadcast, type Streamer } from '#src/contract/archive.ts'
import { forEachFile } from './fileCache.ts'
import { startInName } from './filenameDate.ts'
import { type FoundFile, idOf, isMp3, listFolder, look, openPlain, reading } from './mp3Files.ts'
import type { Sound } from './mp3Info.ts'
import type { Tags } from './tags.ts'

type Deps = {
  /** one folder a streamer, recordings in it */
  dir: string
  soundOf: (file: FoundFile) => Promise<Sound | null>
  tagsOf: (file: FoundFile) => Promise<Tags>
  now: () => Date
}

/** Guards against folders without end. */
const STREAMERS = 1000
const RECORDINGS = 2000
const ABOUT_BYTES = 4096
/** Written to so shortly ago, a recording is still being made. */
const GROWING_MS = 30_000
const READ_BYTES = 128 * 1024

/** The recordings of past shows. Ids stand for names and are looked up, so nothing but what is listed can be meant. */
export function createShows({ dir, soundOf, tagsOf, now }: Deps) {
  const folders = async () => (await listFolder(dir)).filter(({ isFolder }) => isFolder).slice(0, STREAMERS)

  async function folderOf(streamerId: number): Promise<string> {
    const folder = (await folders()).find(({ name }) => idOf(name) === streamerId)
    if (!folder) throw errors.notFound(archiveMessages.notFound)
    return join(dir, folder.name)
  }

  async function streamer(name: string): Promise<Streamer> {
    const about = await look(join(dir, name, 'about.txt'), 'about.txt')
    const bytes = about ? await reading(about, (read) => read(0, ABOUT_BYTES)).catch(() => null) : null
    const comments =
      bytes
        ?.toString('utf8')
        .replace(/[^\P{C}\n\t]/gu, '')
        .trim() || null
    return { id: idOf(name), streamer_username: name, display_name: name, comments }
  }

  async function broadcast(file: FoundFile): Promise<Broadcast | null> {
    const sound = await soundOf(file)
    const isGrowing = Math.abs(now().getTime() - file.modified) < GROWING_MS
    if (!sound && !isGrowing) return null
    const milliseconds = sound ? Math.round(sound.frames * sound.secondsPerFrame * 1000) : 0
    const start = startInName(file.name) ?? new Date(file.modified - milliseconds)
    return {
      id: idOf(file.name),
      title: (await tagsOf(file)).title,
      timestampStart: start.toISOString(),
      timestampEnd: isGrowing ? null : new Date(start.getTime() + milliseconds).toISOString(),
      recording: { size: file.size },
    }
  }

  return {
    streamers: async (): Promise<Streamer[]> => Promise.all((await folders()).map(({ name }) => streamer(name))),

    /** Newest first. @throws AppError NOT_FOUND */
    async broadcasts(streamerId: number): Promise<Broadcast[]> {
      const folder = await folderOf(streamerId)
      const names = (await listFolder(folder)).filter(({ name, isFile }) => isFile && isMp3(name))
      const looks = names.slice(-RECORDINGS).map(({ name }) => look(join(folder, name), name))
      const files = (await Promise.all(looks)).filter((file) => file !== null)
      const broadcasts = (await forEachFile(files, broadcast)).filter((one) => one !== null)
      return broadcasts.sort((a, b) => b.timestampStart.localeCompare(a.timestampStart) || a.id - b.id)
    },

    /** @throws AppError NOT_FOUND, or RadioUnavailable when it cannot be read */
    async open(
      { streamerId, broadcastId }: { streamerId: number; broadcastId: number },
      range: string | undefined,
      signal: AbortSignal,
    ): Promise<SourceRecording> {
      const folder = await folderOf(streamerId)
      const names = (await listFolder(folder)).filter(({ name, isFile }) => isFile && isMp3(name))
      const name = names.find(({ name }) => idOf(name) === broadcastId)?.name
      if (name === undefined) throw errors.notFound(archiveMessages.notFound)
      const path = join(folder, name)
      const size = await sizeOf(path)
      const part = partOf(size, range)
      return {
        status: part.status,
        type: 'audio/mpeg',
        length: part.length,
        range: part.range,
        body: bytesOf(path, part.start, part.length, signal),
      }
    },
  }
}

async function sizeOf(path: string): Promise<number> {
  try {
    const { handle, stat } = await openPlain(path)
    await handle.close()
    return stat.size
  } catch {
    throw new RadioUnavailable('a recording cannot be read')
  }
}

/** Opens the file when the first byte is wanted; one that has become shorter meanwhile ends with an error. */
async function* bytesOf(path: string, start: number, length: number, signal: AbortSignal): AsyncGenerator<Buffer> {
  if (length === 0 || signal.aborted) return
  const { handle } = await openPlain(path)
  const options = { start, end: start + length - 1, highWaterMark: READ_BYTES, signal }
  let sent = 0
  try {
    for await (const bytes of handle.createReadStream(options)) {
      sent += bytes.length
      yield bytes
    }
  } catch (error) {
    if (signal.aborted) return
    throw error
  }
  if (sent < length) throw new RadioUnavailable('a recording has become shorter')
}
