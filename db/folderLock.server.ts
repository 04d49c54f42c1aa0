import { createHash, randomBytes, randomInt } from 'node:crypto'
import { once } from 'node:events'
import { chmod, lstat, mkdir, readdir, realpath, rename, rm } from 'node:fs/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { hasErrorCode } from './errors.server.ts'

/** bytes of a Unix socket's path, by the kernel's struct less its NUL */
const LONGEST_PATH = 107
const NAME = /^db-[0-9a-f]{16}\.sock$/
const HIDDEN_NAME = /^\.db-[0-9a-f]{16}$/

export type Lock = {
  path: string
  server: Server
  /** connections accepted so far and from now on, paused */
  onConnection(listener: (socket: Socket) => void): void
  release(): Promise<void>
}

/**
 * The lock on a data folder is a socket that accepts connections: it is gone with its process, however that ends.
 * Each asker listens under a name that never comes back, then looks for others; of two, the later one sees the other.
 * Returns the lock, or the path of the socket of the one who has it. docs/decisions/0001 tells why this is safe.
 */
export async function lockFolder(dataDir: string): Promise<Lock | { heldBy: string }> {
  const folder = await socketFolder(dataDir)
  let seen: string | undefined
  while (true) {
    let other = await findLiveSocket(folder)
    if (!other) {
      const lock = await announce(folder)
      other = lock && (await findLiveSocket(folder, lock.path))
      if (lock && !other) {
        await removeHidden(folder)
        return lock
      }
      await lock?.release()
    }
    // who asks at the same time withdraws as we did; who still stands there after a pause has the folder
    if (other && other === seen) return { heldBy: other }
    seen = other
    await sleep(randomInt(20, 120))
  }
}

/** Listens under a hidden name first: one that is bound but does not listen yet would be taken for a dead one. */
async function announce(folder: string): Promise<Lock | undefined> {
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
    // removed by one who has the folder now
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
    if (!NAME.test(name) || path === own) continue
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
      // its queue of connections is full
      else if (hasErrorCode(error, 'EAGAIN')) resolve(true)
      // it closed while we stood in that queue; what is there now?
      else if (hasErrorCode(error, 'ECONNRESET')) resolve(accepts(path))
      else reject(error)
    })
  })
}

/** The data folder itself, or a private one in the system's temporary folder when its path is too long for a socket. */
async function socketFolder(dataDir: string): Promise<string> {
  const real = await realpath(dataDir)
  if (Buffer.byteLength(join(real, `db-${'0'.repeat(16)}.sock`)) <= LONGEST_PATH) return real
  const folder = join(tmpdir(), `dtp-site-${createHash('sha256').update(real).digest('hex').slice(0, 16)}`)
  await mkdir(folder, { mode: 0o700 }).catch((error) => {
    if (!hasErrorCode(error, 'EEXIST')) throw error
  })
  // in a folder everybody may write to, the name could have been taken by somebody else
  const { uid, mode } = await lstat(folder)
  if (uid !== process.getuid?.() || (mode & 0o170777) !== 0o040700) throw new Error(`${folder} is not a private folder`)
  return folder
}
