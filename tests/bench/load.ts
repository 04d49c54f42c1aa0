import { setTimeout as sleep } from 'node:timers/promises'
import { Connection } from './connection.ts'
import { percentile } from './figures.ts'
import { cpuOf } from './machine.ts'
import type { Measurable } from './servers.ts'

/** Work that goes on behind an answer, of the requests before or of those measured, gets this long to end. */
const SETTLE_MS = 200

export type Load = {
  connections: number
  seconds: number
  /** it goes on until so many are answered, however long that takes */
  atLeast?: number
  /** each connection sends one in so many ms, whether or not the site keeps up; else the next as soon as one is there */
  everyMs?: number
  status?: number
}

/** What answers took, in ms, shortest first. */
export type Times = { times: Float64Array; seconds: number }

/** One row's figures; times in ms. CPU is per request: of the site's process, and of a database beside it. */
export type Measured = Record<'perSecond' | 'p50' | 'p99' | 'cpu' | 'databaseCpu' | 'loadBusy', number | null>

/**
 * Sends requests over some connections until the time is over or there are no more of them.
 * @throws Error at the first answer of another status: a refusal is faster than the work
 */
export async function drive(port: number, load: Load, next: () => Buffer | null): Promise<Times> {
  const { connections, seconds, atLeast = 0, everyMs, status = 200 } = load
  const opened = Array.from({ length: connections }, () => new Connection(port))
  const times: number[] = []
  const start = performance.now()
  const end = start + seconds * 1000
  const ask = async (connection: Connection, index: number) => {
    // Those who come at a pace come one after the other, not all at once.
    let due = everyMs ? start + (everyMs * index) / connections : 0
    for (;;) {
      const wait = due - performance.now()
      if (wait > 0) await sleep(wait)
      const now = performance.now()
      const request = now < end || times.length < atLeast ? next() : null
      if (!request) return
      // A stall is felt by all who come during it: who is late because of the answer before has waited since then.
      const from = everyMs && wait < 0 ? due : now
      const answer = await connection.send(request)
      if (answer.status !== status)
        throw new Error(`${answer.head.split('\r\n')[0]}: ${answer.body.toString().slice(0, 300)}`)
      times.push(performance.now() - from)
      if (everyMs) due += everyMs
    }
  }
  try {
    await Promise.all(opened.map(ask))
  } finally {
    for (const connection of opened) connection.close()
  }
  return { times: Float64Array.from(times).sort(), seconds: (performance.now() - start) / 1000 }
}

/** Warms a server up and takes times, rates and CPU. `next` gives requests, null when there are no more. */
export async function measure(
  server: Measurable,
  { warmUp, ...load }: Load & { warmUp: Pick<Load, 'seconds' | 'atLeast'> },
  next: () => Buffer | null,
): Promise<Measured> {
  await drive(server.port, { ...load, ...warmUp }, next)
  await sleep(SETTLE_MS)
  const [cpu, databaseCpu, own] = [cpuOf(server.pid), server.databaseCpu(), process.cpuUsage()]
  const driven = await drive(server.port, load, next)
  const busy = process.cpuUsage(own)
  await sleep(SETTLE_MS)
  const { times, seconds } = driven
  const each = (before: number | null, after: number | null) =>
    before === null || after === null || times.length === 0 ? null : (after - before) / times.length
  return {
    perSecond: times.length / seconds,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    cpu: each(cpu, cpuOf(server.pid)),
    databaseCpu: each(databaseCpu, server.databaseCpu()),
    loadBusy: (busy.user + busy.system) / 1_000_000 / seconds,
  }
}

/** Gives requests in turn, for ever. */
export function inTurn(requests: Buffer[]): () => Buffer {
  let at = 0
  return () => requests[at++ % requests.length] as Buffer
}

/** Gives each request once. */
export function once(requests: Buffer[]): () => Buffer | null {
  let at = 0
  return () => requests[at++] ?? null
}
