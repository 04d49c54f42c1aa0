import { PassThrough, Readable } from 'node:stream'
import { type Bucket, readInRanges } from '#server/core/storage/bucket.ts'
import { type BackupDestination, type NewBackup, parseBackupName, type StoredBackup } from './destination.ts'
import { PARTIAL } from './writeFile.ts'

const FOLDER = 'backups/'
const keyOf = (name: string) => `${FOLDER}${name}`

/** Stores backups in a bucket. Like in the folder, a backup gets its name after it was read back. */
export function createBackupBucket(bucket: Bucket): BackupDestination {
  return {
    async list() {
      const stored: StoredBackup[] = []
      for await (const { name, size } of bucket.list(FOLDER)) {
        const at = parseBackupName(name)
        if (at !== null) stored.push({ name, at, bytes: size })
      }
      return stored.sort((a, b) => b.at.getTime() - a.at.getTime())
    },

    async add(name, backup) {
      const partial = keyOf(name + PARTIAL)
      if (await bucket.find(keyOf(name))) throw new Error(`The bucket already has a backup ${name}`)
      try {
        const written = await upload(bucket, partial, backup)
        await backup.verify(async () => Readable.from(readInRanges(bucket, partial)))
        const stored = await bucket.find(partial)
        if (!stored || !(await bucket.copy(partial, keyOf(name), stored.size)))
          throw new Error(`Another process removed the backup ${name} while it was written`)
        return written
      } finally {
        // The backup may be complete, or have failed with another error. `removePartial` removes it later.
        await bucket.remove(partial).catch(() => {})
      }
    },

    remove: (name) => bucket.remove(keyOf(name)),

    async removePartial() {
      for await (const { name } of bucket.list(FOLDER)) {
        if (name.endsWith(PARTIAL) && parseBackupName(name.slice(0, -PARTIAL.length))) await bucket.remove(keyOf(name))
      }
      await bucket.removeUnfinished(FOLDER)
    },

    freeBytes: async () => Number.POSITIVE_INFINITY,
  }
}

/** Opens a stored backup. */
export const readBackup = (bucket: Bucket, name: string): Readable =>
  Readable.from(readInRanges(bucket, keyOf(name)), { objectMode: false })

/** @throws the error of the side that failed first */
async function upload<T>(bucket: Bucket, key: string, { beforeWrite, write }: NewBackup<T>): Promise<T> {
  const out = new PassThrough()
  // `fail` has the error already.
  out.on('error', () => {})
  let failure: unknown
  const fail = (error: unknown) => {
    failure ??= error
    out.destroy(error as Error)
    throw failure
  }
  async function* checked(): AsyncGenerator<Buffer> {
    // Not destroyed at the end, so that `fail` can tell the writer why.
    for await (const chunk of out.iterator({ destroyOnReturn: false })) {
      await beforeWrite()
      yield chunk
    }
  }
  const [written] = await Promise.allSettled([write(out).catch(fail), bucket.upload(key, checked()).catch(fail)])
  if (failure) throw failure
  if (written.status === 'rejected') throw written.reason
  return written.value
}
