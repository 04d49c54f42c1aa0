import { connect, type Socket } from 'node:net'
import { cpuOf } from './machine.ts'
import { percentile } from './statistics.ts'

/** Limits connections opened at the same time. More would overflow the kernel's accept queue. */
const CONCURRENCY = 50
const TIMEOUT_MS = 30_000

/** An open event connection and the last post event it received. */
export type Listener = { socket: Socket; lastEvent: string; receivedAt: number; wake: () => void }

/**
 * Opens event connections in groups and waits for the server's greeting.
 * @param requestOf returns the request for a connection number
 * @throws Error if a connection is refused
 */
export async function openListeners(
  port: number,
  count: number,
  requestOf: (number: number) => Buffer,
): Promise<Listener[]> {
  const listeners: Listener[] = []
  while (listeners.length < count) {
    const opening = Array.from({ length: Math.min(CONCURRENCY, count - listeners.length) }, (_, at) =>
      openListener(port, requestOf(listeners.length + at)),
    )
    listeners.push(...(await withTimeout(Promise.all(opening))))
  }
  return listeners
}

function openListener(port: number, request: Buffer): Promise<Listener> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(request))
    const listener: Listener = { socket, lastEvent: '', receivedAt: 0, wake: () => {} }
    let isGreeted = false
    socket.on('error', reject)
    socket.on('data', (chunk) => {
      const text = chunk.toString('latin1')
      if (!isGreeted && text.includes('serialized-error')) reject(new Error(`Event connection refused: ${text}`))
      if (!isGreeted && text.includes('event: connected')) {
        isGreeted = true
        resolve(listener)
      }
      if (!text.includes('"kind":"post"')) return
      listener.lastEvent = text
      listener.receivedAt = performance.now()
      listener.wake()
    })
  })
}

/** Sends a post. Measures when each listener receives it, and how much CPU time `pid` uses. */
export async function measureFanOut(pid: number, listeners: Listener[], send: () => Promise<void>) {
  const received = Promise.all(listeners.map(nextPost))
  const [cpu, start] = [cpuOf(pid), performance.now()]
  await send()
  const answered = performance.now() - start
  await withTimeout(received)
  const after = cpuOf(pid)
  const times = listeners.map(({ receivedAt }) => receivedAt - start).sort((a, b) => a - b)
  return {
    'post response ms': answered,
    'first ms': times[0] ?? null,
    'p50 ms': percentile(times, 0.5),
    'p99 ms': percentile(times, 0.99),
    'last ms': times.at(-1) ?? null,
    'CPU ms total': cpu === null || after === null ? null : after - cpu,
  }
}

function nextPost(listener: Listener): Promise<void> {
  return new Promise((resolve) => {
    listener.wake = resolve
  })
}

/** @throws Error after TIMEOUT_MS */
async function withTimeout<Value>(promise: Promise<Value>): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('Not all event connections received the post')), TIMEOUT_MS)
  })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}
