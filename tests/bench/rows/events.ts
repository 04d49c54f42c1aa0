import { fileURLToPath } from 'node:url'
import superjson from 'superjson'
import { Connection, encode } from '#tests/bench/connection.ts'
import { newVisitor, preparePosts, THREADS } from '#tests/bench/forms.ts'
import { type Listener, measureFanOut, openListeners } from '#tests/bench/listeners.ts'
import { cpuOf, memoryOf } from '#tests/bench/machine.ts'
import type { Run } from '#tests/bench/run.ts'
import { type Server, startServer } from '#tests/bench/servers.ts'
import { medians } from '#tests/bench/statistics.ts'

const BARE = fileURLToPath(new URL('../bareEventServer.mjs', import.meta.url))
const CONNECTIONS = 1000
/** Number of warm-up posts: the first posts of a process cost several times more. */
const WARM_UP = 30
/** Stays below EVENT_CONNECTIONS_PER_NETWORK, so that the server accepts all connections. */
const PER_ADDRESS = 20

/**
 * Measures how long a new post takes to reach every event connection of a thread. Compares it with a bare
 * server that writes the same bytes to the same number of connections.
 */
export async function eventConnections(run: Run, site: Server): Promise<void> {
  const count = run.quick ? CONNECTIONS / 5 : CONNECTIONS
  const { event, each } = await onSite(run, site, count)
  await onBare(run, count, event, each)
}

async function onSite(run: Run, site: Server, count: number) {
  const [thread, otherThread] = run.seeded.others as [number, number]
  const rounds = run.quick ? 3 : 9
  const prepare = (id: number, count: number) => preparePosts(site.port, count, () => `${THREADS}/${id}/comments`)
  const [warmUpPosts, baselinePosts, posts] = [
    await prepare(otherThread, WARM_UP),
    await prepare(otherThread, rounds),
    await prepare(thread, rounds),
  ]
  const writer = new Connection(site.port)
  const before = memoryOf(site.pid)
  const listeners = await openListeners(site.port, count, createRequest(thread))
  try {
    const open = memoryOf(site.pid)
    for (const post of warmUpPosts) await send(writer, post)
    const start = cpuOf(site.pid)
    for (const post of baselinePosts) await send(writer, post)
    const between = cpuOf(site.pid)
    const fanOuts = []
    for (const post of posts) fanOuts.push(await measureFanOut(site.pid, listeners, () => send(writer, post)))
    const end = cpuOf(site.pid)
    const ticks = start === null || between === null || end === null ? null : end - between - (between - start)
    const each = ticks === null ? null : ticks / rounds / count
    run.add('event connections', `${count} on one thread`, {
      ...medians(fanOuts),
      'CPU µs per connection': each && each * 1000,
      'MB increase': before && open && open.now - before.now,
      'MB total': open?.now ?? null,
    })
    return { event: /id: \d+\ndata: .+\n\n/.exec(listeners[0]?.lastEvent ?? '')?.[0] ?? '', each }
  } finally {
    writer.close()
    close(listeners)
  }
}

async function onBare(run: Run, count: number, event: string, eachOnSite: number | null): Promise<void> {
  const bare = await startServer({ program: [BARE], env: {}, cores: run.cores, path: '/' })
  const writer = new Connection(bare.port)
  const listeners: Listener[] = []
  try {
    listeners.push(...(await openListeners(bare.port, count, () => encode({ path: '/events' }))))
    const request = encode({ path: '/publish', method: 'POST', body: Buffer.from(event, 'latin1') })
    const rounds = run.quick ? 9 : 27
    const start = cpuOf(bare.pid)
    const fanOuts = []
    for (let round = 0; round < rounds; round++)
      fanOuts.push(await measureFanOut(bare.pid, listeners, () => send(writer, request)))
    const end = cpuOf(bare.pid)
    const each = start === null || end === null ? null : (end - start) / rounds / count
    run.add('event connections', `${count}, bare server`, {
      ...medians(fanOuts),
      'CPU µs per connection': each && each * 1000,
      'site / bare': each && eachOnSite && eachOnSite / each,
    })
  } finally {
    writer.close()
    close(listeners)
    await bare.stop()
  }
}

/** Returns a function that creates the request for a connection. PER_ADDRESS connections share an address. */
function createRequest(thread: number): (number: number) => Buffer {
  // This id is higher than all event ids, so that the server does not replay events.
  const input = superjson.serialize({ topics: [`thread:${thread}`], lastEventId: '999999999' })
  const path = `/trpc/site.events?input=${encodeURIComponent(JSON.stringify(input))}`
  let visitor = newVisitor()
  return (number) => {
    if (number % PER_ADDRESS === 0) visitor = newVisitor()
    return encode({ path, headers: { accept: 'text/event-stream', ...visitor } })
  }
}

async function send(writer: Connection, request: Buffer): Promise<void> {
  const { status, body } = await writer.send(request)
  if (status !== 200) throw new Error(`Post failed: ${status} ${body}`)
}

function close(listeners: Listener[]): void {
  for (const { socket } of listeners) socket.destroy()
}
