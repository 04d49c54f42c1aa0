import { open } from 'node:fs/promises'
import { hasErrorCode } from './errors.server.ts'

export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  await folder.sync().finally(() => folder.close())
}

export function nullIfMissing(error: unknown): null {
  if (hasErrorCode(error, 'ENOENT')) return null
  throw error
}
