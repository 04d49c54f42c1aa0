import { cpuOf } from '#tests/bench/machine.ts'
import type { Run } from '#tests/bench/run.ts'
import { median } from '#tests/bench/statistics.ts'
import { measureComments } from './posts.ts'

const NO_SYNC = ['--require', './tests/bench/noSync.cjs']
/** Bytes of the log since the last checkpoint. The next checkpoint comes at 64 MiB. */
const LOG_MB = [0, 15, 30, 60]

/**
 * Measures what syncs cost a post, both in turn on one build, and how long a start takes after a crash with different
 * amounts of log to replay.
 */
export async function durability(run: Run): Promise<void> {
  if (run.installation.name !== 'PGlite') return
  const rates: [number[], number[]] = [[], []]
  for (let pair = 0; pair < run.pairs; pair++) {
    for (const [index, options] of [[], NO_SYNC].entries()) {
      const site = await run.installation.start({}, options)
      const { perSecond } = await measureComments(run, site)
      rates[index]?.push(perSecond ?? Number.NaN)
      await site.stop()
    }
  }
  const [synced, unsynced] = rates.map(median) as [number, number]
  run.add('durability', 'comments', { 'per s': synced, 'per s without sync': unsynced, ratio: synced / unsynced })
  await measureStart('a stop')
  for (const megabytes of LOG_MB) {
    const site = await run.installation.start()
    const database = await run.installation.open()
    await database.sql`checkpoint`
    const written = async () => {
      const [row] = await database.sql<{ mb: number }[]>`
        select pg_wal_lsn_diff(pg_current_wal_lsn(), redo_lsn)::float8 / 1e6 as mb from pg_control_checkpoint()`
      return row?.mb ?? 0
    }
    while ((await written()) < megabytes) {
      await database.sql`insert into allowance select md5(random()::text), n from generate_series(1, 1000) n`
    }
    const size = await written()
    await site.kill()
    await database.close()
    await measureStart(`a crash, ${size.toFixed(0)} MB of log`)
  }

  async function measureStart(after: string): Promise<void> {
    const site = await run.installation.start()
    const cpu = cpuOf(site.pid)
    run.add('durability', `start after ${after}`, {
      'first response s': site.startupMs / 1000,
      'CPU s': cpu === null ? null : cpu / 1000,
    })
    await site.stop()
  }
}
