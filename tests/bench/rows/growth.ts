import type { Measured } from '#tests/bench/load.ts'
import { GROWTH, LARGE_SITE_THREADS, RENDERED, totalCpuOf } from '#tests/bench/report.ts'
import { type Run, toColumns } from '#tests/bench/run.ts'
import { growTo, SMALL_SITE_THREADS } from '#tests/bench/seed.ts'
import type { Server } from '#tests/bench/servers.ts'
import { medians } from '#tests/bench/statistics.ts'
import { measureRendered, pathsOf } from './pages.ts'
import { measureComments } from './posts.ts'

/**
 * Measures the CPU time (including the database) and the latency of uncached pages and comments while the site grows.
 * Compares them with a site of a hundred threads.
 */
export async function growth(run: Run, site: Server): Promise<void> {
  const { home, board, thread } = pathsOf(run)
  const pages = { home, board, 'thread of 250 posts': thread }
  const first = new Map<string, Measured>()
  // Warms up, because the first requests and posts of a process cost more.
  await measureAll()
  for (const threads of run.quick ? [SMALL_SITE_THREADS, 1000] : [SMALL_SITE_THREADS, 10_000, LARGE_SITE_THREADS]) {
    await fill(run, threads)
    // Alternates between the pages, so that other load affects them equally. Reports the median of the rounds.
    const rounds: Record<string, Measured>[] = []
    for (let round = 0; round < run.pairs; round++) rounds.push(await measureAll())
    for (const name of Object.keys(rounds[0] ?? {})) note(name, threads, rounds)
  }

  async function measureAll(): Promise<Record<string, Measured>> {
    const measured: Record<string, Measured> = {}
    for (const [name, path] of Object.entries(pages)) measured[name] = await measureRendered(run, site, path)
    return { ...measured, comment: await measureComments(run, site, run.seconds / 2) }
  }

  function note(name: string, threads: number, rounds: Record<string, Measured>[]): void {
    const measured: Measured = medians(rounds.map((round) => round[name] as Measured))
    if (threads === SMALL_SITE_THREADS && name !== 'comment') run.add(RENDERED, name, toColumns(measured))
    const base = first.get(name) ?? measured
    first.set(name, base)
    run.add(GROWTH, `${name}, ${threads.toLocaleString('en')} threads`, {
      'CPU ms': totalCpuOf(measured),
      'p50 ms': measured.p50,
      'CPU / 100 threads': ratio(totalCpuOf(measured), totalCpuOf(base)),
      'p50 / 100 threads': ratio(measured.p50, base.p50),
    })
  }
}

const ratio = (value: number | null, base: number | null) => value && base && value / base

async function fill({ installation }: Run, threads: number): Promise<void> {
  const database = await installation.open()
  try {
    await growTo(database.sql, threads)
    // Does what autovacuum would do eventually.
    await database.sql`vacuum analyze`
    await database.sql`checkpoint`
  } finally {
    await database.close()
  }
}
