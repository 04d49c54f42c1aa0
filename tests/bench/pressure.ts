import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { encode, type RequestSpec } from './connection.ts'
import { memoryOf } from './machine.ts'
import { percentile } from './statistics.ts'

/** Timeout of a probe, and the latency recorded for a failed probe. */
const PROBE_TIMEOUT_MS = 10_000
const PROBE_EVERY_MS = 20

export type Reply = { status: number; bytes: number }

/** Sends a request and reads the whole response. Status 0 means that the connection ended without a response. */
export function send(
  port: number,
  { path, method = 'GET', headers = {}, body }: RequestSpec,
  agent?: Agent,
): Promise<Reply> {
  return new Promise((resolve) => {
    const reply = { status: 0, bytes: 0 }
    const length = body ? { 'content-length': body.length } : {}
    const sent = request({ port, path, method, agent, headers: { ...headers, ...length } }, (response) => {
      reply.status = response.statusCode ?? 0
      response.on('data', (chunk: Buffer) => {
        reply.bytes += chunk.length
      })
      response.on('close', () => resolve(reply))
    })
    sent.on('error', () => resolve(reply))
    sent.end(body)
  })
}

/** Sends requests over several connections without pauses. @returns the number of responses by status */
export async function flood(port: number, signal: AbortSignal, connections: number, next: () => RequestSpec) {
  const statuses: Record<number, number> = {}
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const run = async () => {
    while (!signal.aborted) {
      const { status } = await send(port, next(), agent)
      statuses[status] = (statuses[status] ?? 0) + 1
      if (status === 0) await sleep(10)
    }
  }
  signal.addEventListener('abort', () => agent.destroy(), { once: true })
  await Promise.all(Array.from({ length: connections }, run))
  return statuses
}

/** Opens sockets that send a request and never read the response. Reopens closed sockets. */
export async function sendWithoutReading(
  port: number,
  signal: AbortSignal,
  sockets: number,
  next: () => RequestSpec,
): Promise<void> {
  await keepSocketsOpen(port, signal, sockets, (socket) => {
    socket.pause()
    socket.write(encode(next()))
  })
}

/** Opens sockets that send most of a request at once, and the rest at 100 bytes per second. */
export async function sendSlowly(
  port: number,
  signal: AbortSignal,
  sockets: number,
  next: () => RequestSpec,
): Promise<void> {
  await keepSocketsOpen(port, signal, sockets, (socket) => {
    const bytes = encode(next())
    let sent = Math.floor(bytes.length * 0.9)
    socket.write(bytes.subarray(0, sent))
    const timer = setInterval(() => {
      socket.write(bytes.subarray(sent, sent + 100))
      sent += 100
    }, 1000)
    socket.on('close', () => clearInterval(timer))
  })
}

async function keepSocketsOpen(port: number, signal: AbortSignal, sockets: number, use: (socket: Socket) => void) {
  const open = new Set<Socket>()
  while (!signal.aborted) {
    while (open.size < sockets) {
      const socket = connect(port, '127.0.0.1', () => use(socket))
      socket.on('error', () => {})
      socket.on('close', () => open.delete(socket))
      open.add(socket)
    }
    await sleep(100)
  }
  for (const socket of open) socket.destroy()
}

/** Requests `/healthz` at a fixed rate from a worker thread. @returns latencies in ms, shortest first */
export async function probe(port: number, signal: AbortSignal): Promise<Float64Array> {
  const workerData = { port, everyMs: PROBE_EVERY_MS, timeoutMs: PROBE_TIMEOUT_MS }
  const thread = new Worker(new URL('./probe.mjs', import.meta.url), { workerData })
  if (!signal.aborted) await once(signal, 'abort')
  thread.postMessage('stop')
  const [times] = await once(thread, 'message')
  return Float64Array.from(times as number[]).sort()
}

export const probeFigures = (times: Float64Array) => ({
  'healthz p50 ms': percentile(times, 0.5),
  'p99 ms': percentile(times, 0.99),
  'max ms': times.at(-1) ?? null,
})

/** Returns the CPU time of a process's main thread (the event loop) in ms, or null if unavailable. */
export function mainThreadCpuOf(pid: number): number | null {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1_000_000
  } catch {
    return null
  }
}

/** Resets a process's peak memory, so that `memoryOf` returns the peak since this call. */
export function resetPeakMemory(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5')
  } catch {
    // Only Linux can reset the peak. Elsewhere the peak covers the whole run.
  }
}

/** Runs `work` and measures the peak memory in MB: in total, and as an increase since the start. */
export async function measurePeak<Result>(pid: number, work: () => Promise<Result>) {
  resetPeakMemory(pid)
  const before = memoryOf(pid)
  const result = await work()
  const after = memoryOf(pid)
  return { result, increase: before && after && after.peak - before.now, peak: after?.peak ?? null }
}
