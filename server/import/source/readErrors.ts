import { opendir } from 'node:fs/promises'
import { ImportError } from '#server/import/types.ts'

/** Node's codes of errors that a wrong path or a damaged file causes. */
const REASONS: Record<string, string> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'is not a folder',
  EISDIR: 'is a folder, not a file',
  EACCES: 'cannot be read, because its permissions forbid it',
  EPERM: 'cannot be read, because its permissions forbid it',
  Z_BUF_ERROR: 'is incomplete: its compressed data ends too early',
  Z_DATA_ERROR: 'is damaged, or is not compressed with gzip',
}

/**
 * Returns an error with a plain message if a path of the source cannot be read, or the error as it is.
 * @param path if the error does not have it
 */
export function explainReadError(error: unknown, path?: string): unknown {
  const { code = '', path: ownPath, syscall } = error as NodeJS.ErrnoException
  const subject = path ?? ownPath
  // A file can also be missing because a part of its path is no folder.
  const reason = REASONS[code === 'ENOTDIR' && syscall === 'open' ? 'ENOENT' : code]
  return reason === undefined || subject === undefined ? error : new ImportError(`Cannot import: ${subject} ${reason}`)
}

/** @throws ImportError if the folder with the images cannot be read: all posts would be imported without them */
export async function requireFilesFolder(folder: string): Promise<void> {
  try {
    await (await opendir(folder)).close()
  } catch (error) {
    throw explainReadError(error, `the folder ${folder} of --files`)
  }
}
