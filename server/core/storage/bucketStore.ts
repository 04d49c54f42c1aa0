import type { Bucket } from './bucket.ts'
import { type FileStore, isFileName, withheldName } from './fileStore.ts'
import { forEachConcurrently } from './forEachConcurrently.ts'

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
