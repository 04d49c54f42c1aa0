// Measures the cost of pages, calls and connections on both databases, and the cost of a bare server.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Comparison, compareBuilds, compareImports, compareSoaks } from './against.ts'
import { checkAims, formatVerdicts, type Verdict } from './aims.ts'
import { type InstallationFactory, pgliteInstallations, postgresInstallations } from './installations.ts'
import { chooseCores, describeMachine, memoryOf } from './machine.ts'
import { buildCommit, findCommit } from './otherBuild.ts'
import { formatDigest } from './profile.ts'
import { profileScenario, type ScenarioProfile } from './profileScenario.ts'
import { align, formatTable, type Row, WORST_INPUTS } from './report.ts'
import { attacks } from './rows/attacks.ts'
import { pageBytes } from './rows/bytes.ts'
import { cachedByNginx } from './rows/cdn.ts'
import { durability } from './rows/durability.ts'
import { eventConnections } from './rows/events.ts'
import { growth } from './rows/growth.ts'
import { measureImport } from './rows/import.ts'
import { openPages } from './rows/openPages.ts'
import { cachedPages } from './rows/pages.ts'
import { measureParsers } from './rows/parsers.ts'
import { pastes } from './rows/pastes.ts'
import { newThreads, posts, readersDuringPosts } from './rows/posts.ts'
import { radioListeners } from './rows/radio.ts'
import { raid } from './rows/raid.ts'
import { searches } from './rows/search.ts'
import { shows, WEBHOOK } from './rows/shows.ts'
import { SOAK_HEAP, soak } from './rows/soak.ts'
import { startAgain, startEmpty } from './rows/starts.ts'
import { worstRequests } from './rows/worst.ts'
import type { Run } from './run.ts'
import { BOARD, seedInstallation } from './seed.ts'
import { killAll, type Server } from './servers.ts'

type Group = (run: Run, site: Server) => Promise<void>
type Groups = Record<string, Group>

/** Measured with production settings on a site with a hundred threads. */
const smallSiteGroups: Groups = {
  bytes: pageBytes,
  pages: cachedPages,
  pastes,
  live: eventConnections,
  open: openPages,
  radio: radioListeners,
  posts,
}
/** Measured behind nginx as a cache. */
const cdnGroups: Groups = { cdn: cachedByNginx }
/** Measured with threads of shows on the seeded board. */
const showGroups: Groups = { shows }
const SOAK = 'soak'
/** Measured with a small heap, so that V8 collects garbage instead of taking more memory. */
const soakGroups: Groups = {
  [SOAK]: async (run, site) => run.add(SOAK, `${run.soakMinutes} minutes`, await soak(run, site)),
}
/** Measured on a site without a page cache. */
const uncachedGroups: Groups = { growth }
/** Measured with default limits and 768 MB of heap: `worst` without the page cache, `attacks` with it. */
const worstGroups: Groups = { worst: worstRequests }
const attackGroups: Groups = { attacks }
/** Measured on the site with the most data. */
const largeSiteGroups: Groups = { readers: readersDuringPosts, threads: newThreads }
/** Measured with default limits of posts and of the raid detection. Runs late, because it fills a thread. */
const raidGroups: Groups = { raid }
const DEFAULT_LIMITS = {
  REQUEST_COST_PER_NETWORK: '',
  REQUEST_COST_TOTAL: '',
  THREAD_POST_LIMIT: '',
  THREAD_BYTE_LIMIT: '',
  THREAD_NODE_LIMIT: '',
}
/** Measured on a site without a page cache. Runs last, because it adds a million posts. */
const searchGroups: Groups = { search: searches }
const SMALL_HEAP = ['--max-old-space-size=768']
/** Measured in this process, so once, with the embedded database. */
const PARSERS = 'worst-inputs'
const NAMES = [
  PARSERS,
  'starts',
  'durability',
  ...Object.keys({
    ...smallSiteGroups,
    ...cdnGroups,
    ...showGroups,
    ...soakGroups,
    ...worstGroups,
    ...attackGroups,
    ...uncachedGroups,
    ...largeSiteGroups,
    ...raidGroups,
    ...searchGroups,
  }),
]

/** Measured only if named, because it takes minutes. */
const IMPORT = 'import'
const IMPORTED_POSTS = 100_000

const DATABASES = {
  pglite: async () => pgliteInstallations(cores),
  postgres: () => postgresInstallations(cores),
}
const AGAINST = 'against'
const USAGE = `npm run bench -- [GROUP...] [--quick] [--on DATABASE] [--soak MINUTES] [--profile] [--out FILE]
npm run bench -- ${AGAINST} COMMIT [${IMPORT}|${SOAK}] [--pairs NUMBER] [--quick] [--on DATABASE] [--out FILE]
  GROUP          any of: ${NAMES.join(', ')}, ${IMPORT}; default: all but ${IMPORT}
  ${AGAINST} COMMIT  builds the commit, and measures it and the working tree in turn; with ${IMPORT} or ${SOAK}, only that
  --pairs NUMBER  measurements of each build; default: 5, or 1 with --quick
  --quick        shorter and less exact
  --on DATABASE  one of: ${Object.keys(DATABASES).join(', ')}; default: both
  --soak MINUTES  length of the group soak; default: 2, or half a minute with --quick
  --profile      also profiles met aims
  --out FILE     writes the figures as JSON; default: bench.json in the temporary folder`

const { values, positionals } = readOptions()
const otherCommit = positionals[0] === AGAINST ? positionals[1] : undefined
const selectedGroups = new Set(positionals.length > 0 ? positionals : NAMES)

// Puts all temporary files in one folder, so that an aborted run can delete them.
const folder = mkdtempSync(join(tmpdir(), 'bench-'))
// Lets PostgreSQL read the folder: it runs as another user if this process is root.
chmodSync(folder, 0o755)
process.env.TMPDIR = folder
process.on('exit', () => {
  killAll()
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

const pace = values.quick ? { seconds: 1.2, pairs: 1, starts: 1 } : { seconds: 3, pairs: 3, starts: 3 }
const soakMinutes = Number(values.soak ?? (values.quick ? 0.5 : 2))
const startTime = performance.now()
const cores = chooseCores()
const machine = { ...describeMachine(), ...cores, quick: values.quick }
const rows: Row[] = []
const verdicts: Verdict[] = []
const profiles: ScenarioProfile[] = []

try {
  if (otherCommit) {
    logProgress(`building ${otherCommit}`)
    await buildCommit(otherCommit, join(folder, AGAINST))
  }
  for (const [name, open] of Object.entries(DATABASES)) {
    if ((values.on ?? name) !== name) continue
    const factory = await open()
    try {
      if (otherCommit) await measureAgainst(otherCommit, factory)
      else await measureOn(factory)
    } finally {
      await factory.close()
    }
  }
} finally {
  // Prints the measured rows even after a failure, because measuring took minutes.
  report()
}

function readOptions() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        quick: { type: 'boolean', default: false },
        on: { type: 'string' },
        profile: { type: 'boolean', default: false },
        soak: { type: 'string' },
        pairs: { type: 'string' },
        out: { type: 'string', default: join(tmpdir(), 'bench.json') },
        help: { type: 'boolean', short: 'h' },
      },
    })
    if (values.help) {
      process.stdout.write(`${USAGE}\n`)
      process.exit()
    }
    if (values.on !== undefined && !Object.hasOwn(DATABASES, values.on)) {
      throw new Error(`Unknown database ${values.on}: --on must be one of ${Object.keys(DATABASES).join(', ')}`)
    }
    if (values.soak !== undefined && !(Number(values.soak) > 0)) {
      throw new Error(`--soak must be a number of minutes: ${values.soak}`)
    }
    if (positionals[0] === AGAINST) {
      if (positionals.length !== 2 && ![IMPORT, SOAK].includes(positionals.slice(2).join()))
        throw new Error(`Give one commit: npm run bench -- ${AGAINST} COMMIT [${IMPORT}|${SOAK}]`)
      if (values.pairs !== undefined && !/^[1-9]\d*$/.test(values.pairs))
        throw new Error(`--pairs must be a number from 1: ${values.pairs}`)
      return { values, positionals: [AGAINST, findCommit(positionals[1] as string), ...positionals.slice(2)] }
    }
    const unknown = positionals.find((name) => !NAMES.includes(name) && name !== IMPORT)
    if (unknown !== undefined)
      throw new Error(`Unknown group ${unknown}: it must be any of ${NAMES.join(', ')}, ${IMPORT}`)
    return { values, positionals }
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`)
    process.exit(1)
  }
}

async function measureAgainst(commit: string, factory: InstallationFactory): Promise<void> {
  const comparison: Comparison = {
    factory,
    root: join(folder, AGAINST),
    pairs: Number(values.pairs ?? (values.quick ? 1 : 5)),
    log: (line) => logProgress(`${factory.name}: ${line}`),
    add: (name, figures) => {
      rows.push({ section: `${AGAINST} ${commit.slice(0, 12)}`, name, database: factory.name, figures })
    },
  }
  if (selectedGroups.has(IMPORT)) await compareImports(comparison, IMPORTED_POSTS)
  else if (selectedGroups.has(SOAK)) await compareSoaks(comparison, soakMinutes)
  else await compareBuilds(comparison, pace.seconds)
}

async function measureOn(factory: InstallationFactory): Promise<void> {
  const add = (section: string, name: string, figures: Row['figures']) => {
    logProgress(`${factory.name}: ${section}: ${name}`)
    rows.push({ section, name, database: factory.name, figures })
  }
  if (selectedGroups.has(PARSERS) && factory.name === 'PGlite') {
    measureParsers(values.quick ? 1 : 3, (name, figures) => add(WORST_INPUTS, name, figures))
  }
  if (selectedGroups.has('starts')) add('starts', 'empty folder', await startEmpty(factory, pace.starts))
  if (selectedGroups.has(IMPORT)) {
    const posts = values.quick ? IMPORTED_POSTS : 1_000_000
    add(IMPORT, `${posts.toLocaleString('en')} posts`, await measureImport(factory, posts))
  }
  if ([...selectedGroups].every((name) => name === IMPORT || name === PARSERS)) {
    verdicts.push(...checkAims(rows, factory.name))
    return
  }
  const installation = await factory.create()
  try {
    const seeded = await seedInstallation(installation)
    const run: Run = { installation, seeded, cores, quick: values.quick, soakMinutes, ...pace, add }
    if (selectedGroups.has('starts')) add('starts', 'existing data', await startAgain(installation, pace.starts))
    if (selectedGroups.has('durability')) await durability(run)
    await runGroups(run, smallSiteGroups, {})
    await runGroups(run, cdnGroups, { CDN_MAX_AGE: '1' })
    await runGroups(run, soakGroups, {}, SOAK_HEAP)
    await runGroups(run, showGroups, { SHOW_BOARD: BOARD, ...WEBHOOK })
    await runGroups(run, uncachedGroups, { PAGE_CACHE: 'off' })
    if (selectedGroups.has('starts') && selectedGroups.has('growth'))
      add('starts', 'largest data', await startAgain(installation, pace.starts))
    const databaseVerdicts = checkAims(rows, factory.name)
    verdicts.push(...databaseVerdicts)
    await profile(run, databaseVerdicts)
    await runGroups(run, largeSiteGroups, {})
    await runGroups(run, worstGroups, { ...DEFAULT_LIMITS, PAGE_CACHE: 'off' }, SMALL_HEAP)
    await runGroups(run, attackGroups, DEFAULT_LIMITS, SMALL_HEAP)
    await runGroups(run, raidGroups, { RAID_POSTS_PER_MINUTE: '', RATE_SITE_FACTOR: '' })
    await runGroups(run, searchGroups, {})
  } finally {
    await installation.remove()
  }
}

async function runGroups(
  run: Run,
  groups: Groups,
  env: Record<string, string>,
  nodeOptions: string[] = [],
): Promise<void> {
  const chosen = Object.entries(groups).filter(([name]) => selectedGroups.has(name))
  if (chosen.length === 0) return
  const site = await run.installation.start(env, nodeOptions)
  try {
    for (const [name, group] of chosen) {
      await group(run, site)
      const memory = memoryOf(site.pid)
      run.add('memory', `after ${name}`, { MB: memory?.now ?? null, 'peak MB': memory?.peak ?? null })
    }
  } finally {
    await site.stop()
  }
}

/** Profiles the scenarios of missed aims. With --profile, also profiles those of met aims. */
async function profile(run: Run, databaseVerdicts: Verdict[]): Promise<void> {
  const missed = databaseVerdicts.filter(({ met }) => met === false || (values.profile && met !== null))
  const scenarios = new Set(missed.flatMap(({ scenario = [] }) => scenario))
  for (const scenario of scenarios) {
    logProgress(`${run.installation.name}: profile of ${scenario}`)
    profiles.push(...(await profileScenario(run, scenario)))
  }
}

function report(): void {
  const seconds = (performance.now() - startTime) / 1000
  const loadPercent = Math.max(0, ...rows.map(({ figures }) => Number(figures['load, % of core'] ?? 0)))
  const lines = [
    formatTable(rows),
    ...(otherCommit ? [] : [align(formatVerdicts(verdicts))]),
    ...profiles.map(
      ({ scenario, database, thread, digest }) =>
        `PROFILE: ${scenario}, ${database}, ${thread}\n${formatDigest(digest)}`,
    ),
    `Node ${machine.node}, ${machine.cores} × ${machine.cpu}, load ${machine.loadAverage.toFixed(1)} at the start; ${(seconds / 60).toFixed(1)} minutes.`,
    cores
      ? `The site and its database used core ${cores.server}, the load generator core ${cores.load}, at most ${loadPercent.toFixed(0)} % of it.`
      : 'Processes are not bound to cores (needs taskset and two cores): site and load generator share them.',
  ]
  writeFileSync(values.out, `${JSON.stringify({ machine, seconds, rows, aims: verdicts, profiles }, null, 2)}\n`)
  process.stdout.write(`\n${lines.join('\n\n')}\nWrote ${values.out}\n`)
}

function logProgress(line: string): void {
  process.stderr.write(`${((performance.now() - startTime) / 1000).toFixed(0).padStart(4)} s  ${line}\n`)
}
