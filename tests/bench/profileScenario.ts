import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Scenario } from './aims.ts'
import { encode } from './connection.ts'
import { measure, repeatAll } from './load.ts'
import { type CpuProfile, type Digest, digestProfile } from './profile.ts'
import { measureRendered, pageRequest, pathsOf } from './rows/pages.ts'
import { measureComments } from './rows/posts.ts'
import { createLoad, type Run } from './run.ts'
import type { Server } from './servers.ts'

export type ScenarioProfile = { scenario: Scenario; database: string; thread: string; digest: Digest }

/** Sampling interval. A shorter interval would add overhead. */
const INTERVAL_US = 500

/** Without `load`, the profile covers the start of the site until the first response. */
const scenarios: Record<Scenario, { cache: 'on' | 'off'; load?: (run: Run, site: Server) => Promise<unknown> }> = {
  'cached thread': {
    cache: 'on',
    load: (run, site) => measure(site, createLoad(run), repeatAll([encode(pageRequest(pathsOf(run).thread))])),
  },
  'rendered thread': { cache: 'off', load: (run, site) => measureRendered(run, site, pathsOf(run).thread) },
  'rendered board': { cache: 'off', load: (run, site) => measureRendered(run, site, pathsOf(run).board) },
  posts: { cache: 'on', load: (run, site) => measureComments(run, site) },
  start: { cache: 'on' },
}

/** Runs a scenario under V8's profiler. Returns one digest per busy thread. */
export async function profileScenario(run: Run, scenario: Scenario): Promise<ScenarioProfile[]> {
  const { cache, load } = scenarios[scenario]
  const dir = await mkdtemp(join(tmpdir(), 'bench-profile-'))
  try {
    const profiler = ['--cpu-prof', `--cpu-prof-dir=${dir}`, `--cpu-prof-interval=${INTERVAL_US}`]
    const site = await run.installation.start({ PAGE_CACHE: cache }, profiler)
    // Warms up, so that V8 compiles the code before the measured run.
    await load?.(run, site)
    const from = load ? microseconds() : 0
    await load?.(run, site)
    const to = microseconds()
    await site.stop()
    const profiles: ScenarioProfile[] = []
    for (const name of (await readdir(dir)).sort()) {
      const profile = JSON.parse(await readFile(join(dir, name), 'utf8')) as CpuProfile
      const digest = digestProfile(profile, from, to)
      // The file name ends with the process id, the thread id, a number and the extension.
      const thread = Number(name.split('.').at(-3)) === 0 ? 'main thread' : `worker ${Number(name.split('.').at(-3))}`
      if (digest.busy > 0.05) profiles.push({ scenario, database: run.installation.name, thread, digest })
    }
    return profiles
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

/** Returns the time of the monotonic clock, which all processes share. */
const microseconds = () => Number(process.hrtime.bigint() / 1000n)
