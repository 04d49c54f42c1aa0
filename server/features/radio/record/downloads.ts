import { createWriteStream } from 'node:fs'
import { mkdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { nullIfMissing } from '#db/fileSystem.server.ts'
import { type FilePlace, openBucket } from '#server/core/storage/openStores.ts'
import { readInRanges } from '#server/core/storage/readInRanges.ts'
import { isRecordingFile, recordingsDir } from './files.ts'
import { FOLDER } from './store.ts'

/** Not the name of a recording, so that the site does not list a file that is not complete. */
const PARTIAL = '.partial'

/**
 * Copies the recordings of the bucket to the folder. Skips complete ones, so it can be repeated after a crash.
 * @param deleteMoved removes each recording from the bucket when the folder has it
 * @returns the number of copied recordings
 */
export async function downloadRecordings(
  place: FilePlace,
  { deleteMoved, signal }: { deleteMoved: boolean; signal: AbortSignal },
): Promise<number> {
  const bucket = openBucket(place.bucket)
  const dir = recordingsDir(place)
  let copied = 0
  for await (const { name, size } of bucket.list(FOLDER)) {
    if (!isRecordingFile(name)) continue
    const path = join(dir, name)
    if ((await stat(path).catch(nullIfMissing))?.size !== size) {
      await mkdir(dir, { recursive: true })
      const partial = path + PARTIAL
      await rm(partial, { force: true })
      await pipeline(readInRanges(bucket, FOLDER + name), createWriteStream(partial, { flush: true, mode: 0o600 }), {
        signal,
      })
      if ((await stat(partial)).size !== size) throw new Error('a copied recording has another size than the original')
      await rename(partial, path)
      copied++
    }
    if (deleteMoved) await bucket.remove(FOLDER + name)
  }
  return copied
}
