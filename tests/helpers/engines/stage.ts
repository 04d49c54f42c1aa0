import { afterAll, beforeAll, beforeEach, describe, expect, inject } from 'vitest'
import { type TestDatabase, testDatabase } from '#tests/helpers/databases.ts'
import { type SiteProcess, spawnSite } from '#tests/helpers/siteProcess.ts'
import { startFirefox } from './firefox.ts'
import { createPage, type EnginePage } from './page.ts'
import type { Session } from './session.ts'
import { startWebKit } from './webKit.ts'

/** What each journey uses. `describeEngines` sets the fields before the tests run. */
export type Stage = { page: EnginePage; site: SiteProcess; location: TestDatabase; engine: 'Firefox' | 'WebKit' }

const start = {
  Firefox: async () => {
    const program = inject('firefox')
    return program ? startFirefox(program) : null
  },
  WebKit: async () => {
    const programs = inject('webkit')
    return programs ? startWebKit(programs) : null
  },
}

/** Runs the tests that `define` adds in each engine that is installed, on one site. */
export function describeEngines(define: (stage: Stage) => void, prepare = async (_: TestDatabase) => {}): void {
  const stage = {} as Stage
  beforeAll(async () => {
    stage.location = await testDatabase()
    await prepare(stage.location)
    stage.site = await spawnSite(stage.location)
  })
  afterAll(async () => {
    const code = await stage.site.stop()
    await stage.location.cleanup()
    expect(stage.site.output().match(/"level":(50|60).*/g) ?? [], 'errors in the log').toEqual([])
    expect(code).toBe(0)
  })

  describe.each(['Firefox', 'WebKit'] as const)('in %s', (engine) => {
    let session: Session | null = null
    beforeAll(async () => {
      session = await start[engine]()
      if (!session) return
      stage.engine = engine
      stage.page = createPage(session, stage.site.origin)
      await stage.page.resize(1280, 900)
    })
    beforeEach(async ({ skip }) => {
      if (!session) skip(`${engine} cannot be found or installed`)
      await becomeNewVisitor(stage.page)
    })
    afterAll(() => session?.close())
    define(stage)
  })
}

async function becomeNewVisitor(page: EnginePage): Promise<void> {
  await page.open('/robots.txt')
  await page.evaluate(() => {
    localStorage.clear()
    sessionStorage.clear()
  })
}
