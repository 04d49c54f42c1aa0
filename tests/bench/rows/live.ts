import { connect, type Socket } from 'node:net'
import superjson from 'superjson'
import { Connection, encode } from '../connection.ts'
import { medians, percentile } from '../figures.ts'
import { asVisitor, preparePosts, THREADS } from '../forms.ts'
import { cpuOf, memoryOf } from '../machine.ts'
import type { Run } from '../run.ts'
import type { Server } from '../servers.ts'

const CONNECTIONS = 1000
/** Connections of one visitor's address; past some two dozen they are refused. */
const PER_ADDRESS = 20
/** So many connections are opened at once: a crowd, but not one that the system's own queue would refuse. */
const AT_ONCE = 50
/** Longer than anybody should wait to see a post. */
const WITHIN_MS = 30_000

type Listener = { socket: Socket; told: number; heardAt: number; wake: () => void }

/** Event connections on one thread, and how long until each has a new post of it, from the moment it is sent. */
export async function liveConnections(run: Run, site: Server): Promise<void> {
  const count = run.quick ? CONNECTIONS / 5 : CONNECTIONS
  const thread = run.seeded.others[0] as number
  const posts = await preparePosts(site.port, run.quick ? 3 : 9, () => `${THREADS}/${thread}/comments`)
  const before = memoryOf(site.pid)
  const listeners = await openAll(site.port, thread, count)
  const writer = new Connection(site.port)
  try {
    const open = memoryOf(site.pid)
    const rounds = []
    for (const post of posts) rounds.push(await tellAll(site, listeners, writer, post))
    run.add('live connections', `${count} on one thread`, {
      ...medians(rounds),
      'MB more': before && open && open.now - before.now,
      'MB in all': open?.now ?? null,
    })
  } finally {
    writer.close()
    for (const { socket } of listeners) socket.destroy()
  }
}

async function tellAll(site: Server, listeners: Listener[], writer: Connection, post: Buffer) {
  const heard = Promise.all(listeners.map(nextPost))
  const [cpu, start] = [cpuOf(site.pid), performance.now()]
  const { status, body } = await writer.send(post)
  if (status !== 200) throw new Error(`post: ${status} ${body}`)
  const answered = performance.now() - start
  await within(heard)
  const after = cpuOf(site.pid)
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

async function openAll(port: number, thread: number, count: number): Promise<Listener[]> {
  // Later than any there will be: nothing of the past is told.
  const input = superjson.serialize({ topics: [`thread:${thread}`], lastEventId: '999999999' })
  const path = `/trpc/site.live?input=${encodeURIComponent(JSON.stringify(input))}`
  const listeners: Listener[] = []
  let visitor = asVisitor()
  while (listeners.length < count) {
    const opening = Array.from({ length: Math.min(AT_ONCE, count - listeners.length) }, (_, at) => {
      if ((listeners.length + at) % PER_ADDRESS === 0) visitor = asVisitor()
      return openOne(port, encode({ path, headers: { accept: 'text/event-stream', ...visitor } }))
    })
    listeners.push(...(await within(Promise.all(opening))))
  }
  return listeners
}

/** Resolves when the server has greeted. @throws Error when it refuses */
function openOne(port: number, request: Buffer): Promise<Listener> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(request))
    const listener: Listener = { socket, told: 0, heardAt: 0, wake: () => {} }
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
      listener.heardAt = performance.now()
      listener.wake()
    })
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
