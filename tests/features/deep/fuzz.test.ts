import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFuzzContext, type FuzzContext } from '#tests/fuzz/fuzzContext.ts'
import { checkSite } from '#tests/fuzz/responseChecks.ts'
import { targets } from '#tests/fuzz/targets.ts'
import { type TestDatabase, testDatabase } from '#tests/helpers/databases.ts'
import { seed } from '#tests/helpers/property.ts'
import { type SiteProcess, spawnSite } from '#tests/helpers/siteProcess.ts'

/** inputs per target, for a run of a few seconds; `npm run fuzz` runs longer */
const RUNS = 120

let database: TestDatabase
let site: SiteProcess
let context: FuzzContext

beforeAll(async () => {
  database = await testDatabase()
  site = await spawnSite(database)
  context = await createFuzzContext({ ...site, dataDir: database.dataDir })
})
afterAll(async () => {
  expect(await site.stop()).toBe(0)
  await database.cleanup()
})

test.each(targets)('$name: answers any input without revealing internals', async ({ run }) => {
  const printed = context.output().length
  await run(context, { runs: RUNS, seed })
  await checkSite(context, printed)
})
