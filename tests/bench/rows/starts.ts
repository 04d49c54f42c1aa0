import { median } from '#tests/bench/figures.ts'
import { cpuOf, memoryOf } from '#tests/bench/machine.ts'
import type { Place, Places } from '#tests/bench/places.ts'
import type { Figures } from '#tests/bench/report.ts'
import type { Server } from '#tests/bench/servers.ts'

type Begin = () => Promise<{ site: Server; end: () => Promise<void> }>

/** From the program's start to the first answered page, and the memory it then has. */
async function measureStarts(begin: Begin, count: number): Promise<Figures> {
  const times: number[] = []
  const costs: number[] = []
  let memory: ReturnType<typeof memoryOf> = null
  for (let run = 0; run < count; run++) {
    const { site, end } = await begin()
    times.push(site.startedIn)
    costs.push(cpuOf(site.pid) ?? Number.NaN)
    memory = memoryOf(site.pid)
    await site.stop()
    await end()
  }
  return {
    'first answer s': median(times) / 1000,
    'CPU s': median(costs) / 1000,
    'slowest s': Math.max(...times) / 1000,
    'MB then': memory?.now ?? null,
  }
}

export const startEmpty = (places: Places, count: number) =>
  measureStarts(async () => {
    const place = await places.make()
    return { site: await place.start(), end: place.remove }
  }, count)

export const startAgain = (place: Place, count: number) =>
  measureStarts(async () => ({ site: await place.start(), end: async () => {} }), count)
