import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { encode } from '#tests/bench/connection.ts'
import { percentile } from '#tests/bench/figures.ts'
import { asVisitor } from '#tests/bench/forms.ts'
import { cpuOf, memoryOf } from '#tests/bench/machine.ts'
import type { Run } from '#tests/bench/run.ts'
import type { Server } from '#tests/bench/servers.ts'

const LISTENERS = 500
/** So many connections a second: a crowd, but not one that the system's own queue would refuse. */
const PER_SECOND = 250
/** Newcomers' bursts are taken and what they cost is over. */
const SETTLE_MS = 6000
/** Some servers send the head alone at first. */
const HEAD_BYTES = 1000

type Listener = { socket: Socket; firstMs: number; heardAt: number }

/** Listeners of the station built in: what they cost, and the longest time between any two pieces of sound. */
export async function radioListeners(run: Run, site: Server): Promise<void> {
  const count = run.quick ? LISTENERS / 5 : LISTENERS
  const before = memoryOf(site.pid)
  const heard = { bytes: 0, worstGapMs: 0 }
  let lost = 0
  const listeners: Listener[] = []
  try {
    for (let number = 0; number < count; number++) {
      listeners.push(listen(site.port, heard, () => lost++))
      await sleep(1000 / PER_SECOND)
    }
    await sleep(run.quick ? SETTLE_MS / 3 : SETTLE_MS)
    heard.bytes = 0
    heard.worstGapMs = 0
    const [cpu, start] = [cpuOf(site.pid), performance.now()]
    await sleep(run.seconds * 2000)
    const [spent, seconds] = [cpuOf(site.pid), (performance.now() - start) / 1000]
    const now = performance.now()
    // Those who hear nothing any more are the worst of all.
    const silent = Math.max(...listeners.map(({ heardAt }) => now - heardAt))
    const first = listeners
      .map(({ firstMs }) => firstMs)
      .filter((ms) => ms > 0)
      .sort((a, b) => a - b)
    const memory = memoryOf(site.pid)
    run.add('radio', `${count} listeners`, {
      heard: first.length,
      lost,
      'CPU, % of a core': cpu === null || spent === null ? null : (spent - cpu) / seconds / 10,
      'first sound p50 ms': percentile(first, 0.5),
      'p99 ms': percentile(first, 0.99),
      'worst gap ms': Math.max(heard.worstGapMs, silent),
      'kbit/s each': (heard.bytes * 8) / 1000 / seconds / count,
      'MB more': before && memory && memory.now - before.now,
    })
  } finally {
    for (const { socket } of listeners) socket.destroy()
  }
}

function listen(port: number, heard: { bytes: number; worstGapMs: number }, onLost: () => void): Listener {
  const start = performance.now()
  const socket = connect(port, '127.0.0.1', () =>
    socket.write(encode({ path: '/radio/1/stream', headers: asVisitor() })),
  )
  const listener = { socket, firstMs: 0, heardAt: start }
  socket.on('error', onLost)
  socket.on('end', onLost)
  socket.on('data', (chunk) => {
    const now = performance.now()
    heard.bytes += chunk.length
    if (listener.firstMs > 0) heard.worstGapMs = Math.max(heard.worstGapMs, now - listener.heardAt)
    else if (chunk.length > HEAD_BYTES) listener.firstMs = now - start
    listener.heardAt = now
  })
  return listener
}
