import type { Page } from 'playwright'
import sharp from 'sharp'
import { afterAll, beforeAll, expect as expectValue, test } from 'vitest'
import { defaultSite } from '#src/contract/site.ts'
import { type BrowserSite, expect, expectAccessibleInAllLooks, startBrowserSite } from '#tests/helpers/browser.ts'

let site: BrowserSite

beforeAll(async () => {
  site = await startBrowserSite()
})
afterAll(() => site.close())

const heading = (page: Page) => page.getByRole('heading', { level: 1 })

/** Opens a page and waits until the worker can show the offline page. */
async function visitWithWorker(path: string): Promise<Page> {
  const page = await site.visit(path, { serviceWorkers: 'allow' })
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
  })
  return page
}
const cachedUrls = (page: Page) =>
  page.evaluate(async () => {
    const names = await caches.keys()
    const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))
    return requests.flat().map(({ url }) => new URL(url).pathname)
  })

test('shows the offline page for a full load without a network, and the page once the network is back', async () => {
  const page = await visitWithWorker('/about')
  await page.context().setOffline(true)
  for (const path of ['/dtpchan', '/paste/abcdefghijklmnopqrstuv', '/']) {
    await page.goto(path, { waitUntil: 'commit' })
    await expect(heading(page)).toHaveText('You are offline')
    expectValue(new URL(page.url()).pathname).toBe(path)
  }
  await expect(page.getByRole('link', { name: 'Try again' })).toHaveCSS('color', 'rgb(255, 255, 255)')
  await expectAccessibleInAllLooks(page)
  await page.getByRole('link', { name: 'Try again' }).click()
  await expect(heading(page)).toHaveText('You are offline')

  await page.context().setOffline(false)
  await page.getByRole('link', { name: 'Try again' }).click()
  await expect(page.locator('#connect-title')).toBeVisible()
})

test('caches nothing but the offline page, and loads pages from the site', async () => {
  const page = await visitWithWorker('/about')
  for (const path of ['/dtpchan', '/login', '/archive']) await page.goto(path)
  expectValue(await page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true)
  expectValue((await cachedUrls(page)).sort()).toEqual(['/offline.css', '/offline.html'])
  const answer = await page.goto('/nowhere', { waitUntil: 'commit' })
  expectValue(answer?.status()).toBe(404)
  await expect(heading(page)).toHaveText('Page not found')
})

test('deletes the offline pages of earlier builds', async () => {
  const page = await site.visit('/robots.txt', { serviceWorkers: 'allow' })
  await page.evaluate(async () => {
    const cache = await caches.open('offline-old')
    await cache.put('/offline.html', new Response('old'))
    await caches.open('other')
  })
  await page.goto('/about')
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
  })
  await expect
    .poll(() => page.evaluate(async () => (await caches.keys()).map((name) => name.replace(/-[0-9a-f]{12}$/, ''))))
    .toEqual(['other', 'offline'])
})

test('serves the worker with its version, and without time in caches', async () => {
  const answer = await fetch(`${site.server.origin}/service-worker.js`)
  expectValue(answer.headers.get('cache-control')).toBe('public, max-age=0')
  expectValue(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
  expectValue(await answer.text()).toMatch(/offline-[0-9a-f]{12}/)
})

type Manifest = {
  name: string
  icons: { src: string; sizes: string; type: string; purpose: string }[]
  shortcuts: { name: string; url: string }[]
}

test('has a manifest that Chromium accepts, with icons of the stated sizes', async () => {
  const page = await site.visit('/about')
  const link = await page.locator('link[rel=manifest]').getAttribute('href')
  const answer = await fetch(`${site.server.origin}${link}`)
  expectValue(answer.headers.get('content-type')).toContain('application/manifest+json')
  const manifest = (await answer.json()) as Manifest
  expectValue(manifest).toMatchObject({ name: defaultSite.name, start_url: '/', display: 'standalone' })
  expectValue(manifest.icons.map(({ sizes, purpose }) => `${sizes} ${purpose}`).sort()).toEqual([
    '192x192 any',
    '192x192 maskable',
    '512x512 any',
    '512x512 maskable',
  ])
  for (const { src, sizes, type } of manifest.icons) {
    const icon = await fetch(`${site.server.origin}${src}`)
    expectValue(icon.headers.get('content-type')).toBe(type)
    const { width, height } = await sharp(await icon.arrayBuffer()).metadata()
    expectValue(`${width}x${height}`).toBe(sizes)
  }
  for (const { url } of manifest.shortcuts) {
    expectValue([url, (await fetch(`${site.server.origin}${url}`)).status]).toEqual([url, 200])
  }
  const devtools = await page.context().newCDPSession(page)
  expectValue((await devtools.send('Page.getAppManifest')).errors).toEqual([])
})

test('has a favicon that is sharp at 16 and 32 px', async () => {
  const ico = Buffer.from(await (await fetch(`${site.server.origin}/favicon.ico`)).arrayBuffer())
  const count = ico.readUInt16LE(4)
  const sides: number[] = []
  for (let index = 0; index < count; index++) {
    const at = 6 + 16 * index
    const [bytes, offset] = [ico.readUInt32LE(at + 8), ico.readUInt32LE(at + 12)]
    const { data, info } = await sharp(ico.subarray(offset, offset + bytes))
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    sides.push(info.width)
    // Every pixel is either fully covered or empty.
    const opacities = new Set(data.filter((_value, position) => position % 4 === 3))
    expectValue([...opacities].sort()).toEqual([0, 255])
  }
  expectValue(sides).toEqual([16, 32])
})
