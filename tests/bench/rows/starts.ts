import type { Installation, InstallationFactory } from '#tests/bench/installations.ts'
import { cpuOf, memoryOf } from '#tests/bench/machine.ts'
import type { Figures } from '#tests/bench/report.ts'
import type { Server } from '#tests/bench/servers.ts'
import { median } from '#tests/bench/statistics.ts'

type StartSite = () => Promise<{ site: Server; end: () => Promise<void> }>

/** Measures the time until the site serves the first page, and the memory used at that time. */
async function measureStarts(startSite: StartSite, count: number): Promise<Figures> {
  const times: number[] = []
  const costs: number[] = []
  let memory: ReturnType<typeof memoryOf> = null
  for (let run = 0; run < count; run++) {
    const { site, end } = await startSite()
    times.push(site.startupMs)
    costs.push(cpuOf(site.pid) ?? Number.NaN)
    memory = memoryOf(site.pid)
    await site.stop()
    await end()
  }
  return {
    'first response s': median(times) / 1000,
    'CPU s': median(costs) / 1000,
    'slowest s': Math.max(...times) / 1000,
    MB: memory?.now ?? null,
  }
}

export const startEmpty = (factory: InstallationFactory, count: number) =>
  measureStarts(async () => {
    const installation = await factory.create()
    return { site: await installation.start(), end: installation.remove }
  }, count)

export const startAgain = (installation: Installation, count: number) =>
  measureStarts(async () => ({ site: await installation.start(), end: async () => {} }), count)
