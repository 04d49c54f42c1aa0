import type { InstallationFactory } from './installations.ts'
import { type BuildSide, fillSite, measureBuild } from './measureBuild.ts'
import type { Figures } from './report.ts'
import { measureImport } from './rows/import.ts'
import { SOAK_HEAP, soak } from './rows/soak.ts'
import { formatFigure, median } from './statistics.ts'

const IMPORTED_POSTS = 20_000

type Side = BuildSide & { folder: string | undefined; runs: Figures[] }
export type Comparison = {
  factory: InstallationFactory
  /** folder of the other build */
  root: string
  pairs: number
  log: (line: string) => void
  add: (name: string, figures: Figures) => void
}

/**
 * Measures another build and the working tree in turn, and adds the medians and their ratio. Fills both only with the
 * command `seed` and over HTTP, so that the other build can have any schema.
 * @param seconds duration of the measured load
 */
export async function compareBuilds({ factory, root, pairs, log, add }: Comparison, seconds: number): Promise<void> {
  const sides: Side[] = []
  try {
    for (const folder of [root, undefined]) {
      const installation = await factory.create(folder)
      sides.push({ folder, installation, ...(await fillSite(installation)), runs: [] })
    }
    for (let pair = 0; pair < pairs; pair++) {
      const turn = pair % 2 === 0 ? sides : sides.toReversed()
      for (const side of turn) {
        log(`pair ${pair + 1}: ${side.folder ? 'the commit' : 'the working tree'}`)
        const imported = await measureImport(factory, IMPORTED_POSTS, side.folder)
        const named = Object.entries(imported).map(([name, value]) => [`import: ${name}`, value])
        side.runs.push({ ...(await measureBuild(side, seconds)), ...Object.fromEntries(named) })
      }
    }
  } finally {
    for (const { installation } of sides) await installation.remove()
  }
  const [other, own] = sides as [Side, Side]
  addRatios(other.runs, own.runs, add)
}

/** Measures only a large import into both builds. */
export const compareImports = (comparison: Comparison, posts: number): Promise<void> =>
  compareOne(comparison, (root) => measureImport(comparison.factory, posts, root))

/** Measures only the memory of both builds, while everything happens for minutes. */
export const compareSoaks = (comparison: Comparison, minutes: number): Promise<void> =>
  compareOne(comparison, async (root) => {
    const installation = await comparison.factory.create(root)
    try {
      const { seeded } = await fillSite(installation)
      const site = await installation.start({}, SOAK_HEAP)
      return await soak({ seeded, soakMinutes: minutes }, site).finally(site.stop)
    } finally {
      await installation.remove()
    }
  })

async function compareOne(
  { root, pairs, log, add }: Comparison,
  measure: (root: string | undefined) => Promise<Figures>,
): Promise<void> {
  const runs: [Figures[], Figures[]] = [[], []]
  for (let pair = 0; pair < pairs; pair++) {
    for (const side of pair % 2 === 0 ? [0, 1] : [1, 0]) {
      const figures = await measure(side === 0 ? root : undefined)
      log(`pair ${pair + 1}: ${side === 0 ? 'the commit' : 'the working tree'}: ${formatFigures(figures)}`)
      runs[side as 0 | 1].push(figures)
    }
  }
  addRatios(...runs, add)
}

const formatFigures = (figures: Figures) =>
  Object.entries(figures)
    .map(([name, value]) => `${name} ${formatFigure(value)}`)
    .join(', ')

function addRatios(other: Figures[], own: Figures[], add: Comparison['add']): void {
  for (const name of Object.keys(own[0] ?? {})) {
    const [before, now] = [other, own].map((runs) => median(runs.map((run) => Number(run[name] ?? Number.NaN)))) as [
      number,
      number,
    ]
    add(name, { before, now, 'now / before': now / before })
  }
}
