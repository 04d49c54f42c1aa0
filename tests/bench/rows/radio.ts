import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { encode } from '#tests/bench/connection.ts'
import { newVisitor } from '#tests/bench/forms.ts'
import { cpuOf, memoryOf } from '#tests/bench/machine.ts'
import type { Run } from '#tests/bench/run.ts'
import type { Server } from '#tests/bench/servers.ts'
import { percentile } from '#tests/bench/statistics.ts'

const LISTENERS = 500
/** Limits new connections per second. More would overflow the kernel's accept queue. */
const PER_SECOND = 250
/** Time until the server has sent the initial burst to each listener. */
const SETTLE_MS = 6000
/** A first chunk below this size contains only headers. */
const HEAD_BYTES = 1000

type Listener = { socket: Socket; firstMs: number; receivedAt: number }

/** Measures the cost of listeners to the embedded station, and the longest gap between two chunks of sound. */
export async function radioListeners(run: Run, site: Server): Promise<void> {
  const count = run.quick ? LISTENERS / 5 : LISTENERS
  const before = memoryOf(site.pid)
  const received = { bytes: 0, maxGapMs: 0 }
  let lost = 0
  const listeners: Listener[] = []
  try {
    for (let number = 0; number < count; number++) {
      listeners.push(listen(site.port, received, () => lost++))
      await sleep(1000 / PER_SECOND)
    }
    await sleep(run.quick ? SETTLE_MS / 3 : SETTLE_MS)
    received.bytes = 0
    received.maxGapMs = 0
    const [cpu, start] = [cpuOf(site.pid), performance.now()]
    await sleep(run.seconds * 2000)
    const [spent, seconds] = [cpuOf(site.pid), (performance.now() - start) / 1000]
    const now = performance.now()
    // Longest time since a listener's last chunk, in case a listener no longer receives any.
    const silent = Math.max(...listeners.map(({ receivedAt }) => now - receivedAt))
    const first = listeners
      .map(({ firstMs }) => firstMs)
      .filter((ms) => ms > 0)
      .sort((a, b) => a - b)
    const memory = memoryOf(site.pid)
    run.add('radio', `${count} listeners`, {
      playing: first.length,
      lost,
      'CPU, % of a core': cpu === null || spent === null ? null : (spent - cpu) / seconds / 10,
      'first sound p50 ms': percentile(first, 0.5),
      'p99 ms': percentile(first, 0.99),
      'max gap ms': Math.max(received.maxGapMs, silent),
      'kbit/s per listener': (received.bytes * 8) / 1000 / seconds / count,
      'MB increase': before && memory && memory.now - before.now,
    })
  } finally {
    for (const { socket } of listeners) socket.destroy()
  }
}

function listen(port: number, received: { bytes: number; maxGapMs: number }, onLost: () => void): Listener {
  const start = performance.now()
  const socket = connect(port, '127.0.0.1', () =>
    socket.write(encode({ path: '/radio/1/stream', headers: newVisitor() })),
  )
  const listener = { socket, firstMs: 0, receivedAt: start }
  socket.on('error', onLost)
  socket.on('end', onLost)
  socket.on('data', (chunk) => {
    const now = performance.now()
    received.bytes += chunk.length
    if (listener.firstMs > 0) received.maxGapMs = Math.max(received.maxGapMs, now - listener.receivedAt)
    else if (chunk.length > HEAD_BYTES) listener.firstMs = now - start
    listener.receivedAt = now
  })
  return listener
}
