import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SiteSwitch } from '#src/contract/switches.ts'
import { t } from '#src/i18n/t.ts'
import { postJson } from '#tests/helpers/backupSite.ts'
import { type TestDatabase, testDatabase } from '#tests/helpers/databases.ts'
import { openEventConnection } from '#tests/helpers/eventConnection.ts'
import { ADMIN, readJson, type SiteProcess, spawnSite } from '#tests/helpers/siteProcess.ts'

/** Without the event, pages would show the old notice for a minute. */
const LIMIT_MS = 30_000

let place: TestDatabase
let sites: [SiteProcess, SiteProcess]
let token: string

beforeAll(async () => {
  place = await testDatabase()
  sites = await Promise.all([spawnSite(place), spawnSite(place)])
  token = (await readJson(await postJson(sites[0].origin, '/api/dtpchan/admin/login', ADMIN))).token
})
afterAll(async () => {
  await Promise.all(sites.map((site) => site.stop()))
  await place.cleanup()
})

const setSwitch = async (name: SiteSwitch, on: boolean) => {
  const answer = await fetch(`${sites[0].origin}/api/moderation/switches/${name}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ on }),
  })
  expect(answer.status).toBe(200)
  return Date.now()
}
const createPaste = async (site: SiteProcess) =>
  (await postJson(site.origin, '/api/paste', { content: 'A text', expiryHours: 1 })).status
const readHome = async (site: SiteProcess) => (await fetch(site.origin)).text()

/** @returns the time in ms from `since` until all processes meet the condition */
async function untilAll(since: number, isMet: (site: SiteProcess) => Promise<boolean>): Promise<number> {
  while (!(await Promise.all(sites.map(isMet))).every(Boolean))
    if (Date.now() - since > 60_000) throw new Error('one process still has the old switches')
  return Date.now() - since
}

test('a switch works in both processes soon', async () => {
  const notice = t('switch.pastesOff')
  // Caches switches and pages in both processes.
  for (const site of sites) {
    expect(await createPaste(site)).toBe(200)
    expect(await readHome(site)).not.toContain(notice)
  }
  const isRefused = async (site: SiteProcess) => (await createPaste(site)) === 403
  const hasNotice = async (site: SiteProcess) => (await readHome(site)).includes(notice)
  const on = await setSwitch('pastes-off', true)
  expect(await untilAll(on, isRefused)).toBeLessThan(LIMIT_MS)
  expect(await untilAll(on, hasNotice)).toBeLessThan(LIMIT_MS)
  const off = await setSwitch('pastes-off', false)
  expect(await untilAll(off, async (site) => !(await isRefused(site)))).toBeLessThan(LIMIT_MS)
  expect(await untilAll(off, async (site) => !(await hasNotice(site)))).toBeLessThan(LIMIT_MS)
})

test('open pages of both processes receive the notice', async () => {
  const pages = await Promise.all(sites.map(({ origin }) => openEventConnection(origin, ['site'], '0')))
  const since = await setSwitch('read-only', true)
  const notice = { kind: 'notice', switches: ['read-only'] }
  for (const page of pages) {
    // The server replays the recent notices first.
    while (!isDeepStrictEqual((await page.next()).event.change, notice));
  }
  expect(Date.now() - since).toBeLessThan(LIMIT_MS)
  await setSwitch('read-only', false)
  for (const page of pages) page.close()
})

test('both processes require proofs of work at once', async () => {
  const requiresProof = async ({ origin }: SiteProcess) =>
    (await readJson(await fetch(`${origin}/api/dtpchan/captcha`, { method: 'POST' }))).proofOfWork !== undefined
  const on = await setSwitch('proof-of-work', true)
  expect(await untilAll(on, requiresProof)).toBeLessThan(LIMIT_MS)
  const off = await setSwitch('proof-of-work', false)
  expect(await untilAll(off, async (site) => !(await requiresProof(site)))).toBeLessThan(LIMIT_MS)
})
