import { access, constants, lstat, readdir, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { hasErrorCode, systemErrorText } from '#db/errors.server.ts'

/** A new database takes 40 MB. Opening an existing database takes at least 16 MiB for its log. */
const REQUIRED_BYTES = 64 * 1024 * 1024

/**
 * Explains why PGlite failed, because its errors do not.
 * @returns the reason and the fix, or null if disk and permissions are fine
 */
export async function explainFailure(dataDir: string): Promise<string | null> {
  return (await explainAccess(join(dataDir, 'db'), dataDir)) ?? (await explainFull(dataDir))
}

async function explainFull(dataDir: string): Promise<string | null> {
  const { bavail, bsize } = await statfs(dataDir).catch(() => ({ bavail: Number.POSITIVE_INFINITY, bsize: 1 }))
  const free = bavail * bsize
  if (free > REQUIRED_BYTES) return null
  const [has, needs] = [free, REQUIRED_BYTES].map((bytes) => `${(bytes / 2 ** 20).toFixed(0)} MiB`)
  return `the disk of ${dataDir} is full: ${has} are free and ${needs} are needed. Make room there, then start it again`
}

async function explainAccess(path: string, dataDir: string): Promise<string | null> {
  try {
    const status = await lstat(path)
    if (path === join(dataDir, 'db') && !status.isDirectory()) {
      return `${path} is a file, but must be a folder. Move it away, then start it again`
    }
    await access(path, constants.R_OK | constants.W_OK | (status.isDirectory() ? constants.X_OK : 0))
    if (!status.isDirectory()) return null
    for (const name of await readdir(path)) {
      const found = await explainAccess(join(path, name), dataDir)
      if (found) return found
    }
    return null
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return null
    const user = process.getuid?.()
    const owner = user === undefined ? 'the user of the site' : `user ${user}, as whom the site runs (chown -R ${user})`
    return `${path} cannot be read and written: ${systemErrorText(error)}. Give all of ${dataDir} to ${owner}`
  }
}
