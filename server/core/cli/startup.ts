import { rmSync, writeFileSync } from 'node:fs'
import { access, constants, mkdir, readdir, rm } from 'node:fs/promises'
import { setDefaultAutoSelectFamilyAttemptTimeout } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { hasErrorCode, systemErrorText } from '#db/errors.server.ts'
import type { Config } from '#server/core/config/config.ts'

/** Lets a lost packet be sent again. Short enough that the next address is tried before most requests time out. */
const CONNECTION_ATTEMPT_MS = 2000

/**
 * Allows outgoing connections of this process more time. By default, Node gives up on all addresses of a host but the
 * last after 250 ms each (nodejs/node#54359). If the last one is IPv6 on a machine without it, the connection fails.
 */
export const allowSlowConnections = () => setDefaultAutoSelectFamilyAttemptTimeout(CONNECTION_ATTEMPT_MS)

/** Copies of backups. Restores of earlier versions left them when they were killed. */
const OLD_COPY = /^\.restore-[0-9a-f-]{36}\.tmp$/

/** Prepares the data folder. @throws Error with one line that names the setting if the folder is not writable */
export async function ensureDataDir({ dataDir }: Pick<Config, 'dataDir'>): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true })
    await access(dataDir, constants.W_OK | constants.X_OK)
    for (const name of await readdir(dataDir)) if (OLD_COPY.test(name)) await rm(join(dataDir, name), { force: true })
  } catch (error) {
    const reason = hasErrorCode(error, 'EEXIST')
      ? 'it is not a folder'
      : systemErrorText(await findCause(dataDir, error))
    throw new Error(`Setting DATA_DIR is wrong: ${dataDir} cannot be written to: ${reason}`, { cause: error })
  }
}

/** Finds out whether the disk is read-only: Node.js reports then that the folder it cannot create does not exist. */
async function findCause(folder: string, error: unknown): Promise<unknown> {
  const parent = dirname(resolve(folder))
  if (!hasErrorCode(error, 'ENOENT') || parent === folder) return error
  return access(parent, constants.W_OK).then(
    () => error,
    (cause) => findCause(parent, cause),
  )
}

/** Marks this build as in use, so that later builds do not delete it. A read-only build is never deleted. */
export function markBuild(): void {
  if (import.meta.url.endsWith('.ts')) return
  const mark = fileURLToPath(new URL(`../${process.pid}.pid`, import.meta.url))
  try {
    writeFileSync(mark, '')
  } catch {
    return
  }
  process.once('exit', () => rmSync(mark, { force: true }))
}
