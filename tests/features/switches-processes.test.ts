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
}
const createPaste = async (site: SiteProcess) =>
  (await postJson(site.origin, '/api/paste', { content: 'A text', expiryHours: 1 })).status
const readHome = async (site: SiteProcess) => (await fetch(site.origin)).text()

/** Waits until all processes meet the condition. */
const untilAll = (isMet: (site: SiteProcess) => Promise<boolean>) =>
  expect.poll(() => Promise.all(sites.map(isMet)), { timeout: LIMIT_MS }).toEqual([true, true])

test('a switch works in both processes soon', async () => {
  const notice = t('switch.pastesOff')
  // Caches switches and pages in both processes.
  for (const site of sites) {
    expect(await createPaste(site)).toBe(200)
    expect(await readHome(site)).not.toContain(notice)
  }
  const isRefused = async (site: SiteProcess) => (await createPaste(site)) === 403
  const hasNotice = async (site: SiteProcess) => (await readHome(site)).includes(notice)
  await setSwitch('pastes-off', true)
  await untilAll(isRefused)
  await untilAll(hasNotice)
  await setSwitch('pastes-off', false)
  await untilAll(async (site) => !(await isRefused(site)))
  await untilAll(async (site) => !(await hasNotice(site)))
})

test('open pages of both processes receive the notice', async () => {
  const pages = await Promise.all(sites.map(({ origin }) => openEventConnection(origin, ['site'], '0')))
  await setSwitch('read-only', true)
  const notice = { kind: 'notice', switches: ['read-only'] }
  for (const page of pages) {
    // The server replays the recent notices first.
    while (!isDeepStrictEqual((await page.next()).event.change, notice));
  }
  await setSwitch('read-only', false)
  for (const page of pages) page.close()
})

test('both processes require proofs of work at once', async () => {
  const requiresProof = async ({ origin }: SiteProcess) =>
    (await readJson(await fetch(`${origin}/api/dtpchan/captcha`, { method: 'POST' }))).proofOfWork !== undefined
  await setSwitch('proof-of-work', true)
  await untilAll(requiresProof)
  await setSwitch('proof-of-work', false)
  await untilAll(async (site) => !(await requiresProof(site)))
})
