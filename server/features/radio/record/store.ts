import { createReadStream } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { nullIfMissing } from '#db/fileSystem.server.ts'
import { withTimeout } from '#db/withTimeout.server.ts'
import type { Config } from '#server/core/config/config.ts'
import { type FilePlace, openBucket } from '#server/core/storage/openStores.ts'
import { openRegularFile, statFile } from '#server/features/radio/library/files.ts'
import { type ByteRange, RadioUnavailable, type SourceRecording } from '#server/features/radio/types.ts'

export const RECORDINGS_FOLDER = 'recordings'

/** Names of other files are never touched: operators may keep music in a folder with this name. */
const NAME = /^(\d{1,10})-(\d{1,4})\.(mp3|aac|ogg)$/

const EXTENSIONS: Record<string, string> = { 'audio/mpeg': 'mp3', 'audio/aac': 'aac', 'audio/ogg': 'ogg' }

/** Returns the usual ending of files of a media type. */
export const extensionOf = (type: string): string => EXTENSIONS[type] ?? 'mp3'

export const isRecordable = (type: string): boolean => type in EXTENSIONS

export const recordingsDir = ({ dataDir }: Pick<Config, 'dataDir'>): string =>
  resolve(dataDir, 'radio', RECORDINGS_FOLDER)

export const isRecordingFile = (name: string): boolean => NAME.test(name)

export const recordingFile = (broadcastId: number, part: number, type: string): string =>
  `${broadcastId}-${part}.${extensionOf(type)}`

export const broadcastIdOf = (name: string): number => Number(NAME.exec(name)?.[1] ?? 0)

/** Returns the number of the part, or 0 if there is no file. */
export const partOf = (name: string | null): number => Number(NAME.exec(name ?? '')?.[2] ?? 0)

/** Recordings in the bucket have keys that begin with this. */
export const FOLDER = 'recordings/'
/** Pages of the archive do not wait longer for the bucket. */
const LIST_MS = 3000

/**
 * Opens the recordings: those in the folder of this machine, and those in the bucket if the site has its files there.
 * Broadcasts are recorded to the folder, and finished recordings are moved to the bucket (`bucket.ts`).
 */
export function openRecordings(place: FilePlace) {
  const dir = recordingsDir(place)
  const { fileStores = ['folder'] } = place
  const bucket = fileStores.includes('s3') ? openBucket(place.bucket) : null
  const localNames = async () => (await readdir(dir).catch(() => [])).filter(isRecordingFile)

  async function list(): Promise<{ name: string; modified: Date }[]> {
    const found: { name: string; modified: Date }[] = []
    for (const name of await localNames()) {
      const file = await stat(join(dir, name)).catch(nullIfMissing)
      if (file) found.push({ name, modified: file.mtime })
    }
    if (bucket) for await (const object of bucket.list(FOLDER)) if (isRecordingFile(object.name)) found.push(object)
    return found
  }

  return {
    /** Whether finished recordings are moved to the bucket. */
    isUploading: fileStores[0] === 's3',
    localNames,
    list,

    /** @returns the names of the files, or null if the bucket does not answer */
    async names(): Promise<Set<string | null> | null> {
      if (!bucket) return new Set(await localNames())
      const names = async () => new Set<string | null>((await list()).map(({ name }) => name))
      return withTimeout(names(), LIST_MS).catch(() => null)
    },

    /** @throws RadioUnavailable when the recording cannot be read */
    async open(name: string, type: string, range: ByteRange | null, signal: AbortSignal): Promise<SourceRecording> {
      const isLocal = !bucket || (await stat(join(dir, name)).catch(() => null)) !== null
      if (isLocal) return openFile(join(dir, name), type, range, signal)
      try {
        const found = await bucket.find(FOLDER + name)
        if (!found) throw new Error('it is not there')
        const object = await bucket.get(FOLDER + name, range ?? undefined)
        if (!object) throw new Error('it is not there')
        signal.addEventListener('abort', () => object.content.destroy(), { once: true })
        return { type, size: found.size, isPart: range !== null, body: object.content }
      } catch (cause) {
        throw new RadioUnavailable('the recording cannot be read from the bucket', cause as Error)
      }
    },

    async remove(name: string): Promise<void> {
      await rm(join(dir, name), { force: true })
      await bucket?.remove(FOLDER + name)
    },

    /** Moves a finished file of the folder to the bucket. */
    async upload(name: string, signal: AbortSignal): Promise<void> {
      if (!bucket) return
      const path = join(dir, name)
      const { size } = await stat(path)
      await bucket.upload(FOLDER + name, createReadStream(path, { signal }))
      if ((await bucket.find(FOLDER + name))?.size !== size) throw new Error('The copy in the bucket has another size')
      await rm(path, { force: true })
    },

    /** Removes what a killed process uploaded of files. */
    removeUnfinished: async () => bucket?.removeUnfinished(FOLDER),
  }
}

const READ_BYTES = 128 * 1024

/** Opens a range of an audio file. @throws RadioUnavailable when the file cannot be read */
export async function openFile(
  path: string,
  type: string,
  range: ByteRange | null,
  signal: AbortSignal,
): Promise<SourceRecording> {
  const file = await statFile(path, path)
  if (!file) throw new RadioUnavailable('recording is not readable')
  const { size } = file
  const { start, end } = range ?? { start: 0, end: size - 1 }
  return { type, size, isPart: range !== null, body: readRange(path, { start, end: Math.min(end, size - 1) }, signal) }
}

/** Opens the file when the first byte is read. */
async function* readRange(path: string, { start, end }: ByteRange, signal: AbortSignal): AsyncGenerator<Buffer> {
  if (end < start || signal.aborted) return
  const { handle } = await openRegularFile(path)
  yield* handle.createReadStream({ start, end, highWaterMark: READ_BYTES, signal })
}
