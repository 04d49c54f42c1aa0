import { closeSync, fsyncSync, openSync } from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { hasErrorCode } from './errors.server.ts'

/** Syncs a folder: otherwise a power cut can undo the renaming of a file. */
export const syncFolder = (path: string) => sync(path)

/** Syncs a folder and blocks until that is done. */
export function syncFolderNow(path: string): void {
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

/** Syncs a folder and everything in it. */
export async function syncTree(path: string): Promise<void> {
  const entries = await readdir(path, { withFileTypes: true })
  await Promise.all(entries.map((entry) => (entry.isDirectory() ? syncTree : sync)(join(path, entry.name))))
  await sync(path)
}

async function sync(path: string): Promise<void> {
  const file = await open(path, 'r')
  await file.sync().finally(() => file.close())
}

export function nullIfMissing(error: unknown): null {
  if (hasErrorCode(error, 'ENOENT')) return null
  throw error
}
