import { open } from 'node:fs/promises'
import { hasErrorCode } from './errors.server.ts'

/** Syncs a folder: otherwise a power cut can undo the renaming of a file. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  await folder.sync().finally(() => folder.close())
}

export function nullIfMissing(error: unknown): null {
  if (hasErrorCode(error, 'ENOENT')) return null
  throw error
}
