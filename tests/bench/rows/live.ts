import { fileURLToPath } from 'node:url'
import superjson from 'superjson'
import { Connection, encode } from '#tests/bench/connection.ts'
import { medians } from '#tests/bench/figures.ts'
import { asVisitor, preparePosts, THREADS } from '#tests/bench/forms.ts'
import { type Listener, openListeners, tellAll } from '#tests/bench/listeners.ts'
import { cpuOf, memoryOf } from '#tests/bench/machine.ts'
import type { Run } from '#tests/bench/run.ts'
import { type Server, startServer } from '#tests/bench/servers.ts'

const BARE = fileURLToPath(new URL('../bareEvents.mjs', import.meta.url))
const CONNECTIONS = 1000
/** The first posts of a process cost several times what the others do. */
const WARM_UP = 30
/** Connections of one visitor's address; past some two dozen they are refused. */
const PER_ADDRESS = 20

/**
 * Event connections on one thread, and how long until each has a new post of it, from the moment it is sent; beside it
 * what it costs to write the same bytes to as many connections.
 */
export async function liveConnections(run: Run, site: Server): Promise<void> {
  const count = run.quick ? CONNECTIONS / 5 : CONNECTIONS
  const { event, each } = await onSite(run, site, count)
  await onBare(run, count, event, each)
}

async function onSite(run: Run, site: Server, count: number) {
  const [thread, unheard] = run.seeded.others as [number, number]
  const rounds = run.quick ? 3 : 9
  const prepare = (id: number, count: number) => preparePosts(site.port, count, () => `${THREADS}/${id}/comments`)
  const [first, alone, heard] = [
    await prepare(unheard, WARM_UP),
    await prepare(unheard, rounds),
    await prepare(thread, rounds),
  ]
  const writer = new Connection(site.port)
  const before = memoryOf(site.pid)
  const listeners = await openListeners(site.port, count, listen(thread))
  try {
    const open = memoryOf(site.pid)
    for (const post of first) await send(writer, post)
    const start = cpuOf(site.pid)
    for (const post of alone) await send(writer, post)
    const between = cpuOf(site.pid)
    const told = []
    for (const post of heard) told.push(await tellAll(site.pid, listeners, () => send(writer, post)))
    const end = cpuOf(site.pid)
    const ticks = start === null || between === null || end === null ? null : end - between - (between - start)
    const each = ticks === null ? null : ticks / rounds / count
    run.add('live connections', `${count} on one thread`, {
      ...medians(told),
      'CPU µs each': each && each * 1000,
      'MB more': before && open && open.now - before.now,
      'MB in all': open?.now ?? null,
    })
    return { event: /id: \d+\ndata: .+\n\n/.exec(listeners[0]?.heard ?? '')?.[0] ?? '', each }
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
    const request = encode({ path: '/tell', method: 'POST', body: Buffer.from(event, 'latin1') })
    const rounds = run.quick ? 9 : 27
    const start = cpuOf(bare.pid)
    const told = []
    for (let round = 0; round < rounds; round++)
      told.push(await tellAll(bare.pid, listeners, () => send(writer, request)))
    const end = cpuOf(bare.pid)
    const each = start === null || end === null ? null : (end - start) / rounds / count
    run.add('live connections', `${count} of a bare server`, {
      ...medians(told),
      'CPU µs each': each && each * 1000,
      'site, of it': each && eachOnSite && eachOnSite / each,
    })
  } finally {
    writer.close()
    close(listeners)
    await bare.stop()
  }
}

/** What each connection asks, so many of them from one address. */
function listen(thread: number): (number: number) => Buffer {
  // Later than any there will be: nothing of the past is told.
  const input = superjson.serialize({ topics: [`thread:${thread}`], lastEventId: '999999999' })
  const path = `/trpc/site.live?input=${encodeURIComponent(JSON.stringify(input))}`
  let visitor = asVisitor()
  return (number) => {
    if (number % PER_ADDRESS === 0) visitor = asVisitor()
    return encode({ path, headers: { accept: 'text/event-stream', ...visitor } })
  }
}

async function send(writer: Connection, request: Buffer): Promise<void> {
  const { status, body } = await writer.send(request)
  if (status !== 200) throw new Error(`post: ${status} ${body}`)
}

function close(listeners: Listener[]): void {
  for (const { socket } of listeners) socket.destroy()
}
