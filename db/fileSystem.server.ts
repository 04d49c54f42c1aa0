import { open } from 'node:fs/promises'
import { hasErrorCode } from './errors.server.ts'

/** Makes the names in a folder durable: a renamed file can lose its name in a power cut otherwise. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  await folder.sync().finally(() => folder.close())
}

export function nullIfMissing(error: unknown): null {
  if (hasErrorCode(error, 'ENOENT')) return null
  throw error
}
