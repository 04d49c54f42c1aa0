import { LRUCache } from 'lru-cache'
import type { FileEntry } from './mp3Files.ts'

/** Caches the result for a file until the file changes. Concurrent calls share one read. Failures are not cached. */
export function cachePerFile<T>(max: number, read: (file: FileEntry) => Promise<T>) {
  const results = new LRUCache<string, Promise<T>, FileEntry>({
    max,
    memoMethod: (key, _stale, { context: file }) => {
      const result = read(file)
      result.catch(() => results.delete(key))
      return result
    },
  })
  return (file: FileEntry): Promise<T> => results.memo(`${file.version} ${file.path}`, { context: file })
}

/** Limits concurrent reads, to spare the disk and file descriptors. */
const CONCURRENCY = 4

/** Returns one result per file in the same order, null for failures. */
export async function mapFiles<T>(files: FileEntry[], read: (file: FileEntry) => Promise<T>): Promise<(T | null)[]> {
  const results: (T | null)[] = files.map(() => null)
  const queue = files.entries()
  const work = async () => {
    for (const [index, file] of queue) results[index] = await read(file).catch(() => null)
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, work))
  return results
}
