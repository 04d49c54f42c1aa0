import { setTimeout as sleep } from 'node:timers/promises'
import { Connection } from './connection.ts'
import { cpuOf } from './machine.ts'
import type { Measurable } from './servers.ts'
import { percentile } from './statistics.ts'

/** Time for the server to finish its work after the last response. */
const SETTLE_MS = 200

export type Load = {
  connections: number
  seconds: number
  /** minimum number of responses, even if they take longer than `seconds` */
  atLeast?: number
  /** interval between requests on a connection; by default, the next request follows each response at once */
  everyMs?: number
  status?: number
}

/** Response times in ms, shortest first. */
export type Times = { times: Float64Array; seconds: number }

/** Figures of one row. Times are in ms. CPU time is per request, for the site's process and for a separate database. */
export type Measured = Record<'perSecond' | 'p50' | 'p99' | 'cpu' | 'databaseCpu' | 'loadBusy', number | null>

/**
 * Sends requests over several connections until the time is over or `next` returns null.
 * @throws Error if a response does not have the expected status: fast refusals would falsify the figures
 */
export async function runLoad(port: number, load: Load, next: () => Buffer | null): Promise<Times> {
  const { connections, seconds, atLeast = 0, everyMs, status = 200 } = load
  const opened = Array.from({ length: connections }, () => new Connection(port))
  const times: number[] = []
  const start = performance.now()
  const end = start + seconds * 1000
  const sendAll = async (connection: Connection, index: number) => {
    // Staggers the connections, so that their requests are spread evenly over the interval.
    let due = everyMs ? start + (everyMs * index) / connections : 0
    for (;;) {
      const wait = due - performance.now()
      if (wait > 0) await sleep(wait)
      const now = performance.now()
      const request = now < end || times.length < atLeast ? next() : null
      if (!request) return
      // If the previous response was late, measures from the scheduled time, so that stalls are included.
      const from = everyMs && wait < 0 ? due : now
      const response = await connection.send(request)
      if (response.status !== status)
        throw new Error(`${response.head.split('\r\n')[0]}: ${response.body.toString().slice(0, 300)}`)
      times.push(performance.now() - from)
      if (everyMs) due += everyMs
    }
  }
  try {
    await Promise.all(opened.map(sendAll))
  } finally {
    for (const connection of opened) connection.close()
  }
  return { times: Float64Array.from(times).sort(), seconds: (performance.now() - start) / 1000 }
}

/** Warms up a server, then measures response times, rates and CPU time. */
export async function measure(
  server: Measurable,
  { warmUp, ...load }: Load & { warmUp: Pick<Load, 'seconds' | 'atLeast'> },
  next: () => Buffer | null,
): Promise<Measured> {
  await runLoad(server.port, { ...load, ...warmUp }, next)
  await sleep(SETTLE_MS)
  const [cpu, databaseCpu, loadStart] = [cpuOf(server.pid), server.databaseCpu(), process.cpuUsage()]
  const result = await runLoad(server.port, load, next)
  const busy = process.cpuUsage(loadStart)
  await sleep(SETTLE_MS)
  const { times, seconds } = result
  const perRequest = (before: number | null, after: number | null) =>
    before === null || after === null || times.length === 0 ? null : (after - before) / times.length
  return {
    perSecond: times.length / seconds,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    cpu: perRequest(cpu, cpuOf(server.pid)),
    databaseCpu: perRequest(databaseCpu, server.databaseCpu()),
    loadBusy: (busy.user + busy.system) / 1_000_000 / seconds,
  }
}

/** Returns the requests in order, and starts again after the last request. */
export function repeatAll(requests: Buffer[]): () => Buffer {
  let at = 0
  return () => requests[at++ % requests.length] as Buffer
}

/** Returns each request once, then null. */
export function eachOnce(requests: Buffer[]): () => Buffer | null {
  let at = 0
  return () => requests[at++] ?? null
}
