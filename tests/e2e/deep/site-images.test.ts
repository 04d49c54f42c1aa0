import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect as expectValue, test } from 'vitest'
import {
  type BrowserSite,
  DESKTOP,
  expect,
  expectAccessible,
  expectAccessibleInAllLooks,
  PHONE,
  startBrowserSite,
} from '#tests/helpers/browser.ts'
import { seed } from '#tests/helpers/siteProcess.ts'
import { visitStrictly } from '#tests/helpers/strictBrowser.ts'

const BOARD = '/dtpchan/board/tech'
const plain = (width: number, height: number, background: string) =>
  sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer()

let site: BrowserSite
beforeAll(async () => {
  const files: Record<string, Buffer> = {
    'logo.png': await plain(600, 100, '#225533'),
    'logo-dark.png': await plain(600, 100, '#eeeeff'),
    'favicon.png': await plain(64, 64, '#225533'),
    'preview.png': await plain(600, 300, '#ffeecc'),
    'banners/tech/wide.png': await plain(600, 60, '#335577'),
    'banners/tech/small.png': await plain(88, 31, '#335577'),
    'banners/tech/notes.txt': Buffer.from('no image'),
    'pages/rules.md': Buffer.from('# Rules'),
    'blog/undated.md': Buffer.from('# Undated'),
  }
  site = await startBrowserSite(
    {},
    {
      prepare: async ({ dataDir }) => {
        for (const [name, bytes] of Object.entries(files)) {
          const path = join(dataDir, 'site', name)
          mkdirSync(dirname(path), { recursive: true })
          writeFileSync(path, bytes)
        }
      },
    },
  )
  for (const board of ['tech', 'radio']) await seed(site.location, `--board ${board} --threads 1 --comments 1`)
})
afterAll(() => site.close())

test('a banner and a wide logo keep their place, follow the theme, and need no script', async () => {
  const page = await visitStrictly(site, BOARD, { viewport: PHONE, colorScheme: 'dark' })
  const banner = page.getByRole('img', { name: 'Banner of /tech/' })
  await expect(banner).toHaveJSProperty('complete', true)
  expectValue(await banner.boundingBox()).toMatchObject({ x: 45, width: 300, height: 100 })
  const home = page.getByRole('banner').getByRole('link', { name: 'DTP', exact: true })
  expectValue(await home.boundingBox()).toMatchObject({ width: 176, height: 36 })
})

test('each page of a board has a banner, also after a navigation; other boards have none', async () => {
  const page = await site.visit('/dtpchan', { viewport: DESKTOP, colorScheme: 'light' })
  const banner = page.getByRole('main').getByRole('img', { name: /^Banner/ })
  await expect(banner).toHaveCount(0)
  const shifts = () =>
    page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          const observer = new PerformanceObserver((list) =>
            resolve(
              list.getEntries().reduce((sum, entry) => sum + (entry as PerformanceEntry & { value: number }).value, 0),
            ),
          )
          observer.observe({ type: 'layout-shift', buffered: true })
          // Without shifts, the observer is not called.
          setTimeout(() => resolve(0), 500)
        }),
    )
  await page.locator(`main a[href="${BOARD}"]`).first().click()
  await expect(banner).toHaveCount(1)
  await page.getByRole('link', { name: 'Catalog' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Catalog of /tech/')
  await expect(banner).toHaveAttribute('src', /page=%2Fdtpchan%2Fboard%2Ftech%2Fcatalog/)
  await page.goto(BOARD)
  await expect(banner).toHaveJSProperty('complete', true)
  expectValue(await shifts()).toBeLessThan(0.01)
  await expectAccessible(page)
  const image = (theme: string) =>
    page.evaluate((name) => {
      document.documentElement.dataset.theme = name
      return getComputedStyle(document.querySelector('[data-wordmark]') as Element, '::before').backgroundImage
    }, theme)
  expectValue(await image('dark')).not.toBe(await image('light'))
  await page.goto('/dtpchan/board/radio')
  await expect(banner).toHaveCount(0)
})

test('admins see what is in force', async () => {
  const page = await site.visit('/about')
  await site.logIn(page)
  await page.goto('/admin/site')
  const main = page.getByRole('main')
  for (const text of [
    'logo-dark.png',
    'banners/tech/notes.txt',
    'blog/undated.md',
    '/rules',
    'All fields have their default.',
  ]) {
    await expect(main.getByText(text, { exact: true }).first()).toBeVisible()
  }
  await expectAccessibleInAllLooks(page)
})
