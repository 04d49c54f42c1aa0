import { medians } from '#tests/bench/figures.ts'
import type { Measured } from '#tests/bench/load.ts'
import { costOf, GROWTH, MANY, RENDERED } from '#tests/bench/report.ts'
import { columnsOf, type Run } from '#tests/bench/run.ts'
import { FEW, growTo } from '#tests/bench/seed.ts'
import type { Server } from '#tests/bench/servers.ts'
import { pathsOf, renderedPage } from './pages.ts'
import { postComments } from './posts.ts'

/**
 * Pages that are rendered for each request, and a post, on a site that grows: what a request costs in CPU, the
 * database's included, and how long it takes, as ratios to a site of a hundred threads.
 */
export async function growth(run: Run, site: Server): Promise<void> {
  const { home, board, thread } = pathsOf(run)
  const pages = { home, board, 'thread of 250 posts': thread }
  const first = new Map<string, Measured>()
  // The first size must not bear the cost of code that has not run yet, nor its posts make the board another one.
  await measureAll()
  for (const threads of run.quick ? [FEW, 1000] : [FEW, 10_000, MANY]) {
    await fill(run, threads)
    // By turns, for what else the machine does in a second falls on all; the middle one of several rounds counts.
    const rounds: Record<string, Measured>[] = []
    for (let round = 0; round < run.pairs; round++) rounds.push(await measureAll())
    for (const name of Object.keys(rounds[0] ?? {})) note(name, threads, rounds)
  }

  async function measureAll(): Promise<Record<string, Measured>> {
    const measured: Record<string, Measured> = {}
    for (const [name, path] of Object.entries(pages)) measured[name] = await renderedPage(run, site, path)
    return { ...measured, comment: await postComments(run, site, run.seconds / 2) }
  }

  function note(name: string, threads: number, rounds: Record<string, Measured>[]): void {
    const measured: Measured = medians(rounds.map((round) => round[name] as Measured))
    if (threads === FEW && name !== 'comment') run.add(RENDERED, name, columnsOf(measured))
    const base = first.get(name) ?? measured
    first.set(name, base)
    run.add(GROWTH, `${name}, ${threads.toLocaleString('en')} threads`, {
      'CPU ms': costOf(measured),
      'p50 ms': measured.p50,
      'CPU, of that at 100': ratio(costOf(measured), costOf(base)),
      'p50, of that at 100': ratio(measured.p50, base.p50),
    })
  }
}

const ratio = (value: number | null, base: number | null) => value && base && value / base

async function fill({ place }: Run, threads: number): Promise<void> {
  const database = await place.open()
  try {
    await growTo(database.sql, threads)
    // As PostgreSQL's own housekeeping does by and by.
    await database.sql`vacuum analyze`
    await database.sql`checkpoint`
  } finally {
    await database.close()
  }
}
