import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import superjson from 'superjson'
import { Connection, encode, sendOnce } from '#tests/bench/connection.ts'
import { newVisitor, preparePost, THREADS } from '#tests/bench/forms.ts'
import { openListeners } from '#tests/bench/listeners.ts'
import { repeatAll, runLoad } from '#tests/bench/load.ts'
import { cpuOf, memoryOf } from '#tests/bench/machine.ts'
import type { Figures } from '#tests/bench/report.ts'
import type { Run } from '#tests/bench/run.ts'
import { BOARD } from '#tests/bench/seed.ts'
import type { Server } from '#tests/bench/servers.ts'
import { median, percentile } from '#tests/bench/statistics.ts'
import { pageRequest, pathsOf } from './pages.ts'

/** The largest growth of memory from the first third after the warm-up to the last third, beyond which it is not flat. */
const TOLERANCE = 0.1
/** Caches fill and V8 compiles meanwhile. */
const WARM_UP_SHARE = 0.25
const READERS = { connections: 10, everyMs: 100 }
const POST_EVERY_MS = 500
const OPEN_PAGES = 100
const LISTENERS = 50
/** Stays below the limits of a network. */
const PER_ADDRESS = 20
/** Connections that come and go, each for this time. */
const VISIT_MS = 1000
const SAMPLE_MS = 1000
/** A small heap, so that V8 collects garbage instead of taking more memory. */
export const SOAK_HEAP = ['--max-old-space-size=384']

/** In MB. */
type Sample = { memory: number; heap: number }

/** Reads, posts, listeners and open pages together for minutes: memory must not grow after the warm-up. */
export async function soak(run: Pick<Run, 'seeded' | 'soakMinutes'>, site: Server): Promise<Figures> {
  const seconds = run.soakMinutes * 60
  const end = performance.now() + seconds * 1000
  const isOver = () => performance.now() >= end
  const { home, board, thread } = pathsOf(run)
  const threads = run.seeded.others.map((id) => `/dtpchan/board/${BOARD}/thread/${id}`)
  const pages = [home, board, thread, `${board}/catalog`, ...threads].map((path) => encode(pageRequest(path)))
  const samples: Sample[] = []
  const counts = { posts: 0, visits: 0 }

  async function post(): Promise<void> {
    const connection = new Connection(site.port)
    for (let number = 0; !isOver(); number++) {
      const due = sleep(POST_EVERY_MS)
      const path = `${THREADS}/${run.seeded.others[number % run.seeded.others.length]}/comments`
      const content = `Comment ${number} of a long day, as long as most of them are.`
      const { status, body } = await connection.send(
        encode(await preparePost(connection, path, { content, author: 'writer' })),
      )
      if (status !== 200) throw new Error(`Post failed: ${status} ${body}`)
      counts.posts++
      await due
    }
    connection.close()
  }

  /** Connections that stay open must not be the only ones: each end frees memory, too. */
  async function visit(request: () => Buffer): Promise<void> {
    while (!isOver()) {
      const socket = connect(site.port, '127.0.0.1', () => socket.write(request()))
      socket.on('error', () => {})
      socket.resume()
      await sleep(VISIT_MS)
      socket.destroy()
      counts.visits++
    }
  }

  async function sample(): Promise<void> {
    while (!isOver()) {
      samples.push({ memory: memoryOf(site.pid)?.now ?? Number.NaN, heap: await readHeap(site.port) })
      await sleep(SAMPLE_MS)
    }
  }

  let visitor = newVisitor()
  const openPages = await openListeners(site.port, OPEN_PAGES, (number) => {
    if (number % PER_ADDRESS === 0) visitor = newVisitor()
    return eventRequest([`board:${BOARD}`, 'boards'], visitor)
  })
  const listeners = Array.from({ length: LISTENERS }, () => {
    const socket = connect(site.port, '127.0.0.1', () => socket.write(streamRequest()))
    socket.on('error', () => {})
    return socket.resume()
  })
  const cpu = cpuOf(site.pid)
  try {
    const [{ times }] = await Promise.all([
      runLoad(site.port, { ...READERS, seconds }, repeatAll(pages)),
      post(),
      visit(streamRequest),
      visit(() => eventRequest([`thread:${run.seeded.busy}`], newVisitor())),
      sample(),
    ])
    const spent = cpuOf(site.pid)
    const after = samples.slice(Math.floor(samples.length * WARM_UP_SHARE))
    const third = Math.ceil(after.length / 3)
    const [first, last] = [after.slice(0, third), after.slice(-third)].map((part) => ({
      memory: median(part.map(({ memory }) => memory)),
      // The lowest value is what a garbage collection left.
      heap: Math.min(...part.map(({ heap }) => heap)),
    })) as [Sample, Sample]
    const isFlat = (['memory', 'heap'] as const).every((name) => last[name] <= first[name] * (1 + TOLERANCE))
    return {
      pages: times.length,
      'p99 ms': percentile(times, 0.99),
      ...counts,
      'open listeners': listeners.filter(({ destroyed, readyState }) => !destroyed && readyState === 'open').length,
      'CPU, % of a core': cpu === null || spent === null ? null : (spent - cpu) / seconds / 10,
      'MB after warm-up': first.memory,
      'MB at the end': last.memory,
      'heap after warm-up': first.heap,
      'heap at the end': last.heap,
      [`flat within ${TOLERANCE * 100} %`]: isFlat ? 'yes' : 'NO',
    }
  } finally {
    for (const { socket } of openPages) socket.destroy()
    for (const socket of listeners) socket.destroy()
  }
}

/** Returns the used heap in MB. */
async function readHeap(port: number): Promise<number> {
  const { body } = await sendOnce(port, { path: '/metrics' })
  return Number(/^nodejs_heap_size_used_bytes (\S+)$/m.exec(body.toString())?.[1]) / 1_000_000
}

const streamRequest = () => encode({ path: '/radio/1/stream', headers: newVisitor() })

function eventRequest(topics: string[], visitor: Record<string, string>): Buffer {
  const input = encodeURIComponent(JSON.stringify(superjson.serialize({ topics, lastEventId: '999999999' })))
  return encode({ path: `/trpc/site.events?input=${input}`, headers: { accept: 'text/event-stream', ...visitor } })
}
