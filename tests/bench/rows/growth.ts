import type { Measured } from '../load.ts'
import { costOf, GROWTH, MANY, RENDERED } from '../report.ts'
import { columnsOf, type Run } from '../run.ts'
import { FEW, growTo } from '../seed.ts'
import type { Server } from '../servers.ts'
import { pathsOf, renderedPage } from './pages.ts'
import { postComments } from './posts.ts'

/**
 * Pages that are rendered for each request, and a post, on a site that grows: what a request costs in CPU, the
 * database's included, and how long it takes, as ratios to a site of a hundred threads.
 */
export async function growth(run: Run, site: Server): Promise<void> {
  const { home, board, thread } = pathsOf(run)
  const pages = { home, board, 'thread of 250 posts': thread }
  // The posts of the first round must not be what makes the board another one for the second.
  await postComments(run, site, 0.5)
  const first = new Map<string, Measured>()
  for (const threads of run.quick ? [FEW, 1000] : [FEW, 10_000, MANY]) {
    await fill(run, threads)
    for (const [name, path] of Object.entries(pages)) await note(name, await renderedPage(run, site, path))
    await note('comment', await postComments(run, site, run.seconds / 2))

    async function note(name: string, measured: Measured) {
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
