import { resolve } from 'node:path'
import type { Config } from '#server/core/config/config.ts'
import type { BucketConfig, StoreKind } from '#server/core/config/storageSettings.ts'
import { type Bucket, createBucket } from './bucket.ts'
import { BucketError, explainBucketError } from './bucketErrors.ts'
import { createFileStore, type FileStore, isFileName, type StoredFile, withheldName } from './fileStore.ts'
import { forEachConcurrently } from './forEachConcurrently.ts'

/** Where a site has its files. Without `fileStores`, they are in the folder. */
export type FilePlace = Pick<Config, 'dataDir'> & Partial<Pick<Config, 'fileStores' | 'bucket'>>

export function openFileStore({ fileStores = ['folder'], ...place }: FilePlace): FileStore {
  const [current, previous] = fileStores
  const store = openStore(current, place)
  return previous ? combineStores(store, openStore(previous, place)) : store
}

export function openStore(kind: StoreKind, { dataDir, bucket }: FilePlace): FileStore {
  return kind === 'folder' ? createFileStore(resolve(dataDir, 'uploads')) : createBucketStore(openBucket(bucket))
}

const buckets = new WeakMap<BucketConfig, Bucket>()

/** Returns the same client for the same settings, so that its connections are shared. @throws Error without settings */
export function openBucket(config: BucketConfig | null | undefined): Bucket {
  if (!config) throw new Error('Setting S3_BUCKET is missing')
  const bucket = buckets.get(config) ?? createBucket(config)
  buckets.set(config, bucket)
  return bucket
}

export const usesBucket = ({ fileStores, backups }: Pick<Config, 'fileStores' | 'backups'>): boolean =>
  fileStores.includes('s3') || backups.store === 's3'

const PROBE = 'write-check'

/** Tries all that the site does with a bucket. @throws Error with one line that names the setting or the missing right */
export async function verifyBucket(config: BucketConfig): Promise<void> {
  const bucket = openBucket(config)
  try {
    await bucket.put(PROBE, Buffer.from('The site checks with this object that it can write.\n'))
    await bucket.copy(PROBE, `${PROBE}-copy`)
    // Without the right to list, the server answers 403 instead of 404 for a missing object.
    for await (const _ of bucket.list(PROBE));
    const found = await bucket.get(PROBE)
    found?.content.destroy()
    for (const name of [PROBE, `${PROBE}-copy`]) await bucket.remove(name)
  } catch (error) {
    throw error instanceof BucketError ? new Error(explainBucketError(error, config)) : error
  }
}

/**
 * Combines two stores while files are moved from `previous` to `current`. New files go to `current`.
 *
 * Files are removed and renamed in `previous` first: a file that is being copied then either disappears before the mover
 * looks for it again, or is in `current` by the time it is removed there.
 */
export function combineStores(current: FileStore, previous: FileStore): FileStore {
  const both = async (change: (store: FileStore) => Promise<void>) => {
    await change(previous)
    await change(current)
  }
  const inBoth = (method: 'remove' | 'withhold' | 'release') => async (names: Iterable<string>) => {
    const all = [...names]
    await both((store) => store[method](all))
  }

  /** Looks in `current` again at the end, because the file may have been moved meanwhile. */
  async function find<T>(look: (store: FileStore) => Promise<T | null>): Promise<T | null> {
    return (await look(current)) ?? (await look(previous)) ?? look(current)
  }

  return {
    isShared: current.isShared,
    put: current.put,
    async open(name) {
      const file = await find((store) => store.open(name))
      const stream: StoredFile['stream'] = async (range) =>
        (await file?.stream(range)) ?? find(async (store) => (await (await store.open(name))?.stream(range)) ?? null)
      return file && { ...file, stream }
    },
    read: (name) => find((store) => store.read(name)),
    remove: inBoth('remove'),
    withhold: inBoth('withhold'),
    release: inBoth('release'),
    // Lists `previous` first: the other way round, files that are moved meanwhile would be missing.
    async *list() {
      const listed = new Set<string>()
      for await (const file of previous.list()) {
        listed.add(file.name)
        yield file
      }
      for await (const file of current.list()) if (!listed.has(file.name)) yield file
    },
    clearTemporary: (minAgeMs) => both((store) => store.clearTemporary(minAgeMs)),
    check: () => both((store) => store.check()),
  }
}

const FOLDER = 'uploads/'
/** Bounds connections while thousands of files are removed or renamed, for which a transaction can wait. */
const AT_ONCE = 64

/** Creates a store in a private bucket. The bucket's calls are atomic, and it has no renaming: a copy and a removal. */
export function createBucketStore(bucket: Bucket): FileStore {
  const keyOf = (name: string) => `${FOLDER}${name}`

  /** A crash in between leaves both names; the job `withheld` repeats it. */
  async function rename(from: string, to: string): Promise<void> {
    if (!isFileName(from) || !isFileName(to)) return
    if (await bucket.copy(keyOf(from), keyOf(to))) await bucket.remove(keyOf(from), 'read')
  }

  return {
    isShared: true,

    async put(name, bytes) {
      if (!isFileName(name)) throw new Error('Cannot store a file: its name is invalid')
      await bucket.put(keyOf(name), bytes)
    },

    async open(name) {
      const found = isFileName(name) ? await bucket.find(keyOf(name)) : null
      return found && { ...found, stream: async (range) => (await bucket.get(keyOf(name), range))?.content ?? null }
    },

    read: async (name) => (isFileName(name) ? bucket.get(keyOf(name)) : null),

    remove: (names) =>
      forEachConcurrently([...names].filter(isFileName), AT_ONCE, (name) => bucket.remove(keyOf(name))),
    withhold: (names) => forEachConcurrently(names, AT_ONCE, (name) => rename(name, withheldName(name))),
    release: (names) => forEachConcurrently(names, AT_ONCE, (name) => rename(withheldName(name), name)),

    async *list() {
      for await (const file of bucket.list(FOLDER)) if (isFileName(file.name)) yield file
    },

    // The bucket stores complete files only.
    clearTemporary: async () => {},

    check: bucket.check,
  }
}
