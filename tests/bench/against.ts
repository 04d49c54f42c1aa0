import { setTimeout as sleep } from 'node:timers/promises'
import { Connection, sendOnce } from './connection.ts'
import { measureFirstVisit } from './firstVisit.ts'
import { preparePosts, THREADS } from './forms.ts'
import type { Installation, InstallationFactory } from './installations.ts'
import { eachOnce, runLoad } from './load.ts'
import { memoryOf } from './machine.ts'
import type { Figures } from './report.ts'
import { measureImport } from './rows/import.ts'
import { pageRequest, pathsOf } from './rows/pages.ts'
import { measureComments } from './rows/posts.ts'
import { BOARD, POSTS, type Seeded } from './seed.ts'
import { formatFigure, median } from './statistics.ts'

/** Threads that receive the measured posts. */
const THREAD_COUNT = 40
/** So many that statements of jobs between them hardly count. */
const COUNTED_POSTS = 200
const REST_MS = 10_000
/** Time for the work after a start or after posts. */
const SETTLE_MS = 3000
const IMPORTED_POSTS = 20_000

type Side = {
  folder: string | undefined
  installation: Installation
  seeded: Seeded
  runs: Figures[]
}
type ImportComparison = Omit<Comparison, 'seconds'> & { posts: number }
export type Comparison = {
  factory: InstallationFactory
  /** folder of the other build */
  root: string
  pairs: number
  /** duration of the measured load */
  seconds: number
  log: (line: string) => void
  add: (name: string, figures: Figures) => void
}

/**
 * Measures another build and the working tree in turn, and adds the medians and their ratio. Fills both only with the
 * command `seed` and over HTTP, so that the other build can have any schema.
 */
export async function compareBuilds({ factory, root, pairs, seconds, log, add }: Comparison): Promise<void> {
  const sides: Side[] = []
  try {
    for (const folder of [root, undefined]) {
      const installation = await factory.create(folder)
      sides.push({ folder, installation, seeded: await fill(installation), runs: [] })
    }
    for (let pair = 0; pair < pairs; pair++) {
      const turn = pair % 2 === 0 ? sides : sides.toReversed()
      for (const side of turn) {
        log(`pair ${pair + 1}: ${side.folder ? 'the commit' : 'the working tree'}`)
        const imported = await measureImport(factory, IMPORTED_POSTS, side.folder)
        const named = Object.entries(imported).map(([name, value]) => [`import: ${name}`, value])
        side.runs.push({ ...(await measureBuild(side, seconds)), ...Object.fromEntries(named) })
      }
    }
  } finally {
    for (const { installation } of sides) await installation.remove()
  }
  const [other, own] = sides as [Side, Side]
  addRatios(other.runs, own.runs, add)
}

/** Measures only the import of both builds in turn. */
export async function compareImports({ factory, root, pairs, posts, log, add }: ImportComparison): Promise<void> {
  const runs: [Figures[], Figures[]] = [[], []]
  for (let pair = 0; pair < pairs; pair++) {
    for (const side of pair % 2 === 0 ? [0, 1] : [1, 0]) {
      const figures = await measureImport(factory, posts, side === 0 ? root : undefined)
      log(`pair ${pair + 1}: ${side === 0 ? 'the commit' : 'the working tree'}: ${formatFigures(figures)}`)
      runs[side as 0 | 1].push(figures)
    }
  }
  addRatios(...runs, add)
}

const formatFigures = (figures: Figures) =>
  Object.entries(figures)
    .map(([name, value]) => `${name} ${formatFigure(value)}`)
    .join(', ')

function addRatios(other: Figures[], own: Figures[], add: Comparison['add']): void {
  for (const name of Object.keys(own[0] ?? {})) {
    const [before, now] = [other, own].map((runs) => median(runs.map((run) => Number(run[name] ?? Number.NaN)))) as [
      number,
      number,
    ]
    add(name, { before, now, 'now / before': now / before })
  }
}

/** Fills a site with a thread of 250 posts and threads to post on. */
async function fill(installation: Installation): Promise<Seeded> {
  // The first start creates the admin, whom the board needs.
  await (await installation.start()).stop()
  await installation.command(['seed', '--threads', '10', '--comments', '5', '--pictures', '0', '--board', BOARD])
  const site = await installation.start()
  try {
    const threads: number[] = []
    const connection = new Connection(site.port)
    for (const request of await preparePosts(site.port, THREAD_COUNT + 1, () => THREADS, { title: 'A thread' })) {
      const { status, body } = await connection.send(request)
      if (status !== 200) throw new Error(`${THREADS}: ${status} ${body}`)
      threads.push(JSON.parse(body.toString()).thread.id)
    }
    connection.close()
    const [busy = 0, ...others] = threads
    const posts = await preparePosts(site.port, POSTS - 1, () => `${THREADS}/${busy}/comments`)
    await runLoad(site.port, { connections: 1, seconds: 0, atLeast: posts.length }, eachOnce(posts))
    return { busy, others }
  } finally {
    await site.stop()
  }
}

async function measureBuild({ installation, seeded }: Side, seconds: number): Promise<Record<string, number | null>> {
  const site = await installation.start()
  try {
    await sleep(SETTLE_MS)
    const memory = memoryOf(site.pid)
    const path = pathsOf({ seeded }).thread
    const start = performance.now()
    const { status, body } = await sendOnce(site.port, pageRequest(path))
    if (status !== 200) throw new Error(`${path}: ${status}`)
    const firstGetMs = performance.now() - start
    const visit = await measureFirstVisit(`http://127.0.0.1:${site.port}${path}`)
    const { perSecond } = await measureComments({ seeded, seconds }, site)
    await sleep(SETTLE_MS)
    return {
      'posts per s': perSecond,
      ...(await countStatements(installation, seeded, site.port)),
      'start, s': site.startupMs / 1000,
      'memory after the start, MB': memory?.now ?? null,
      'thread, bytes': body.length,
      'thread, first GET, ms': firstGetMs,
      'first visit, script bytes': visit.scriptBytes,
      'first visit, blocking ms': visit.blockingMs,
    }
  } finally {
    await site.stop()
  }
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
