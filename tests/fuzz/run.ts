import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { TestProject } from 'vitest/node'
import { spawnSite } from '#tests/helpers/process.ts'
import startPostgres from '#tests/setup/postgres.ts'
import { judgeSite } from './judge.ts'
import { prepare } from './stage.ts'
import type { Tally } from './target.ts'
import { targets } from './targets.ts'

const RUNS = 250

const USAGE = `npm run fuzz -- [--minutes 10] [--seed N] [--target NAME]
  --minutes N    how long to guess, half of it on each database
  --seed N       repeats the guesses of an earlier run
  --target NAME  one of: ${targets.map(({ name }) => name).join(', ')}`

async function main(): Promise<void> {
  const text = { type: 'string' } as const
  const options = { minutes: text, seed: text, target: text, help: { type: 'boolean', short: 'h' } } as const
  const { values } = parseArgs({ options })
  if (values.help) return void process.stdout.write(`${USAGE}\n`)
  const minutes = Number(values.minutes ?? 10)
  const seed = Number(values.seed ?? Math.trunc(Math.random() * 2 ** 31))
  if (!(minutes > 0) || !Number.isInteger(seed)) throw new Error('--minutes and --seed are numbers')
  const chosen = targets.filter(({ name }) => values.target === undefined || name === values.target)
  if (chosen.length === 0) throw new Error(`--target is one of: ${targets.map(({ name }) => name).join(', ')}`)
  process.stdout.write(`seed ${seed}\n`)
  const half = (minutes / 2) * 60_000
  await onDatabase('embedded', undefined, (place) => tryAll(place, chosen, half, seed))
  const provided = new Map<string, string>()
  const project = { provide: (name: string, value: string) => provided.set(name, value) }
  const stopPostgres = await startPostgres(project as unknown as TestProject)
  try {
    await onDatabase('PostgreSQL', provided.get('databaseTemplate'), (place) => tryAll(place, chosen, half, seed))
  } finally {
    await stopPostgres()
  }
}

type Place = { dataDir: string; databaseUrl?: string; name: string }

async function onDatabase(name: string, databaseUrl: string | undefined, work: (place: Place) => Promise<void>) {
  const dataDir = await mkdtemp(join(tmpdir(), 'dtp-fuzz-'))
  await work({ dataDir, databaseUrl, name }).finally(() => rm(dataDir, { recursive: true, force: true }))
}

/** One slice after the other, each with a seed of its own that follows from the first, until the time is over. */
async function tryAll({ name, ...place }: Place, chosen: typeof targets, ms: number, seed: number): Promise<void> {
  const site = await spawnSite(place)
  const tally: Tally = new Map()
  const failures: string[] = []
  const end = performance.now() + ms
  try {
    const stage = await prepare({ ...site, dataDir: place.dataDir })
    for (let slice = 0; performance.now() < end; slice++) {
      const target = chosen[slice % chosen.length]
      const printed = stage.output().length
      try {
        await target?.attempt(stage, { runs: RUNS, seed: (seed + slice) | 0, tally })
        await judgeSite(stage, printed)
      } catch (error) {
        failures.push(`${target?.name}, slice ${slice}: ${(error as Error).message.slice(0, 3000)}`)
        if (failures.length >= 10) break
      }
    }
  } finally {
    await site.stop()
    report(name, tally, failures)
  }
}

function report(database: string, tally: Tally, failures: string[]): void {
  for (const [name, counts] of tally) {
    const all = [...counts.values()].reduce((sum, count) => sum + count, 0)
    const each = [...counts].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`)
    process.stdout.write(`${database}, ${name}: ${all} answers (${each.join(', ')})\n`)
  }
  for (const failure of failures) process.stdout.write(`FOUND in ${database}, ${failure}\n`)
  if (failures.length > 0) process.exitCode = 1
}

main().catch((error) => {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exitCode = 1
})
