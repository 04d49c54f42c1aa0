import { afterAll, beforeAll, expect, test } from 'vitest'
import { judgeSite } from '#tests/fuzz/judge.ts'
import { prepare, type Stage } from '#tests/fuzz/stage.ts'
import { targets } from '#tests/fuzz/targets.ts'
import { type TestDatabase, testDatabase } from '#tests/helpers/databases.ts'
import { type SiteProcess, spawnSite } from '#tests/helpers/process.ts'
import { seed } from '#tests/helpers/property.ts'

/** A few seconds; `npm run fuzz` goes on for as long as one likes. */
const RUNS = 120

let place: TestDatabase
let site: SiteProcess
let stage: Stage

beforeAll(async () => {
  place = await testDatabase()
  site = await spawnSite(place)
  stage = await prepare({ ...site, dataDir: place.dataDir })
}, 60_000)
afterAll(async () => {
  expect(await site.stop()).toBe(0)
  await place.cleanup()
})

test.each(targets)(
  '$name: whatever comes is answered, and tells nothing of its insides',
  async ({ attempt }) => {
    const printed = stage.output().length
    await attempt(stage, { runs: RUNS, seed })
    await judgeSite(stage, printed)
  },
  120_000,
)
