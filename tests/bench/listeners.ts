import { connect, type Socket } from 'node:net'
import { percentile } from './figures.ts'
import { cpuOf } from './machine.ts'

/** So many connections are opened at once: a crowd, but not one that the system's own queue would refuse. */
const AT_ONCE = 50
/** Longer than anybody should wait to see a post. */
const WITHIN_MS = 30_000

/** An open event connection, and what it was told of a post last. */
export type Listener = { socket: Socket; heard: string; heardAt: number; wake: () => void }

/**
 * Opens event connections, each when its server has greeted the one before.
 * @param requestOf what each of them asks, by its number
 * @throws Error when one is refused
 */
export async function openListeners(
  port: number,
  count: number,
  requestOf: (number: number) => Buffer,
): Promise<Listener[]> {
  const listeners: Listener[] = []
  while (listeners.length < count) {
    const opening = Array.from({ length: Math.min(AT_ONCE, count - listeners.length) }, (_, at) =>
      openOne(port, requestOf(listeners.length + at)),
    )
    listeners.push(...(await within(Promise.all(opening))))
  }
  return listeners
}

function openOne(port: number, request: Buffer): Promise<Listener> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(request))
    const listener: Listener = { socket, heard: '', heardAt: 0, wake: () => {} }
    let greeted = false
    socket.on('error', reject)
    socket.on('data', (chunk) => {
      const text = chunk.toString('latin1')
      if (!greeted && text.includes('serialized-error')) reject(new Error(`refused: ${text}`))
      if (!greeted && text.includes('event: connected')) {
        greeted = true
        resolve(listener)
      }
      if (!text.includes('"kind":"post"')) return
      listener.heard = text
      listener.heardAt = performance.now()
      listener.wake()
    })
  })
}

/** Sends something that all are told of, and gives how long that took until each had it, and what it cost `pid`. */
export async function tellAll(pid: number, listeners: Listener[], send: () => Promise<void>) {
  const heard = Promise.all(listeners.map(nextPost))
  const [cpu, start] = [cpuOf(pid), performance.now()]
  await send()
  const answered = performance.now() - start
  await within(heard)
  const after = cpuOf(pid)
  const times = listeners.map(({ heardAt }) => heardAt - start).sort((a, b) => a - b)
  return {
    'post answered ms': answered,
    'first ms': times[0] ?? null,
    'p50 ms': percentile(times, 0.5),
    'p99 ms': percentile(times, 0.99),
    'last ms': times.at(-1) ?? null,
    'CPU ms in all': cpu === null || after === null ? null : after - cpu,
  }
}

function nextPost(listener: Listener): Promise<void> {
  return new Promise((resolve) => {
    listener.wake = resolve
  })
}

/** @throws Error when it takes longer than anybody would wait */
async function within<Value>(promise: Promise<Value>): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('not all of the live connections were told')), WITHIN_MS)
  })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}
