import { createHash } from 'node:crypto'
import { constants, type Stats } from 'node:fs'
import { type FileHandle, lstat, open, opendir } from 'node:fs/promises'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { forEachConcurrently } from '#server/core/storage/forEachConcurrently.ts'
import { MIN_HASHED_ID } from '#src/contract/archive.ts'

export type FileEntry = {
  path: string
  /** path relative to the searched folder, with slashes */
  relative: string
  name: string
  size: number
  modifiedMs: number
  /** changes when the content may have changed */
  version: string
}

/** Limits the scan time for huge or deeply nested folders. */
const MAX_FOLDER_ENTRIES = 20_000
const MAX_DEPTH = 8

/** Skips hidden files, unreadable files, and symbolic links, which could point anywhere. Sorts by name. */
export async function findMp3Files(dir: string, limit: number, excludedFolders: string[] = []): Promise<FileEntry[]> {
  const files: FileEntry[] = []
  const search = async (folder: string, prefix: string, depth: number) => {
    for (const entry of await listFolder(folder)) {
      if (files.length >= limit) return
      const path = join(folder, entry.name)
      if (entry.isFile && isMp3(entry.name)) {
        const file = await statFile(path, `${prefix}${entry.name}`)
        if (file) files.push(file)
      } else if (entry.isFolder && depth > 0 && !(prefix === '' && excludedFolders.includes(entry.name))) {
        await search(path, `${prefix}${entry.name}/`, depth - 1)
      }
    }
  }
  await search(dir, '', MAX_DEPTH)
  return files.sort((a, b) => compare(a.relative, b.relative))
}

export async function listFolder(path: string): Promise<{ name: string; isFile: boolean; isFolder: boolean }[]> {
  const entries = []
  try {
    for await (const entry of await opendir(path)) {
      if (entries.length >= MAX_FOLDER_ENTRIES) break
      if (entry.name.startsWith('.')) continue
      entries.push({ name: entry.name, isFile: entry.isFile(), isFolder: entry.isDirectory() })
    }
  } catch {
    // The folder was removed or is unreadable: return the entries read so far.
  }
  return entries.sort((a, b) => compare(a.name, b.name))
}

export const isMp3 = (name: string) => /\.mp3$/i.test(name)

export async function statFile(path: string, relative: string): Promise<FileEntry | null> {
  try {
    const stat = await lstat(path)
    if (!stat.isFile()) return null
    const name = relative.slice(relative.lastIndexOf('/') + 1)
    return { path, relative, name, size: stat.size, modifiedMs: stat.mtimeMs, version: versionOf(stat) }
  } catch {
    return null
  }
}

/** @throws Error unless the path is a readable regular file */
export async function openRegularFile(path: string): Promise<{ handle: FileHandle; stat: Stats }> {
  // Since the scan, the file may have been replaced by a link, or by a pipe that would block.
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const stat = await handle.stat()
    if (!stat.isFile()) throw new Error('not a regular file')
    return { handle, stat }
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** Reads bytes at a position. Returns fewer bytes at the end of the file. */
export type ReadAt = (position: number, length: number) => Promise<Buffer>

/** @throws Error when the file is unreadable or has changed since it was listed */
export async function withFile<T>(file: FileEntry, work: (read: ReadAt) => Promise<T>): Promise<T> {
  const { handle, stat } = await openRegularFile(file.path)
  try {
    if (versionOf(stat) !== file.version) throw new Error('file has changed')
    return await work(async (position, length) => {
      const bytes = Buffer.allocUnsafe(Math.max(0, Math.min(length, file.size - position)))
      let filled = 0
      while (filled < bytes.length) {
        const { bytesRead } = await handle.read(bytes, filled, bytes.length - filled, position + filled)
        if (bytesRead === 0) break
        filled += bytesRead
      }
      return bytes.subarray(0, filled)
    })
  } finally {
    await handle.close()
  }
}

/** Returns a number that is the same in every process, has at most 15 digits, and is above the ids of recordings. */
export function hashId(name: string): number {
  const hash = createHash('sha256').update(name).digest().readUIntBE(0, 6)
  return hash < MIN_HASHED_ID ? hash + 2 ** 48 : hash
}

/** Ignores owner and permissions: they do not affect playback. */
const versionOf = ({ ino, size, mtimeMs }: { ino: number; size: number; mtimeMs: number }) =>
  `${ino}-${size}-${mtimeMs}`

/** Compares code units, because locale rules differ between machines. */
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

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
export const CONCURRENCY = 4

/** Returns one result per file in the same order, null for failures. */
export async function mapFiles<T>(files: FileEntry[], read: (file: FileEntry) => Promise<T>): Promise<(T | null)[]> {
  const results: (T | null)[] = files.map(() => null)
  await forEachConcurrently(files.entries(), CONCURRENCY, async ([index, file]) => {
    results[index] = await read(file).catch(() => null)
  })
  return results
}
