import { createHash } from 'node:crypto'
import { constants, type Stats } from 'node:fs'
import { type FileHandle, lstat, open, opendir } from 'node:fs/promises'
import { join } from 'node:path'

export type FileEntry = {
  path: string
  /** below the folder that was searched, with slashes */
  relative: string
  /** the last part of it */
  name: string
  /** in bytes */
  size: number
  /** milliseconds */
  modifiedMs: number
  /** another one as soon as the bytes may have changed */
  version: string
}

/** Guard against folders without end: entries read of one folder, and folders within folders. */
const MAX_FOLDER_ENTRIES = 20_000
const MAX_DEPTH = 8

/**
 * The mp3 files below a folder, in an order that is the same for everybody. Hidden ones, and symbolic links, which could
 * lead anywhere, are passed over; so is what cannot be read.
 * @param limit files, at most
 * @param excludedFolder the folder right below `dir` that is not entered
 */
export async function findMp3Files(dir: string, limit: number, excludedFolder?: string): Promise<FileEntry[]> {
  const found: FileEntry[] = []
  const search = async (folder: string, prefix: string, depth: number) => {
    for (const entry of await listFolder(folder)) {
      if (found.length >= limit) return
      const path = join(folder, entry.name)
      if (entry.isFile && isMp3(entry.name)) {
        const file = await statFile(path, `${prefix}${entry.name}`)
        if (file) found.push(file)
      } else if (entry.isFolder && depth > 0 && !(prefix === '' && entry.name === excludedFolder)) {
        await search(path, `${prefix}${entry.name}/`, depth - 1)
      }
    }
  }
  await search(dir, '', MAX_DEPTH)
  return found.sort((a, b) => compare(a.relative, b.relative))
}

/** What lies in a folder, hidden names left out, sorted; nothing where it is missing or closed. */
export async function listFolder(path: string): Promise<{ name: string; isFile: boolean; isFolder: boolean }[]> {
  const entries = []
  try {
    for await (const entry of await opendir(path)) {
      if (entries.length >= MAX_FOLDER_ENTRIES) break
      if (entry.name.startsWith('.')) continue
      entries.push({ name: entry.name, isFile: entry.isFile(), isFolder: entry.isDirectory() })
    }
  } catch {
    // Gone or closed, now or half-way: what was seen so far counts.
  }
  return entries.sort((a, b) => compare(a.name, b.name))
}

export const isMp3 = (name: string) => /\.mp3$/i.test(name)

/** What a file is at the moment; null when there is no such file, or it is no plain one. */
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

/**
 * Opens a plain file, and nothing else.
 * @throws Error when there is none that can be read
 */
export async function openRegularFile(path: string): Promise<{ handle: FileHandle; stat: Stats }> {
  // Between looking and opening it may have become a link, or a pipe, which would be waited for without end.
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const stat = await handle.stat()
    if (!stat.isFile()) throw new Error('not a plain file')
    return { handle, stat }
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** Bytes of a file from a position on, fewer at its end. */
export type ReadAt = (position: number, length: number) => Promise<Buffer>

/**
 * Reads in a file that was looked at before; it is open no longer than the work takes.
 * @throws Error when it cannot be read, or is not the same any more
 */
export async function withFile<T>(file: FileEntry, work: (read: ReadAt) => Promise<T>): Promise<T> {
  const { handle, stat } = await openRegularFile(file.path)
  try {
    if (versionOf(stat) !== file.version) throw new Error('the file has changed')
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

/** A positive number below 2^48 that stands for a name, the same in every process. */
export const hashId = (name: string) => createHash('sha256').update(name).digest().readUIntBE(0, 6) || 1

/** Without the time of a change of owner or rights: what plays goes on over those. */
const versionOf = ({ ino, size, mtimeMs }: { ino: number; size: number; mtimeMs: number }) =>
  `${ino}-${size}-${mtimeMs}`

/** Not by a language's rules, which differ between machines. */
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
