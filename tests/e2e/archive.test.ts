import { mkdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect as expectValue, test } from 'vitest'
import {
  type BrowserSite,
  DESKTOP,
  expect,
  expectAccessible,
  MODULES,
  PHONE,
  startBrowserSite,
} from '#tests/helpers/browser.ts'
import { createDeferred } from '#tests/helpers/deferred.ts'
import { isDeep, someOf } from '#tests/helpers/depth.ts'
import { silence } from '#tests/helpers/endlessSound.ts'
import { RADIO_KEY, type RadioService, startRadioService } from '#tests/helpers/radioService.ts'

const PATH = '/archive'
const MINUTES = 5
const MB = 1024 * 1024
/** Several streamers of the radio service, because the site caches the broadcasts of each for ten seconds. */
const STREAMERS = ['Test DJ', 'Lost DJ', 'Busy DJ'].map((name, index) => ({
  id: 3 + index,
  streamer_username: name.toLowerCase().replace('test dj', 'dj_test'),
  display_name: name,
  comments: null,
}))

/** A site with the embedded station and recordings. */
let stage: BrowserSite
/** A site with a fake radio service that the tests control. */
let served: BrowserSite
let service: RadioService

beforeAll(async () => {
  stage = await startBrowserSite()
  const shows = join(stage.location.dataDir, 'radio', 'shows')
  const add = async (streamer: string, file: string, sound: Buffer) => {
    await mkdir(join(shows, streamer), { recursive: true })
    await writeFile(join(shows, streamer, file), sound)
    // Sets an old time, because the server treats a recently written file as a running recording.
    await utimes(join(shows, streamer, file), new Date(0), new Date(0))
  }
  await add('ferrite', 'stream_20260222-200000.mp3', silence(MINUTES * 60))
  await add('ferrite', '2026-02-15_20-00-00.mp3', silence(60))
  await add('nullbyte', 'stream_20260301-193000.mp3', silence(30))
  await mkdir(join(shows, 'mira'), { recursive: true })
  service = await startRadioService()
  served = await startBrowserSite({ RADIO_URL: service.url, RADIO_API_KEY: RADIO_KEY })
})
afterAll(async () => {
  await stage.close()
  await served.close()
  await service.close()
})

const panel = (page: Page, name: string) =>
  page.locator('details[name=streamers]').filter({ has: page.getByRole('heading', { name }) })
const head = (page: Page, name: string) => panel(page, name).locator('summary')
const rows = (page: Page, name: string) => panel(page, name).getByRole('listitem')
const html = async (path: string, of = stage) => (await fetch(`${of.server.origin}${path}`)).text()

/** Returns a function that counts the page's requests for broadcasts. */
function countCalls(page: Page): () => number {
  let calls = 0
  page.on('request', (request) => {
    if (request.url().includes('archive.broadcasts')) calls++
  })
  return () => calls
}

// Runs first, while nothing is cached.
test.runIf(isDeep)('shows when there are no streamers', async () => {
  service.set('streamers', { json: [] })
  const page = await served.visit(PATH)
  await expect(page.getByText('No streamers found')).toBeVisible()
  service.set('streamers', { json: STREAMERS })
})

describe('without JavaScript', () => {
  test('lists streamers and links to their recordings', async () => {
    const source = await html(PATH)
    for (const name of ['ferrite', 'nullbyte', 'mira']) expectValue(source).toContain(`>${name}<`)
    expectValue(source).not.toMatch(/ style="/)
    expectValue(source).toMatch(/<link rel="canonical" href="[^"?]+\/archive"/)
    expectValue(source).not.toContain('/download')
    const context = await (await stage.visit('/')).context().browser()?.newContext({
      baseURL: stage.server.origin,
      javaScriptEnabled: false,
    })
    const page = await context?.newPage()
    if (!page) throw new Error('no page')
    await page.goto(PATH)
    await head(page, 'ferrite').click()
    await panel(page, 'ferrite').getByRole('link', { name: 'Show the broadcasts of ferrite' }).click()
    await expect(rows(page, 'ferrite')).toHaveCount(2)
    await expect(rows(page, 'ferrite').getByRole('button')).toHaveCount(0)
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      rows(page, 'ferrite').first().getByRole('link').click(),
    ])
    expectValue(file.suggestedFilename()).toBe('ferrite_22-02-2026.mp3')
    await context?.close()
  })

  test('ignores an unknown streamer in the URL', async () => {
    for (const query of ['?streamer=999', '?streamer=', '?streamer=%3Cscript%3E', '?streamer=1&streamer=2']) {
      const answer = await fetch(`${stage.server.origin}${PATH}${query}`)
      expectValue(answer.status).toBe(200)
      expectValue(await answer.text()).not.toMatch(/<details[^>]*name="streamers"[^>]* open/)
    }
  })
})

describe.each(
  someOf([
    ['1440 px', DESKTOP],
    ['390 px', PHONE],
  ]),
)('at %s', (_name, viewport) => {
  test('opens one panel at a time and fetches its broadcasts once', async () => {
    const page = await stage.visit(PATH, { viewport })
    const calls = countCalls(page)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Broadcast archive')
    await expect(page.locator('details[name=streamers][open]')).toHaveCount(0)
    await head(page, 'ferrite').click()
    await expect(rows(page, 'ferrite')).toHaveCount(2)
    await expect(head(page, 'ferrite')).toContainText('2')
    await head(page, 'nullbyte').click()
    await expect(rows(page, 'nullbyte')).toHaveCount(1)
    await expect(rows(page, 'ferrite').first()).toBeHidden()
    await expect(page.locator('details[name=streamers][open]')).toHaveCount(1)
    expectValue(calls()).toBe(2)
    await head(page, 'ferrite').click()
    await expect(rows(page, 'ferrite').first()).toBeVisible()
    await head(page, 'ferrite').click()
    await expect(page.locator('details[name=streamers][open]')).toHaveCount(0)
    await head(page, 'mira').click()
    await expect(panel(page, 'mira')).toContainText('No completed broadcasts available for this streamer.')
    expectValue(calls()).toBe(3)
  })

  test('shows the date, length and size, and downloads a named file', async () => {
    const page = await stage.visit(PATH, { viewport })
    await head(page, 'ferrite').click()
    const [newest, older] = [rows(page, 'ferrite').first(), rows(page, 'ferrite').last()]
    await expect(newest.locator('time')).toHaveText('22/02/2026')
    await expect(newest.locator('time')).toHaveAttribute('datetime', '2026-02-22T20:00:00.000Z')
    await expect(newest).toContainText('Sunday, 20:00 UTC')
    await expect(newest).toContainText(/(5:00|4:59)/)
    await expect(newest).toContainText(`${(silence(MINUTES * 60).length / MB).toFixed(1)} MB`)
    await expect(older.locator('time')).toHaveText('15/02/2026')
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      newest.getByRole('link', { name: 'Download Broadcast of 22/02/2026, Sunday, 20:00 UTC' }).click(),
    ])
    expectValue(file.suggestedFilename()).toBe('ferrite_22-02-2026.mp3')
    expectValue(await file.failure()).toBe(null)
    await expect(page).toHaveURL(/\/archive#streamer-\d+$/)
  })

  test('plays a recording in the bar, seeks, resumes at its position, and returns to live radio', async () => {
    const page = await stage.visit(PATH, { viewport })
    const bar = page.getByRole('region', { name: 'Radio player' })
    await head(page, 'ferrite').click()
    const row = rows(page, 'ferrite').first()
    await row.getByRole('button', { name: /^Play / }).click()
    await expect(row.getByRole('button', { name: /^Pause / })).toBeVisible()
    await expect(bar).toContainText('Broadcast of 22/02/2026')
    await expect(row).toContainText(/0:(?!00)\d\d of (5:00|4:59) heard/)
    await expect(
      rows(page, 'ferrite')
        .last()
        .getByRole('button', { name: /^Play / }),
    ).toBeVisible()

    if (viewport === PHONE) await bar.getByRole('button', { name: 'Maximise' }).click()
    const position = bar.getByRole('slider', { name: 'Position' })
    await position.focus()
    await position.press('PageUp')
    await position.press('PageUp')
    await expect(row).toContainText(/2:\d\d of/)
    await expect(row.getByRole('button', { name: /^Pause / })).toBeVisible()
    if (viewport === PHONE)
      await bar
        .getByRole('button', { name: /minimise|fold|close/i })
        .first()
        .click()

    await page.getByRole('contentinfo').getByRole('link', { name: 'DTPChan' }).click()
    await page.waitForURL('**/dtpchan')
    await expect(bar.getByRole('button', { name: 'Pause' })).toBeVisible()
    await page.goBack()
    await expect(row.getByRole('button', { name: /^Pause / })).toBeVisible()
    await row.getByRole('button', { name: /^Pause / }).click()
    await expect(row.getByRole('button', { name: /^Play / })).toBeVisible()
    await expect(row).toContainText(/2:\d\d of/)

    await page.reload()
    await expect(rows(page, 'ferrite')).toHaveCount(2)
    await expect(row).toContainText(/2:\d\d of (5:00|4:59) heard/)
    await row.getByRole('button', { name: /^Play / }).click()
    await expect(row.getByRole('button', { name: /^Pause / })).toBeVisible()
    await expect(row).toContainText(/2:\d\d of/)
    await rows(page, 'ferrite')
      .last()
      .getByRole('button', { name: /^Play / })
      .click()
    await expect(row.getByRole('button', { name: /^Play / })).toBeVisible()
    await expect(row).toContainText(/2:\d\d of/)
  })
})

test.runIf(isDeep)('opens the panel that the URL names', async () => {
  const page = await stage.visit(PATH)
  await head(page, 'nullbyte').click()
  await expect(page).toHaveURL(/\/archive#streamer-\d+$/)
  const address = page.url()
  await head(page, 'nullbyte').click()
  await expect(page).toHaveURL(/\/archive$/)
  const other = await stage.visit(new URL(address).pathname + new URL(address).hash)
  await expect(rows(other, 'nullbyte')).toHaveCount(1)
  await expect(rows(other, 'nullbyte').first()).toBeVisible()
  await other.evaluate(() => {
    location.hash = '#streamer-0'
  })
  await expect(rows(other, 'nullbyte').first()).toBeVisible()
})

test.runIf(isDeep)('fetches broadcasts of a streamer that was opened before hydration', async () => {
  const page = await stage.visit('/')
  const released = createDeferred()
  await page.route(MODULES, async (route) => {
    await released.promise
    await route.continue()
  })
  await page.goto(PATH, { waitUntil: 'commit' })
  await head(page, 'ferrite').click()
  released.resolve()
  await expect(rows(page, 'ferrite')).toHaveCount(2)
})

test.runIf(isDeep)('works with the keyboard only', async () => {
  const page = await stage.visit(PATH)
  await head(page, 'ferrite').focus()
  await page.keyboard.press('Enter')
  await expect(rows(page, 'ferrite')).toHaveCount(2)
  await page.keyboard.press('Tab')
  const play = rows(page, 'ferrite').first().getByRole('button')
  await expect(play).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(play).toHaveAccessibleName(/^Pause /)
  await expect(play).toBeFocused()
  await page.keyboard.press('Space')
  await expect(play).toHaveAccessibleName(/^Play /)
  await page.keyboard.press('Tab')
  await expect(rows(page, 'ferrite').first().getByRole('link')).toBeFocused()
})

test.runIf(isDeep)('reports broadcasts that fail to load, and retries', async () => {
  const page = await stage.visit(PATH)
  let isDown = true
  await page.route('**/trpc/archive.broadcasts*', (route) =>
    isDown ? route.fulfill({ status: 404, body: 'no answer of ours' }) : route.continue(),
  )
  await head(page, 'ferrite').click()
  await expect(panel(page, 'ferrite').getByRole('alert')).toHaveText('Failed to load broadcasts for this streamer.')
  await expectAccessible(page)
  isDown = false
  await panel(page, 'ferrite').getByRole('button', { name: 'Try again' }).click()
  await expect(rows(page, 'ferrite')).toHaveCount(2)
})

describe('with a radio service', () => {
  test.runIf(isDeep)('lists finished broadcasts only', async () => {
    const page = await served.visit(PATH)
    await head(page, 'Test DJ').click()
    await expect(rows(page, 'Test DJ')).toHaveCount(1)
    await expect(head(page, 'Test DJ')).toContainText('with dj_test')
    await expect(rows(page, 'Test DJ')).toContainText('22/02/2026')
    await expect(rows(page, 'Test DJ')).toContainText('2:00:00')
    await expect(rows(page, 'Test DJ')).toContainText('110.0 MB')
  })

  test.runIf(isDeep)('shows when a streamer has no broadcasts, and when they return', async () => {
    service.set('broadcasts', 'broken')
    const page = await served.visit(PATH)
    // Retries, because responses are cached for ten seconds.
    await expect(async () => {
      await page.goto(PATH)
      await head(page, 'Lost DJ').click({ timeout: 5000 })
      const alert = panel(page, 'Lost DJ').getByRole('alert')
      await expect(alert).toHaveText('Failed to load broadcasts for this streamer.', { timeout: 3000 })
    }).toPass({ timeout: 120_000 })
    service.set('broadcasts', null)
    await expect(async () => {
      const retry = panel(page, 'Lost DJ').getByRole('button', { name: 'Try again' })
      if (await retry.isVisible()) await retry.click({ timeout: 5000 })
      await expect(rows(page, 'Lost DJ')).toHaveCount(1, { timeout: 2000 })
    }).toPass({ timeout: 120_000 })
  })

  test.runIf(isDeep)('stays fast with a thousand broadcasts of one streamer', async () => {
    const day = 86_400
    const broadcasts = Array.from({ length: 1000 }, (_, index) => ({
      id: index + 1,
      timestampStart: 1_700_000_000 + index * day,
      timestampEnd: 1_700_007_200 + index * day,
      recording: { path: 'x', size: 1e8 },
    }))
    service.set('broadcasts', { json: broadcasts })
    const page = await served.visit(PATH)
    await expect(async () => {
      await page.goto(PATH)
      await head(page, 'Busy DJ').click({ timeout: 5000 })
      await expect(rows(page, 'Busy DJ')).toHaveCount(1000, { timeout: 3000 })
    }).toPass({ timeout: 120_000 })
    await expect(head(page, 'Busy DJ')).toContainText('1000 broadcasts')
    await expect(head(page, 'Busy DJ')).toContainText('93.1 GB')
    await rows(page, 'Busy DJ').last().scrollIntoViewIfNeeded()
    await expect(rows(page, 'Busy DJ').last().getByRole('link')).toBeInViewport()
    service.set('broadcasts', null)
  })

  test.runIf(isDeep)('answers 503 while the service is down, and retries without a reload', async () => {
    service.set('all', 'broken')
    await expectGone(async () => (await fetch(`${served.server.origin}${PATH}`)).status, 503)
    const source = await html(PATH, served)
    expectValue(source).toContain('Failed to load streamers. Please try again later.')
    const page = await served.visit('/')
    await page.goto(PATH).catch(() => {})
    await expect(page.getByRole('alert')).toHaveText('Failed to load streamers. Please try again later.')
    await expectAccessible(page)
    service.set('all', null)
    await expect(async () => {
      const retry = page.getByRole('button', { name: 'Try again' })
      if (await retry.isVisible()) await retry.click({ timeout: 5000 })
      await expect(panel(page, 'Test DJ')).toBeVisible({ timeout: 2000 })
    }).toPass({ timeout: 120_000 })
  })
})

/** Polls until the expected status, because responses are cached for some seconds. */
const expectGone = (ask: () => Promise<number>, status: number) =>
  expect(async () => expectValue(await ask()).toBe(status)).toPass({ timeout: 120_000 })
