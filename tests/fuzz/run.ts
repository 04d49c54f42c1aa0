import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { TestProject } from 'vitest/node'
import { spawnSite } from '#tests/helpers/siteProcess.ts'
import startPostgres from '#tests/setup/postgres.ts'
import { createFuzzContext } from './fuzzContext.ts'
import type { StatusCounts } from './fuzzTarget.ts'
import { checkSite } from './responseChecks.ts'
import { targets } from './targets.ts'

const RUNS = 250

const USAGE = `npm run fuzz -- [--minutes 10] [--seed N] [--target NAME]
  --minutes N    duration, half of it on each database
  --seed N       repeats the inputs of an earlier run
  --target NAME  one of: ${targets.map(({ name }) => name).join(', ')}`

async function main(): Promise<void> {
  const text = { type: 'string' } as const
  const options = { minutes: text, seed: text, target: text, help: { type: 'boolean', short: 'h' } } as const
  const { values } = parseArgs({ options })
  if (values.help) return void process.stdout.write(`${USAGE}\n`)
  const minutes = Number(values.minutes ?? 10)
  const seed = Number(values.seed ?? Math.trunc(Math.random() * 2 ** 31))
  if (!(minutes > 0) || !Number.isInteger(seed)) throw new Error('--minutes and --seed must be numbers')
  const chosen = targets.filter(({ name }) => values.target === undefined || name === values.target)
  if (chosen.length === 0) throw new Error(`--target must be one of: ${targets.map(({ name }) => name).join(', ')}`)
  process.stdout.write(`seed ${seed}\n`)
  const half = (minutes / 2) * 60_000
  await onDatabase('embedded', undefined, (database) => fuzzAll(database, chosen, half, seed))
  const provided = new Map<string, string>()
  const project = { provide: (name: string, value: string) => provided.set(name, value) }
  const stopPostgres = await startPostgres(project as unknown as TestProject)
  try {
    await onDatabase('PostgreSQL', provided.get('databaseTemplate'), (database) =>
      fuzzAll(database, chosen, half, seed),
    )
  } finally {
    await stopPostgres()
  }
}

type Database = { dataDir: string; databaseUrl?: string; name: string }

async function onDatabase(name: string, databaseUrl: string | undefined, work: (database: Database) => Promise<void>) {
  const dataDir = await mkdtemp(join(tmpdir(), 'dtp-fuzz-'))
  await work({ dataDir, databaseUrl, name }).finally(() => rm(dataDir, { recursive: true, force: true }))
}

/** Fuzzes in slices until the time is over. The seed of each slice is `seed` plus its number. */
async function fuzzAll(
  { name, ...database }: Database,
  chosen: typeof targets,
  ms: number,
  seed: number,
): Promise<void> {
  const site = await spawnSite(database)
  const statusCounts: StatusCounts = new Map()
  const failures: string[] = []
  const end = performance.now() + ms
  try {
    const context = await createFuzzContext({ ...site, dataDir: database.dataDir })
    for (let slice = 0; performance.now() < end; slice++) {
      const target = chosen[slice % chosen.length]
      const printed = context.output().length
      try {
        await target?.run(context, { runs: RUNS, seed: (seed + slice) | 0, statusCounts })
        await checkSite(context, printed)
      } catch (error) {
        failures.push(`${target?.name}, slice ${slice}: ${(error as Error).message.slice(0, 3000)}`)
        if (failures.length >= 10) break
      }
    }
  } finally {
    await site.stop()
    report(name, statusCounts, failures)
  }
}

function report(database: string, statusCounts: StatusCounts, failures: string[]): void {
  for (const [name, counts] of statusCounts) {
    const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
    const each = [...counts].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`)
    process.stdout.write(`${database}, ${name}: ${total} responses (${each.join(', ')})\n`)
  }
  for (const failure of failures) process.stdout.write(`FAILED on ${database}, ${failure}\n`)
  if (failures.length > 0) process.exitCode = 1
}

main().catch((error) => {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exitCode = 1
})
