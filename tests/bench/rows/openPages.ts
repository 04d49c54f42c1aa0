import { setTimeout as sleep } from 'node:timers/promises'
import superjson from 'superjson'
import { boardDataPath } from '#src/contract/thread.ts'
import { createThrottle, REFETCH_THROTTLE } from '#src/lib/throttle.ts'
import { Connection, encode } from '#tests/bench/connection.ts'
import { newVisitor, preparePosts, THREADS } from '#tests/bench/forms.ts'
import { openListeners } from '#tests/bench/listeners.ts'
import { cpuOf } from '#tests/bench/machine.ts'
import type { Run } from '#tests/bench/run.ts'
import { BOARD } from '#tests/bench/seed.ts'
import type { Server } from '#tests/bench/servers.ts'

const PAGES = 200
/** Stays below EVENT_CONNECTIONS_PER_NETWORK, so that the server accepts all connections. */
const PER_ADDRESS = 20
const EVERY_MS = 1000
/** Number of warm-up posts: the first posts of a process cost several times more. */
const WARM_UP = 10

/** Open pages. `isAtRest` returns true when every page shows the latest posts. */
type Pages = { bytes: () => number; reads: () => number; isAtRest: () => boolean; close: () => void }

/**
 * Measures the cost of a post while pages of its board or its thread are open: events, and the throttled reloads of
 * board pages. Subtracts the CPU time of the same number of posts without open pages.
 */
export async function openPages(run: Run, site: Server): Promise<void> {
  const count = run.quick ? 10 : 30
  const prepared = await preparePosts(site.port, WARM_UP + 3 * count, () => `${THREADS}/${run.seeded.busy}/comments`)
  const take = (some: number) => prepared.splice(0, some)
  await send(site, take(WARM_UP))
  const baseline = await cpuDuring(site, () => send(site, take(count)))
  const kinds = {
    board: () => openBoardPages(site),
    thread: () => openConnections(site, `thread:${run.seeded.busy}`, () => {}),
  }
  for (const [kind, open] of Object.entries(kinds)) {
    const pages = await open()
    try {
      const before = pages.bytes()
      const cpu = await cpuDuring(site, async () => {
        await send(site, take(count))
        while (!pages.isAtRest()) await sleep(50)
      })
      const bytes = pages.bytes() - before
      run.add('open pages', `${PAGES} open ${kind} pages, one post per second`, {
        'CPU ms per post': cpu !== null && baseline !== null ? (cpu - baseline) / count : null,
        'kB per post': bytes / 1000 / count,
        'B per page': bytes / count / PAGES,
        'reads per post': pages.reads() / count,
      })
    } finally {
      pages.close()
    }
  }
}

/** Simulates board pages that reload their data after an event, as in a browser. */
async function openBoardPages(site: Server): Promise<Pages> {
  const pages = Array.from({ length: PAGES }, () => createBoardPage(site.port))
  await Promise.all(pages.map(({ read }) => read()))
  const first = pages.reduce((sum, { state }) => sum + state.reads, 0)
  const events = await openConnections(site, `board:${BOARD}`, (number) => pages[number]?.onEvent())
  const sum = (of: (page: (typeof pages)[number]) => number) => pages.reduce((all, page) => all + of(page), 0)
  return {
    bytes: () => events.bytes() + sum(({ state }) => state.bytes),
    reads: () => sum(({ state }) => state.reads) - first,
    isAtRest: () => pages.every(({ state }) => !state.isStale),
    close: () => {
      events.close()
      for (const { close } of pages) close()
    },
  }
}

function createBoardPage(port: number) {
  const connection = new Connection(port)
  const visitor = newVisitor()
  const state = { bytes: 0, reads: 0, isStale: false }
  let etag = ''

  async function read(): Promise<void> {
    state.isStale = false
    state.reads++
    const headers = { 'accept-encoding': 'br', ...(etag && { 'if-none-match': etag }), ...visitor }
    const { status, head, body } = await connection.send(encode({ path: boardDataPath(BOARD, 'en'), headers }))
    if (status !== 200 && status !== 304) throw new Error(`Board page failed: ${status} ${body}`)
    etag = /\r\netag: (.+?)\r\n/i.exec(head)?.[1] ?? etag
    state.bytes += head.length + body.length
  }

  const throttle = createThrottle(read, REFETCH_THROTTLE)
  return {
    state,
    read,
    onEvent: () => {
      state.isStale = true
      throttle.request()
    },
    close: () => {
      throttle.stop()
      connection.close()
    },
  }
}

/** Opens event connections for a topic. */
async function openConnections(site: Server, topic: string, onEvent: (number: number) => void): Promise<Pages> {
  const input = superjson.serialize({ topics: [topic, 'boards'], lastEventId: '999999999' })
  const path = `/trpc/site.events?input=${encodeURIComponent(JSON.stringify(input))}`
  let visitor = newVisitor()
  const listeners = await openListeners(site.port, PAGES, (number) => {
    if (number % PER_ADDRESS === 0) visitor = newVisitor()
    return encode({ path, headers: { accept: 'text/event-stream', ...visitor } })
  })
  for (const [number, { socket }] of listeners.entries()) {
    socket.on('data', (chunk) => {
      if (chunk.includes(`"topic":"${topic}"`)) onEvent(number)
    })
  }
  return {
    bytes: () => listeners.reduce((sum, { socket }) => sum + socket.bytesRead, 0),
    reads: () => 0,
    isAtRest: () => true,
    close: () => {
      for (const { socket } of listeners) socket.destroy()
    },
  }
}

async function send(site: Server, posts: Buffer[]): Promise<void> {
  const writer = new Connection(site.port)
  for (const post of posts) {
    const due = sleep(EVERY_MS)
    const { status, body } = await writer.send(post)
    if (status !== 200) throw new Error(`Post failed: ${status} ${body}`)
    await due
  }
  writer.close()
}

async function cpuDuring({ pid }: Server, work: () => Promise<void>): Promise<number | null> {
  const before = cpuOf(pid)
  await work()
  const after = cpuOf(pid)
  return before === null || after === null ? null : after - before
}
