import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { type Ask, encode } from './connection.ts'
import { percentile } from './figures.ts'
import { memoryOf } from './machine.ts'

/** A probe that waits longer counts as this long. */
const PROBE_TIMEOUT_MS = 10_000
const PROBE_EVERY_MS = 20

export type Reply = { status: number; bytes: number }

/** Sends a request and reads its whole answer, of any framing. Status 0 means that the connection ended without one. */
export function send(port: number, { path, method = 'GET', headers = {}, body }: Ask, agent?: Agent): Promise<Reply> {
  return new Promise((resolve) => {
    const reply = { status: 0, bytes: 0 }
    const length = body ? { 'content-length': body.length } : {}
    const sent = request({ port, path, method, agent, headers: { ...headers, ...length } }, (answer) => {
      reply.status = answer.statusCode ?? 0
      answer.on('data', (chunk: Buffer) => {
        reply.bytes += chunk.length
      })
      answer.on('close', () => resolve(reply))
    })
    sent.on('error', () => resolve(reply))
    sent.end(body)
  })
}

/** Sends requests over some connections, each as soon as the one before is answered. @returns counts by status */
export async function flood(port: number, signal: AbortSignal, connections: number, next: () => Ask) {
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

/** Opens sockets that send a request and read nothing; one that is ended opens again. */
export async function leaveUnread(port: number, signal: AbortSignal, sockets: number, next: () => Ask): Promise<void> {
  await holdSockets(port, signal, sockets, (socket) => {
    socket.pause()
    socket.write(encode(next()))
  })
}

/** Opens sockets that announce a large body and send a few bytes of it each second. */
export async function drip(port: number, signal: AbortSignal, sockets: number, next: () => Ask): Promise<void> {
  await holdSockets(port, signal, sockets, (socket) => {
    const whole = encode(next())
    let sent = Math.floor(whole.length * 0.9)
    socket.write(whole.subarray(0, sent))
    const timer = setInterval(() => {
      socket.write(whole.subarray(sent, sent + 100))
      sent += 100
    }, 1000)
    socket.on('close', () => clearInterval(timer))
  })
}

async function holdSockets(port: number, signal: AbortSignal, sockets: number, use: (socket: Socket) => void) {
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

/** Asks for `/healthz` at a steady pace from a thread of its own. @returns latencies in ms, shortest first */
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

/** CPU time of a process's main thread, in ms: what its event loop worked; null where the system does not tell. */
export function mainThreadCpuOf(pid: number): number | null {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1_000_000
  } catch {
    return null
  }
}

/** Resets a process's peak memory, so that `memoryOf` returns the peak since now. */
export function resetPeakMemory(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5')
  } catch {
    // another system: the peak is that of the whole run
  }
}

/** Runs some work and returns its result, with the most memory the process had meanwhile above the beginning, in MB. */
export async function withPeak<Result>(pid: number, work: () => Promise<Result>) {
  resetPeakMemory(pid)
  const before = memoryOf(pid)
  const result = await work()
  const after = memoryOf(pid)
  return { result, more: before && after && after.most - before.now, most: after?.most ?? null }
}
