// What pages, calls and connections cost, on both databases, beside a bare handler in the same run.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { judge, type Verdict, writeVerdicts } from './aims.ts'
import { chooseCores, describeMachine, memoryOf } from './machine.ts'
import { embeddedPlaces, type Places, postgresPlaces } from './places.ts'
import { writeDigest } from './profile.ts'
import { type Profiled, profileScenario } from './profiled.ts'
import { align, type Row, writeTable } from './report.ts'
import { attacks } from './rows/attacks.ts'
import { pageBytes } from './rows/bytes.ts'
import { growth } from './rows/growth.ts'
import { liveConnections } from './rows/live.ts'
import { openPages } from './rows/openPages.ts'
import { cachedPages } from './rows/pages.ts'
import { pastes } from './rows/pastes.ts'
import { newThreads, posts, readersMeanwhile } from './rows/posts.ts'
import { radioListeners } from './rows/radio.ts'
import { startAgain, startEmpty } from './rows/starts.ts'
import { worstRequests } from './rows/worst.ts'
import type { Run } from './run.ts'
import { seedPlace } from './seed.ts'
import { endAll, type Server } from './servers.ts'

type Group = (run: Run, site: Server) => Promise<void>
type Groups = Record<string, Group>

/** On a site of a hundred threads, as an operator runs it. */
const few: Groups = {
  bytes: pageBytes,
  pages: cachedPages,
  pastes,
  live: liveConnections,
  open: openPages,
  radio: radioListeners,
  posts,
}
/** On a site that keeps no pages. */
const uncached: Groups = { growth }
/** On a site with the default limits and 768 MB of heap: single requests, which keep no pages, and attacks. */
const worst: Groups = { worst: worstRequests }
const attacked: Groups = { attacks }
/** On the site that has grown. */
const many: Groups = { readers: readersMeanwhile, threads: newThreads }
const DEFAULT_LIMITS = { THREAD_POST_LIMIT: '', THREAD_BYTE_LIMIT: '', THREAD_NODE_LIMIT: '' }
const SMALL_HEAP = ['--max-old-space-size=768']
const NAMES = ['starts', ...Object.keys({ ...few, ...worst, ...attacked, ...uncached, ...many })]

const DATABASES = {
  pglite: async () => embeddedPlaces(cores),
  postgres: () => postgresPlaces(cores),
}
const USAGE = `npm run bench -- [--quick] [--on DATABASE] [--only GROUP,...] [--profile] [--out FILE]
  --quick        shorter, and less exact
  --on DATABASE  one of: ${Object.keys(DATABASES).join(', ')}; without it both
  --only GROUPS  some of: ${NAMES.join(', ')}
  --profile      profiles what met its aim too
  --out FILE     where the figures go as JSON; without it bench.json in the temporary folder`

const values = readOptions()
const wanted = new Set(values.only.split(','))

// All that is made on the way lies in one folder, so that nothing stays behind a run that is broken off either.
const folder = mkdtempSync(join(tmpdir(), 'bench-'))
// PostgreSQL runs as another user where this one is root.
chmodSync(folder, 0o755)
process.env.TMPDIR = folder
process.on('exit', () => {
  endAll()
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

const pace = values.quick ? { seconds: 1.2, pairs: 1, starts: 1 } : { seconds: 3, pairs: 3, starts: 3 }
const begun = performance.now()
const cores = chooseCores()
const machine = { ...describeMachine(), ...cores, quick: values.quick }
const rows: Row[] = []
const verdicts: Verdict[] = []
const profiles: Profiled[] = []

try {
  for (const [name, open] of Object.entries(DATABASES)) {
    if ((values.on ?? name) !== name) continue
    const places = await open()
    try {
      await measureOn(places)
    } finally {
      await places.close()
    }
  }
} finally {
  // What was measured before a failure took minutes.
  report()
}

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        quick: { type: 'boolean', default: false },
        on: { type: 'string' },
        only: { type: 'string', default: NAMES.join(',') },
        profile: { type: 'boolean', default: false },
        out: { type: 'string', default: join(tmpdir(), 'bench.json') },
        help: { type: 'boolean', short: 'h' },
      },
    })
    if (values.help) {
      process.stdout.write(`${USAGE}\n`)
      process.exit()
    }
    if (values.on !== undefined && !Object.hasOwn(DATABASES, values.on)) {
      throw new Error(`No database ${values.on}: --on is one of ${Object.keys(DATABASES).join(', ')}`)
    }
    const unknown = values.only.split(',').find((name) => !NAMES.includes(name))
    if (unknown !== undefined) throw new Error(`No group ${unknown}: --only takes some of ${NAMES.join(', ')}`)
    return values
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`)
    process.exit(1)
  }
}

async function measureOn(places: Places): Promise<void> {
  const add = (section: string, name: string, figures: Row['figures']) => {
    say(`${places.name}: ${section}: ${name}`)
    rows.push({ section, name, database: places.name, figures })
  }
  if (wanted.has('starts')) add('starts', 'empty folder', await startEmpty(places, pace.starts))
  const place = await places.make()
  try {
    const seeded = await seedPlace(place)
    const run: Run = { place, seeded, cores, quick: values.quick, ...pace, add }
    if (wanted.has('starts')) add('starts', 'existing data', await startAgain(place, pace.starts))
    await runGroups(run, few, {})
    await runGroups(run, uncached, { PAGE_CACHE: 'off' })
    if (wanted.has('starts') && wanted.has('growth'))
      add('starts', 'data grown to the largest', await startAgain(place, pace.starts))
    const own = judge(rows, places.name)
    verdicts.push(...own)
    await profile(run, own)
    await runGroups(run, many, {})
    await runGroups(run, worst, { ...DEFAULT_LIMITS, PAGE_CACHE: 'off' }, SMALL_HEAP)
    await runGroups(run, attacked, DEFAULT_LIMITS, SMALL_HEAP)
  } finally {
    await place.remove()
  }
}

async function runGroups(
  run: Run,
  groups: Groups,
  env: Record<string, string>,
  nodeOptions: string[] = [],
): Promise<void> {
  const chosen = Object.entries(groups).filter(([name]) => wanted.has(name))
  if (chosen.length === 0) return
  const site = await run.place.start(env, nodeOptions)
  try {
    for (const [name, group] of chosen) {
      await group(run, site)
      const memory = memoryOf(site.pid)
      run.add('memory', `after ${name}`, { 'MB now': memory?.now ?? null, 'MB at most': memory?.most ?? null })
    }
  } finally {
    await site.stop()
  }
}

/** What stands in the way of an aim that was missed. */
async function profile(run: Run, own: Verdict[]): Promise<void> {
  const missed = own.filter(({ met }) => met === false || (values.profile && met !== null))
  const scenarios = new Set(missed.map(({ scenario }) => scenario))
  for (const scenario of scenarios) {
    say(`${run.place.name}: profile of ${scenario}`)
    profiles.push(...(await profileScenario(run, scenario)))
  }
}

function report(): void {
  const seconds = (performance.now() - begun) / 1000
  const asked = Math.max(0, ...rows.map(({ figures }) => Number(figures['asking, % of its core'] ?? 0)))
  const lines = [
    writeTable(rows),
    align(writeVerdicts(verdicts)),
    ...profiles.map(
      ({ scenario, database, thread, digest }) =>
        `PROFILE of ${scenario}, ${database}, ${thread}\n${writeDigest(digest)}`,
    ),
    `Node ${machine.node}, ${machine.cores} × ${machine.cpu}, load ${machine.loadAverage.toFixed(1)} at the beginning; ${(seconds / 60).toFixed(1)} minutes.`,
    cores
      ? `The site and its database had core ${cores.server}, those who ask core ${cores.load}, of which they used ${asked.toFixed(0)} % at most.`
      : 'Programs could not be bound to cores (taskset, and two cores, are needed): who asks shares them with the site.',
  ]
  writeFileSync(values.out, `${JSON.stringify({ machine, seconds, rows, aims: verdicts, profiles }, null, 2)}\n`)
  process.stdout.write(`\n${lines.join('\n\n')}\nWritten to ${values.out}\n`)
}

function say(line: string): void {
  process.stderr.write(`${((performance.now() - begun) / 1000).toFixed(0).padStart(4)} s  ${line}\n`)
}
