import { access, constants, lstat, readdir, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { hasErrorCode, systemErrorText } from '#db/errors.server.ts'
import { findHolder } from './folderLock.server.ts'
import { startWorker } from './startWorker.server.ts'

export type WorkerMessage =
  | { type: 'ready'; path: string }
  | { type: 'taken'; path: string }
  | { type: 'failed'; message: string; isOtherVersion?: boolean }
  | { type: 'notification'; payload: string }

type Embedded = {
  path: string
  /** false if another process runs the database; only that process receives the notifications */
  owned: boolean
  close(): Promise<void>
}

type Options = { dataDir: string; onNotification: (payload: string) => void; onCrash: (error: Error) => void }

/** Leaves time for the final checkpoint. Without it, the next start must replay the write-ahead log. */
const CLOSE_TIMEOUT_MS = 15_000

/** The database itself is outside of the heap, so new objects need less memory than by default. */
const WORKER_LIMITS = { maxYoungGenerationSizeMb: 6 }

/** Opens the database in a worker thread, or finds the socket of the process that already opened it. */
export async function openEmbedded({ dataDir, onNotification, onCrash }: Options): Promise<Embedded> {
  forgetServerVariables()
  // A command beside a running site needs no thread, which would take 80 ms and leave 8 MB. If the search fails, the
  // thread searches again, and its error is explained.
  const path = await findHolder(dataDir).catch(() => null)
  if (path !== null) return { path, owned: false, close: async () => {} }
  const worker = startWorker(import.meta.url, 'embedded', { workerData: { dataDir }, resourceLimits: WORKER_LIMITS })
  let closing = false
  let settled = false
  return new Promise((resolve, reject) => {
    const fail = async (error: Error, isOtherVersion = false) => {
      if (closing) return
      closing = true
      if (isOtherVersion) return reject(error)
      const reason = (await explainFailure(dataDir)) ?? error.message
      if (settled) onCrash(new Error(`The embedded database stopped: ${reason}`, { cause: error }))
      else reject(new Error(`The embedded database cannot be opened: ${reason}`, { cause: error }))
    }
    worker.on('error', (error) => fail(error instanceof Error ? error : new Error(String(error))))
    worker.on('exit', (code) => fail(new Error(`exit code ${code}`)))
    worker.on('message', async (message: WorkerMessage) => {
      if (message.type === 'notification') return onNotification(message.payload)
      if (message.type === 'failed') return fail(new Error(message.message), message.isOtherVersion)
      settled = true
      if (message.type === 'taken') {
        closing = true
        return resolve({ path: message.path, owned: false, close: async () => {} })
      }
      const close = () => {
        if (closing) return Promise.resolve()
        closing = true
        return stopWorker(worker)
      }
      resolve({ path: message.path, owned: true, close })
    })
  })
}

/** postgres.js also reads options from variables such as `PGSSL`. They are about a server, which the socket is not. */
function forgetServerVariables(): void {
  for (const name of Object.keys(process.env)) if (name.startsWith('PG')) delete process.env[name]
}

async function stopWorker(worker: Worker): Promise<void> {
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
  worker.postMessage('close')
  const timer = setTimeout(() => worker.terminate(), CLOSE_TIMEOUT_MS)
  await ended
  clearTimeout(timer)
}

/** A new database takes 40 MB. Opening an existing database takes at least 16 MiB for its log. */
const REQUIRED_BYTES = 64 * 1024 * 1024

/**
 * Explains why PGlite failed, because its errors do not.
 * @returns the reason and the fix, or null if disk and permissions are fine
 */
async function explainFailure(dataDir: string): Promise<string | null> {
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
