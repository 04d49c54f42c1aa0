import { randomUUID } from 'node:crypto'
import { access, constants, mkdir, open, opendir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { nullIfMissing, syncFolder } from '#db/fileSystem.server.ts'

export type StoredFile = {
  /** in bytes */
  size: number
  modified: Date
  /** reads from `start` to `end`, both included; null when it was removed in the meantime */
  stream(range?: { start: number; end: number }): Promise<Readable | null>
}

/** Where uploads lie: a folder now, an object storage one day. No name is ever used for two contents. */
export interface FileStore {
  /** Stores a file: it is there wholly and for good when this resolves, and not at all before. */
  put(name: string, bytes: Uint8Array): Promise<void>
  /** Null for what is not there, and for what cannot be a name. */
  open(name: string): Promise<StoredFile | null>
  /** Those that are missing are no error. */
  remove(names: Iterable<string>): Promise<void>
  /** All stored files, in no order; what appears or goes meanwhile may be missed. */
  list(): AsyncIterable<{ name: string; modified: Date }>
  /** Removes what interrupted writes have left; younger ones than `settledMs` may still be written to. */
  clearTemporary(settledMs: number): Promise<void>
  /** @throws Error when nothing could be stored now */
  check(): Promise<void>
}

/** Anything else is no name of ours: no separators, no leading dot, so nothing outside the folder can be meant. */
const NAME = /^[A-Za-z0-9_-]{1,100}\.[a-z0-9.]{1,20}$/
export const isFileName = (name: string) => NAME.test(name)
const TEMPORARY = /^\.[0-9a-f-]{36}\.tmp$/

/** Keeps files in a folder of their own, readable by the site's user alone. */
export function createFileStore(dir: string): FileStore {
  // Sub-folders keep each one small: listing and looking up slow down where many thousands lie together.
  const folderOf = (name: string) => join(dir, name.slice(0, 2))
  const pathOf = (name: string) => (NAME.test(name) ? join(folderOf(name), name) : null)

  async function* entries(pattern: RegExp) {
    for (const shard of (await readdir(dir, { withFileTypes: true }).catch(nullIfMissing)) ?? []) {
      if (!shard.isDirectory()) continue
      const folder = await opendir(join(dir, shard.name)).catch(nullIfMissing)
      if (!folder) continue
      for await (const { name } of folder) {
        const path = join(dir, shard.name, name)
        const found = pattern.test(name) ? await stat(path).catch(nullIfMissing) : null
        if (found?.isFile()) yield { name, path, modified: found.mtime }
      }
    }
  }

  return {
    async put(name, bytes) {
      const path = pathOf(name)
      if (!path) throw new Error('Not a name for a file')
      const folder = folderOf(name)
      if (await mkdir(folder, { recursive: true, mode: 0o700 })) await syncFolder(dir)
      const temporary = join(folder, `.${randomUUID()}.tmp`)
      try {
        // Flushed first: after a power cut, a file that was renamed before its bytes were written could be empty.
        await writeFile(temporary, bytes, { flag: 'wx', mode: 0o600, flush: true })
        await rename(temporary, path)
      } catch (error) {
        await rm(temporary, { force: true })
        throw error
      }
      await syncFolder(folder)
    },

    async open(name) {
      const path = pathOf(name)
      const found = path ? await stat(path).catch(nullIfMissing) : null
      if (!path || !found?.isFile()) return null
      // Opened here, where a file that is gone is no error yet: a stream would fail after the answer has begun.
      const stream = async (range?: { start: number; end: number }) =>
        (await open(path).catch(nullIfMissing))?.createReadStream(range) ?? null
      return { size: found.size, modified: found.mtime, stream }
    },

    async remove(names) {
      for (const name of names) {
        const path = pathOf(name)
        if (path) await rm(path, { force: true })
      }
    },

    async *list() {
      for await (const { name, modified } of entries(NAME)) yield { name, modified }
    },

    async clearTemporary(settledMs) {
      for await (const { path, modified } of entries(TEMPORARY)) {
        if (modified.getTime() <= Date.now() - settledMs) await rm(path, { force: true })
      }
    },

    async check() {
      await mkdir(dir, { recursive: true, mode: 0o700 })
      await access(dir, constants.R_OK | constants.W_OK)
    },
  }
}
