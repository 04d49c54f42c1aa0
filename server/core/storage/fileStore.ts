import { randomUUID } from 'node:crypto'
import { access, constants, mkdir, open, opendir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { nullIfMissing, syncFolder } from '#db/fileSystem.server.ts'

export type StoredFile = {
  /** in bytes */
  size: number
  modified: Date
  /** reads the bytes from `start` to `end`, both inclusive; returns null if the file was removed meanwhile */
  stream(range?: { start: number; end: number }): Promise<Readable | null>
}

/** Stores uploads. Never reuses a file name for other content. */
export interface FileStore {
  /** whether all processes on all machines use the same store, so that its failure is not one of this process */
  readonly isShared: boolean
  /** Stores a file atomically and durably. */
  put(name: string, bytes: Uint8Array): Promise<void>
  /** Returns null for a missing file or an invalid name. */
  open(name: string): Promise<StoredFile | null>
  /** Reads a whole file. Faster than `open` in a bucket. The caller must read or destroy the content. */
  read(name: string): Promise<{ size: number; content: Readable } | null>
  /** Ignores missing files. */
  remove(names: Iterable<string>): Promise<void>
  /** Renames files so that their public names answer 404. Ignores missing files. */
  withhold(names: Iterable<string>): Promise<void>
  /** Undoes `withhold`. */
  release(names: Iterable<string>): Promise<void>
  /** Lists stored files in any order. Files that change during the listing may be missing. */
  list(): AsyncIterable<{ name: string; size: number; modified: Date }>
  /** Removes temporary files of interrupted writes. Keeps files below `minAgeMs`: a write may still use them. */
  clearTemporary(minAgeMs: number): Promise<void>
  /** @throws Error when the server cannot write to the store */
  check(): Promise<void>
}

/** Excludes separators and leading dots, so that a name cannot point outside the folder. */
const NAME = /^[A-Za-z0-9_-]{1,100}\.[a-z0-9.]{1,20}$/
export const isFileName = (name: string) => NAME.test(name)
const WITHHELD_ENDING = '.withheld'
/** Returns the name under which the store keeps a withheld file. */
export const withheldName = (name: string) => `${name}${WITHHELD_ENDING}`
/** Returns the public name of a withheld file, or null for any other file. */
export const publicName = (name: string) =>
  name.endsWith(WITHHELD_ENDING) ? name.slice(0, -WITHHELD_ENDING.length) : null
const TEMPORARY = /^\.[0-9a-f-]{36}\.tmp$/

/** Creates a store in a folder that only the site's user can read. */
export function createFileStore(dir: string): FileStore {
  // Use subfolders, because listings and lookups are slow with many thousands of files in one folder.
  const folderOf = (name: string) => join(dir, name.slice(0, 2))
  const pathOf = (name: string) => (NAME.test(name) ? join(folderOf(name), name) : null)

  // Does not sync folders: the job `withheld` repeats a renaming that a power cut undid.
  async function renameIfExists(from: string, to: string): Promise<void> {
    const [source, target] = [pathOf(from), pathOf(to)]
    if (source && target) await rename(source, target).catch(nullIfMissing)
  }

  async function* entries(pattern: RegExp) {
    for (const shard of (await readdir(dir, { withFileTypes: true }).catch(nullIfMissing)) ?? []) {
      if (!shard.isDirectory()) continue
      const folder = await opendir(join(dir, shard.name)).catch(nullIfMissing)
      if (!folder) continue
      for await (const { name } of folder) {
        const path = join(dir, shard.name, name)
        const found = pattern.test(name) ? await stat(path).catch(nullIfMissing) : null
        if (found?.isFile()) yield { name, path, size: found.size, modified: found.mtime }
      }
    }
  }

  async function openFile(name: string): Promise<StoredFile | null> {
    const path = pathOf(name)
    const found = path ? await stat(path).catch(nullIfMissing) : null
    if (!path || !found?.isFile()) return null
    // Open the file before streaming: otherwise a missing file fails only after the response has started.
    const stream = async (range?: { start: number; end: number }) =>
      (await open(path).catch(nullIfMissing))?.createReadStream(range) ?? null
    return { size: found.size, modified: found.mtime, stream }
  }

  return {
    isShared: false,

    async put(name, bytes) {
      const path = pathOf(name)
      if (!path) throw new Error('Cannot store a file: its name is invalid')
      const folder = folderOf(name)
      if (await mkdir(folder, { recursive: true, mode: 0o700 })) await syncFolder(dir)
      const temporary = join(folder, `.${randomUUID()}.tmp`)
      try {
        // Flush before the rename: otherwise a power cut could leave an empty file under the new name.
        await writeFile(temporary, bytes, { flag: 'wx', mode: 0o600, flush: true })
        await rename(temporary, path)
      } catch (error) {
        await rm(temporary, { force: true })
        throw error
      }
      await syncFolder(folder)
    },

    open: openFile,

    async read(name) {
      const file = await openFile(name)
      const content = await file?.stream()
      return file && content ? { size: file.size, content } : null
    },

    async remove(names) {
      for (const name of names) {
        const path = pathOf(name)
        if (path) await rm(path, { force: true })
      }
    },

    async withhold(names) {
      for (const name of names) await renameIfExists(name, withheldName(name))
    },

    async release(names) {
      for (const name of names) await renameIfExists(withheldName(name), name)
    },

    async *list() {
      for await (const { name, size, modified } of entries(NAME)) yield { name, size, modified }
    },

    async clearTemporary(minAgeMs) {
      for await (const { path, modified } of entries(TEMPORARY)) {
        if (modified.getTime() <= Date.now() - minAgeMs) await rm(path, { force: true })
      }
    },

    async check() {
      await mkdir(dir, { recursive: true, mode: 0o700 })
      await access(dir, constants.R_OK | constants.W_OK)
    },
  }
}
