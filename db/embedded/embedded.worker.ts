import { mkdir, readFile, rename, rm } from 'node:fs/promises'
import { constants, getPriority, setPriority } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import { nullIfMissing, syncFolder, syncTree } from '#db/fileSystem.server.ts'
import { OtherVersionError } from '#db/migrate.server.ts'
import { CheckpointSchedule } from './checkpointSchedule.server.ts'
import { serveClient } from './clientConnection.server.ts'
import { DatabaseFiles } from './databaseFiles.server.ts'
import type { WorkerMessage } from './embedded.server.ts'
import { type Lock, lockFolder } from './folderLock.server.ts'
import { LogSync } from './logSync.server.ts'
import { migrateEmbedded, rejectOtherFormat, startParams, unpackTemplate } from './pgliteSetup.server.ts'
import { SessionMultiplexer } from './sessionMultiplexer.server.ts'
import { type InterruptedModule, StatementTimer } from './statementTimer.server.ts'

/** Added to the nice value of the process, so that answers from memory do not wait for queries on a busy core. */
const NICENESS = 5
/** Enough for the site and its commands. More connections would only queue for the same session. */
const MAX_CONNECTIONS = 20

// V8 does not optimise what it compiles while the database opens: in Node.js 24, optimising one function of it took 600 MB,
// and all of them a third of the processor time of a start.
setFlagsFromString('--no-wasm-tier-up')
setFlagsFromString('--no-wasm-dynamic-tiering')
// Checks a function when it is first called: most never are.
setFlagsFromString('--wasm-lazy-validation')
setFlagsFromString('--expose-gc')

const { dataDir } = workerData as { dataDir: string }
const send = (message: WorkerMessage) => parentPort?.postMessage(message)

const log = new LogSync(stop)
const timer = new StatementTimer()
const checkpoints = new CheckpointSchedule(() => void multiplexer?.run())
let multiplexer: SessionMultiplexer | undefined

await main().catch((error) =>
  send({ type: 'failed', message: messageOf(error), isOtherVersion: error instanceof OtherVersionError }),
)

async function main(): Promise<void> {
  lowerPriority()
  await mkdir(dataDir, { recursive: true })
  const lock = await lockFolder(dataDir)
  if ('heldBy' in lock) return send({ type: 'taken', path: lock.heldBy })
  let database: PGlite | undefined
  let stopServing = async () => {}
  const close = async () => {
    await stopServing()
    await database?.close()
    log.settle()
    await lock.release()
  }
  try {
    database = await openFolder(join(dataDir, 'db'))
    // Optimises what runs often from now on: functions of queries, and decoders of audio in the same process.
    setFlagsFromString('--wasm-dynamic-tiering')
    await migrateEmbedded(database)
    await database.exec('listen site')
    stopServing = serve(lock, database)
  } catch (error) {
    await close()
    throw error
  }
  parentPort?.once('message', close)
  send({ type: 'ready', path: lock.path })
  // Frees the file of the database's code, 9 MB. The thread makes too little garbage to collect it soon.
  runInNewContext('gc')()
}

/** Lowers the priority of this thread only: on Linux, 0 means the calling thread. */
function lowerPriority(): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(0, Math.min(constants.priority.PRIORITY_LOW, getPriority(0) + NICENESS))
  } catch {
    // Some sandboxes forbid it.
  }
}

/** Creates a new database under a temporary name, so that a partly written database is never opened. */
async function openFolder(folder: string): Promise<PGlite> {
  const version = await readFile(join(folder, 'PG_VERSION'), 'utf8').catch(nullIfMissing)
  if (version !== null) rejectOtherFormat(version)
  else {
    const partial = `${folder}.partial`
    await rm(partial, { recursive: true, force: true })
    await mkdir(partial, { mode: 0o700 })
    if (!(await unpackTemplate(partial))) await (await openFiles(partial)).close()
    await syncTree(partial)
    await rename(partial, folder)
    await syncFolder(join(folder, '..'))
  }
  // A crash leaves temporary files. A PostgreSQL server deletes them at its start, PGlite does not.
  await rm(join(folder, 'base', 'pgsql_tmp'), { recursive: true, force: true })
  return openFiles(folder)
}

async function openFiles(folder: string): Promise<PGlite> {
  const fs = new DatabaseFiles(folder, {
    log,
    onLogWrite: (isNewFile) => checkpoints.onLogWrite(isNewFile),
    onAccess: () => timer.check(),
    onModule: (module) => timer.attach(module as unknown as InterruptedModule),
  })
  return PGlite.create({ fs, startParams }).catch((error) => {
    const reason = `the files in ${folder} may be damaged (${messageOf(error)})`
    throw new Error(`${reason}. Move that folder away and restore a backup`, { cause: error })
  })
}

function stop(error: Error): never {
  send({ type: 'failed', message: error.message })
  process.exit(1)
}

/** Returns the error's text. WebAssembly's file system throws objects that have only a number. */
function messageOf(error: unknown): string {
  if (error instanceof Error) return error.message
  const { errno } = Object(error) as { errno?: unknown }
  return errno === undefined ? String(error) : `file system error ${errno}`
}

function serve(lock: Lock, database: PGlite): () => Promise<void> {
  const connections = new Set<() => Promise<void>>()
  const sessions = new SessionMultiplexer(database, {
    log,
    timer,
    checkpoints,
    onNotification: (channel, payload) => channel === 'site' && send({ type: 'notification', payload }),
    onFatal: stop,
  })
  multiplexer = sessions
  lock.server.maxConnections = MAX_CONNECTIONS
  lock.onConnection((socket) => {
    const end = serveClient(socket, sessions)
    connections.add(end)
    socket.once('close', () => connections.delete(end))
  })
  return async () => {
    lock.onConnection((socket) => socket.destroy())
    await Promise.all([...connections].map((end) => end()))
  }
}
