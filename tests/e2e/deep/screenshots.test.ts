import type { Page } from 'playwright'
import { afterAll, beforeAll, expect as expectValue, test } from 'vitest'
import { type BrowserSite, DESKTOP, expect, PHONE, startBrowserSite } from '#tests/helpers/browser.ts'
import { key, player } from '#tests/helpers/player.ts'
import { fillSampleSite } from '#tests/helpers/sampleSite.ts'
import { checkScreenshot, deleteResults } from '#tests/helpers/screenshots.ts'
import { readJson } from '#tests/helpers/siteProcess.ts'

/** The time of the server and of the browser. Whatever depends on the time is then the same in every run. */
const NOW = new Date('2026-11-20T20:05:30Z')
const CLOCK = new URL('../../helpers/stoppedClock.mjs', import.meta.url).href
const ENV = { NODE_OPTIONS: `--import=${CLOCK}`, STOPPED_AT: NOW.toISOString() }

const BOARD = '/dtpchan/board/technology'

let site: BrowserSite
let page: Page
let thread: string

beforeAll(async () => {
  await deleteResults()
  site = await startBrowserSite(ENV, {
    whole: true,
    args: ['--font-render-hinting=none', '--force-device-scale-factor=1'],
  })
  await fillSampleSite(site.location, NOW, ENV)
  const { threads } = await readJson(await fetch(`${site.server.origin}/api/dtpchan/boards/technology/threads`))
  thread = `${BOARD}/thread/${threads[0].id}`
  page = await site.visit('/robots.txt', { timezoneId: 'UTC', locale: 'en-GB' })
  await page.clock.setFixedTime(NOW)
  await page.addInitScript(fixRandomBytes)
  await page.route('**/trpc/site.captcha*', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, body: (await response.text()).replace(/What is [^?]+/, 'What is 7 + 5') })
  })
})
afterAll(() => site.close())

/** Generates the same password in every run. */
function fixRandomBytes() {
  crypto.getRandomValues = (bytes) => {
    if (bytes instanceof Uint8Array) for (const index of bytes.keys()) bytes[index] = (index * 101 + 41) % 256
    return bytes
  }
}

async function openComment() {
  await page.getByRole('button', { name: 'Comment', exact: true }).first().click()
  await expect(page.getByRole('dialog').getByText('What is 7 + 5?')).toBeVisible()
}

/** Replaces the site's URL, because its port differs in every run. */
const replaceOrigin = () =>
  page.getByText('curl').evaluate((code) => {
    code.textContent = (code.textContent ?? '').replace(location.origin, 'https://dtp.example')
  })

async function openSheet() {
  await key(page, 'Maximise').click()
  await expect(key(page, 'Restore')).toBeVisible()
}

async function openStreamer() {
  await page.getByRole('heading', { name: 'ferrite' }).click()
  await expect(page.locator('details[open]').getByRole('listitem')).toHaveCount(3)
}

test.each<[name: string, path: () => string, open?: () => Promise<void>]>([
  ['home', () => '/'],
  ['boards', () => '/dtpchan'],
  ['board', () => BOARD],
  ['thread', () => thread],
  ['comment', () => thread, openComment],
  ['archive', () => '/archive', openStreamer],
  ['programs', () => '/programs-we-love'],
  ['news', () => '/today-in-tech'],
  ['paste', () => '/paste-service', replaceOrigin],
  ['image', () => '/image-sharing'],
  ['password', () => '/password-generator'],
  // Last, because the browser stores that the player is maximised.
  ['player', () => '/about', openSheet],
])('%s looks like its screenshots', async (name, path, open) => {
  await page.setViewportSize(DESKTOP)
  await page.goto(path())
  await expect(player(page).getByText('Carrier Wave')).toBeVisible()
  await open?.()
  await page.mouse.move(0, 0)

  const problems: (string | null)[] = []
  for (const viewport of [DESKTOP, PHONE]) {
    await page.setViewportSize(viewport)
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme })
      await waitForContent(page)
      problems.push(await checkScreenshot(page, `${name}-${viewport.width}-${colorScheme}`))
    }
  }
  expectValue(problems.filter(Boolean)).toEqual([])
})

/** Waits for fonts and visible images. */
const waitForContent = (page: Page) =>
  page.waitForFunction(() => {
    const isVisible = (element: Element) => {
      const { top, bottom } = element.getBoundingClientRect()
      return top < innerHeight && bottom > 0
    }
    const images = [...document.images].filter(isVisible)
    return document.fonts.status === 'loaded' && images.every((image) => image.complete)
  })
