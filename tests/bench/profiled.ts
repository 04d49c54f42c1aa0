import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Scenario } from './aims.ts'
import { encode } from './connection.ts'
import { inTurn, measure } from './load.ts'
import { type CpuProfile, type Digest, digestProfile } from './profile.ts'
import { asBrowser, pathsOf, renderedPage } from './rows/pages.ts'
import { postComments } from './rows/posts.ts'
import { loadOf, type Run } from './run.ts'
import type { Server } from './servers.ts'

export type Profiled = { scenario: Scenario; database: string; thread: string; digest: Digest }

/** µs; what the profiler adds grows with the number of its looks */
const INTERVAL = 500

/** Without a load it is the start itself that is looked at, up to the first answer. */
const scenarios: Record<Scenario, { cache: 'on' | 'off'; load?: (run: Run, site: Server) => Promise<unknown> }> = {
  'cached thread': {
    cache: 'on',
    load: (run, site) => measure(site, loadOf(run), inTurn([encode(asBrowser(pathsOf(run).thread))])),
  },
  'rendered thread': { cache: 'off', load: (run, site) => renderedPage(run, site, pathsOf(run).thread) },
  'rendered board': { cache: 'off', load: (run, site) => renderedPage(run, site, pathsOf(run).board) },
  posts: { cache: 'on', load: (run, site) => postComments(run, site) },
  start: { cache: 'on' },
}

/** Does a scenario once more under V8's profiler: where the time of each busy thread of the site's process goes. */
export async function profileScenario(run: Run, scenario: Scenario): Promise<Profiled[]> {
  const { cache, load } = scenarios[scenario]
  const dir = await mkdtemp(join(tmpdir(), 'bench-profile-'))
  try {
    const profiler = ['--cpu-prof', `--cpu-prof-dir=${dir}`, `--cpu-prof-interval=${INTERVAL}`]
    const site = await run.place.start({ PAGE_CACHE: cache }, profiler)
    // Once without a look, until all of it is compiled.
    await load?.(run, site)
    const from = load ? microseconds() : 0
    await load?.(run, site)
    const to = microseconds()
    await site.stop()
    const found: Profiled[] = []
    for (const name of (await readdir(dir)).sort()) {
      const profile = JSON.parse(await readFile(join(dir, name), 'utf8')) as CpuProfile
      const digest = digestProfile(profile, from, to)
      // The name ends in process, thread and number.
      const thread = Number(name.split('.').at(-3)) === 0 ? 'main thread' : `worker ${Number(name.split('.').at(-3))}`
      if (digest.busy > 0.05) found.push({ scenario, database: run.place.name, thread, digest })
    }
    return found
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

/** The system's steady clock, which all processes share. */
const microseconds = () => Number(process.hrtime.bigint() / 1000n)
