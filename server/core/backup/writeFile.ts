import { randomUUID } from 'node:crypto'
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { Writable } from 'node:stream'
import { systemErrorText } from '#db/errors.server.ts'
import { nullIfMissing, syncFolder } from '#db/fileSystem.server.ts'

const CHUNK_BYTES = 64 * 1024
/** End of the name of a file that is not complete yet. */
export const PARTIAL = '.partial'

type Options = {
  force: boolean
  /** called before each chunk; an error ends the writing */
  beforeWrite?: () => Promise<void>
  /** checks the written file before it gets its name */
  verify?: (path: string) => Promise<unknown>
}

/** Writes a file atomically, readable only by its owner. @throws Error if the file exists, unless `force` is set */
export async function writeFileAtomically<T>(
  path: string,
  { force, beforeWrite, verify }: Options,
  write: (out: Writable) => Promise<T>,
): Promise<T> {
  const target = resolve(path)
  const partial = `${target}${PARTIAL}`
  const existing = await stat(target).catch(nullIfMissing)
  if (existing && !existing.isFile()) throw new Error(`${target} is not a regular file`)
  if (existing && !force) throw new Error(`${target} already exists: --force overwrites it`)
  // Removes the partial file that a killed process may have left.
  await rm(partial, { force: true })
  const file = await open(partial, 'wx', 0o600).catch((error) => {
    throw new Error(
      `Cannot write ${target}: ${systemErrorText(error)}. Check that its folder exists and may be written to`,
    )
  })
  try {
    const result = await write(createStream(file, beforeWrite))
    await file.sync()
    await verify?.(partial)
    if (!(await isStill(partial, file))) throw new Error(`Another process is writing a backup to ${target}`)
    await rename(partial, target)
    await syncFolder(dirname(target))
    return result
  } catch (error) {
    if (await isStill(partial, file)) await rm(partial, { force: true })
    throw error
  } finally {
    await file.close()
  }
}

/** Creates a stream that leaves the file open, unlike Node's file streams. */
export const createStream = (file: FileHandle, beforeWrite = async () => {}) =>
  new Writable({
    write: (chunk, _encoding, done) =>
      void beforeWrite()
        .then(() => file.writeFile(chunk))
        .then(() => done(), done),
  })

async function isStill(path: string, file: FileHandle): Promise<boolean> {
  return (await stat(path).catch(nullIfMissing))?.ino === (await file.stat()).ino
}

/** Opens a temporary file that has no name, so that a killed process leaves nothing of it. */
export async function openUnlinkedFile(folder: string): Promise<FileHandle> {
  const path = join(folder, `.backup-${randomUUID()}`)
  const file = await open(path, 'wx+', 0o600)
  await rm(path)
  return file
}

/** Reads a part of a file. Leaves the file open, unlike Node's file streams, also if the reader stops before its end. */
export async function* readPart(file: FileHandle, start = 0, end = Number.POSITIVE_INFINITY): AsyncGenerator<Buffer> {
  for (let position = start; position < end; ) {
    const size = Math.min(CHUNK_BYTES, end - position)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size), 0, size, position)
    if (bytesRead === 0) return
    position += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}
