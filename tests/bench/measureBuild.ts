import { setTimeout as sleep } from 'node:timers/promises'
import { Connection, sendOnce } from './connection.ts'
import { measureFirstVisit } from './firstVisit.ts'
import { preparePosts, THREADS } from './forms.ts'
import type { Installation } from './installations.ts'
import { eachOnce, runLoad } from './load.ts'
import { cpuOf, memoryOf } from './machine.ts'
import { type Figures, totalCpuOf } from './report.ts'
import { pageRequest, pathsOf } from './rows/pages.ts'
import { measureComments } from './rows/posts.ts'
import { BOARD, POSTS, type Seeded } from './seed.ts'
import { median } from './statistics.ts'

/** Threads that receive the measured posts. */
const THREAD_COUNT = 40
/** So many that statements of jobs between them hardly count. */
const COUNTED_POSTS = 200
const REST_MS = 10_000
/** Time for the work after posts. */
const SETTLE_MS = 3000
/** Posts of the threads that are opened after a comment. */
const LONG_THREADS = [300, 1500]
/** So many that one pause of the machine does not decide. */
const OPENINGS = 5

export type BuildSide = {
  installation: Installation
  seeded: Seeded
  /** threads with as many posts as `LONG_THREADS` says */
  long: number[]
}

/** Fills a site with a thread of 250 posts, longer ones, and threads to post on. */
export async function fillSite(installation: Installation): Promise<Omit<BuildSide, 'installation'>> {
  // The first start creates the admin, whom the board needs.
  await (await installation.start()).stop()
  await installation.command(['seed', '--threads', '10', '--comments', '5', '--pictures', '0', '--board', BOARD])
  const site = await installation.start()
  try {
    const threads: number[] = []
    const connection = new Connection(site.port)
    const count = THREAD_COUNT + 1 + LONG_THREADS.length
    for (const request of await preparePosts(site.port, count, () => THREADS, { title: 'A thread' })) {
      const { status, body } = await connection.send(request)
      if (status !== 200) throw new Error(`${THREADS}: ${status} ${body}`)
      threads.push(JSON.parse(body.toString()).thread.id)
    }
    connection.close()
    const [busy = 0, ...rest] = threads
    const [long, others] = [rest.slice(0, LONG_THREADS.length), rest.slice(LONG_THREADS.length)]
    for (const [at, id] of [busy, ...long].entries())
      await addComments(site.port, id, [POSTS, ...LONG_THREADS][at] ?? 0)
    return { seeded: { busy, others }, long }
  } finally {
    await site.stop()
  }
}

/** Adds comments to a thread until it has so many posts. */
async function addComments(port: number, thread: number, postCount: number): Promise<void> {
  const posts = await preparePosts(port, postCount - 1, () => `${THREADS}/${thread}/comments`)
  await runLoad(port, { connections: 1, seconds: 0, atLeast: posts.length }, eachOnce(posts))
}

/** Starts a filled site and measures its posts, pages, statements and memory. */
export async function measureBuild({ installation, seeded, long }: BuildSide, seconds: number): Promise<Figures> {
  const site = await installation.start()
  const startCpu = cpuOf(site.pid)
  try {
    await sleep(REST_MS)
    const memory = memoryOf(site.pid)
    const paths = pathsOf({ seeded })
    const path = paths.thread
    const start = performance.now()
    const { status, body } = await sendOnce(site.port, pageRequest(path))
    if (status !== 200) throw new Error(`${path}: ${status}`)
    const firstGetMs = performance.now() - start
    const plain = await sendOnce(site.port, pageRequest(path, 'identity'))
    const openings: Figures = {}
    for (const [at, id] of long.entries())
      openings[`thread of ${LONG_THREADS[at]} posts after a comment, ms`] = await measureOpening(site.port, id)
    const visits: Figures = {}
    for (const [name, page] of Object.entries(paths)) {
      const { scriptBytes, blockingMs } = await measureFirstVisit(`http://127.0.0.1:${site.port}${page}`)
      visits[`first visit of the ${name}, script bytes`] = scriptBytes
      visits[`first visit of the ${name}, blocking ms`] = blockingMs
    }
    const comments = await measureComments({ seeded, seconds }, site)
    await sleep(SETTLE_MS)
    return {
      'posts per s': comments.perSecond,
      'post, CPU ms': totalCpuOf(comments),
      ...(await countStatements(installation, seeded, site.port)),
      'start, s': site.startupMs / 1000,
      'start, CPU s': startCpu && startCpu / 1000,
      'memory after the start, MB': memory?.now ?? null,
      'thread, bytes': plain.body.length,
      'thread, bytes of brotli': body.length,
      'thread, first GET, ms': firstGetMs,
      ...openings,
      ...visits,
    }
  } finally {
    await site.stop()
  }
}

/** @returns median time of the first GET of a thread after a comment on it, in ms */
async function measureOpening(port: number, thread: number): Promise<number> {
  const comments = await preparePosts(port, OPENINGS, () => `${THREADS}/${thread}/comments`)
  const times: number[] = []
  for (const comment of comments) {
    await runLoad(port, { connections: 1, seconds: 0, atLeast: 1 }, eachOnce([comment]))
    const start = performance.now()
    const { status } = await sendOnce(port, pageRequest(`/dtpchan/board/${BOARD}/thread/${thread}`))
    if (status !== 200) throw new Error(`Thread ${thread}: ${status}`)
    times.push(performance.now() - start)
  }
  return median(times)
}

async function countStatements(
  { countStatements }: Installation,
  { others }: Seeded,
  port: number,
): Promise<Record<string, number>> {
  if (!countStatements) return {}
  const posts = await preparePosts(port, COUNTED_POSTS, (at) => `${THREADS}/${others[at % THREAD_COUNT]}/comments`)
  const load = { connections: 1, seconds: 0, atLeast: COUNTED_POSTS }
  const atRest = await countStatements(() => sleep(REST_MS))
  const whilePosting = await countStatements(() => runLoad(port, load, eachOnce(posts)))
  return { 'statements per post': whilePosting / COUNTED_POSTS, 'statements at rest, in 10 s': atRest }
}
