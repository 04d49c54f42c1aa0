import { createHash, randomBytes, randomInt } from 'node:crypto'
import { once } from 'node:events'
import { chmod, lstat, mkdir, readdir, realpath, rename, rm } from 'node:fs/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { hasErrorCode } from '#db/errors.server.ts'

const MAX_SOCKET_PATH_BYTES = 107
const SOCKET_NAME = /^db-[0-9a-f]{16}\.sock$/
const HIDDEN_NAME = /^\.db-[0-9a-f]{16}$/

export type Lock = {
  path: string
  server: Server
  /** Calls the listener for each connection, including those that already wait. The sockets are paused. */
  onConnection(listener: (socket: Socket) => void): void
  release(): Promise<void>
}

/**
 * Locks a data folder with a socket that closes when the process ends. docs/decisions/0001 explains why this is safe.
 * @returns the lock, or the socket path of the process that already holds the lock
 */
export async function lockFolder(dataDir: string): Promise<Lock | { heldBy: string }> {
  const folder = await socketFolder(dataDir)
  let seen: string | undefined
  while (true) {
    let other = await findLiveSocket(folder)
    if (!other) {
      const lock = await createSocketLock(folder)
      other = lock && (await findLiveSocket(folder, lock.path))
      if (lock && !other) {
        await removeHidden(folder)
        return lock
      }
      await lock?.release()
    }
    // If several processes compete, all release and retry. A socket that outlives the pause belongs to the winner.
    if (other && other === seen) return { heldBy: other }
    seen = other
    await pause()
  }
}

/** @returns the socket path of the process that holds the lock, or null if there is none or several compete */
export async function findHolder(dataDir: string): Promise<string | null> {
  const folder = await socketFolder(dataDir)
  const seen = await findLiveSocket(folder)
  if (seen === undefined) return null
  await pause()
  return (await findLiveSocket(folder)) === seen ? seen : null
}

const pause = () => sleep(randomInt(20, 120))

/** Listens under a hidden name first: other processes delete a visible socket that does not listen. */
async function createSocketLock(folder: string): Promise<Lock | undefined> {
  const id = randomBytes(8).toString('hex')
  const hidden = join(folder, `.db-${id}`)
  const path = join(folder, `db-${id}.sock`)
  const early: Socket[] = []
  let listener = (socket: Socket) => {
    early.push(socket)
  }
  const server = createServer({ pauseOnConnect: true }, (socket) => listener(socket))
  server.listen(hidden)
  await once(server, 'listening')
  const release = async () => {
    await rm(path, { force: true })
    server.close()
    for (const socket of early) socket.destroy()
  }
  try {
    await chmod(hidden, 0o600)
    await rename(hidden, path)
  } catch (error) {
    await release()
    // Another process got the lock and removed the hidden socket.
    if (hasErrorCode(error, 'ENOENT')) return undefined
    throw error
  }
  return {
    path,
    server,
    onConnection(next) {
      listener = next
      for (const socket of early.splice(0)) next(socket)
    },
    release,
  }
}

async function findLiveSocket(folder: string, own?: string): Promise<string | undefined> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    if (!SOCKET_NAME.test(name) || path === own) continue
    if (await accepts(path)) return path
    await rm(path, { force: true })
  }
  return undefined
}

async function removeHidden(folder: string): Promise<void> {
  for (const name of await readdir(folder)) if (HIDDEN_NAME.test(name)) await rm(join(folder, name), { force: true })
}

function accepts(path: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const socket = connect(path)
    socket.on('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', (error) => {
      if (hasErrorCode(error, 'ECONNREFUSED', 'ENOENT')) resolve(false)
      // The other process is alive, but its connection queue is full.
      else if (hasErrorCode(error, 'EAGAIN')) resolve(true)
      // The socket closed while this connection was queued.
      else if (hasErrorCode(error, 'ECONNRESET')) resolve(accepts(path))
      else reject(error)
    })
  })
}

/**
 * Returns the data folder, or a private folder in the system's temporary folder if the socket path would be too long.
 */
async function socketFolder(dataDir: string): Promise<string> {
  const real = await realpath(dataDir)
  if (Buffer.byteLength(join(real, `db-${'0'.repeat(16)}.sock`)) <= MAX_SOCKET_PATH_BYTES) return real
  const folder = join(tmpdir(), `dtp-site-${createHash('sha256').update(real).digest('hex').slice(0, 16)}`)
  await mkdir(folder, { mode: 0o700 }).catch((error) => {
    if (!hasErrorCode(error, 'EEXIST')) throw error
  })
  // Another user could have created this name in the shared temporary folder.
  const { uid, mode } = await lstat(folder)
  if (uid !== process.getuid?.() || (mode & 0o170777) !== 0o040700) {
    throw new Error(`Cannot lock the data folder: ${folder} is not a private folder of this user. Remove it`)
  }
  return folder
}
