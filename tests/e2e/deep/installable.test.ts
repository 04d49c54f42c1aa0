import type { BrowserContextOptions, Page } from 'playwright'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect as expectValue, test } from 'vitest'
import { defaultSite } from '#src/contract/site.ts'
import { t } from '#src/i18n/t.ts'
import {
  type BrowserSite,
  expect,
  expectAccessible,
  expectAccessibleInAllLooks,
  startBrowserSite,
} from '#tests/helpers/browser.ts'
import { visitStrictly } from '#tests/helpers/strictBrowser.ts'

let site: BrowserSite

beforeAll(async () => {
  site = await startBrowserSite()
})
afterAll(() => site.close())

const heading = (page: Page) => page.getByRole('heading', { level: 1 })

/** Opens a page and waits until the worker can show the offline page. */
async function visitWithWorker(path: string, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await site.visit(path, { serviceWorkers: 'allow', ...options })
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

test('shows the offline page in the language of the browser', async () => {
  const page = await visitWithWorker('/about', { locale: 'de-DE' })
  await page.context().setOffline(true)
  await page.goto('/dtpchan', { waitUntil: 'commit' })
  await expect(heading(page)).toHaveText('Du bist offline')
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')
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
  share_target: { action: string; method: string; enctype: string; params: { files: { name: string }[] } }
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
  expectValue(manifest.share_target).toMatchObject({ action: '/share', method: 'POST', enctype: 'multipart/form-data' })
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

describe('the share target', () => {
  type Shared = { fields?: Record<string, string>; image?: { name: string; mimeType: string; buffer: Buffer } }

  /** Sends the form that a browser sends when another app shares something with the installed site. */
  async function share(page: Page, { fields = {}, image }: Shared): Promise<void> {
    await page.evaluate((values) => {
      const form = document.createElement('form')
      Object.assign(form, { id: 'shared', action: '/share', method: 'post', enctype: 'multipart/form-data' })
      for (const [name, value] of Object.entries(values)) {
        const field = document.createElement('textarea')
        form.append(Object.assign(field, { name, value }))
      }
      form.append(Object.assign(document.createElement('input'), { type: 'file', name: 'image' }))
      document.body.append(form)
    }, fields)
    if (image) await page.locator('#shared input').setInputFiles(image)
    const opened = page.waitForEvent('domcontentloaded')
    await page.evaluate(() => document.querySelector<HTMLFormElement>('#shared')?.submit())
    await opened
  }
  const png = async () => ({
    name: 'größe 1.png',
    mimeType: 'image/png',
    buffer: await sharp({ create: { width: 40, height: 30, channels: 3, background: '#aa3355' } })
      .png()
      .toBuffer(),
  })
  const content = (page: Page) => page.getByRole('textbox', { name: 'Content' })
  const alert = (page: Page) => page.getByRole('main').getByRole('alert')

  /** A page that the worker controls. */
  async function visitControlled(): Promise<Page> {
    const page = await visitWithWorker('/about')
    await page.reload()
    return page
  }

  test('chooses a shared image, which only the visitor uploads', async () => {
    const page = await visitControlled()
    const uploads: string[] = []
    page.on('request', (request) => request.url().includes('/api/image-share') && uploads.push(request.url()))
    await share(page, { image: await png() })
    await expect(page.getByRole('img', { name: 'Preview of größe 1.png' })).toBeVisible()
    expectValue(new URL(page.url()).pathname + new URL(page.url()).search).toBe('/image-sharing')
    expectValue([uploads, await cachedUrls(page)]).toEqual([[], expectValue.not.arrayContaining(['/shared-image'])])
    await expectAccessible(page)
    await page.reload()
    await expect(page.getByRole('img', { name: /^Preview/ })).toHaveCount(0)

    await share(page, { image: await png() })
    await expect(page.getByRole('img', { name: /^Preview/ })).toBeVisible()
    await page.getByRole('button', { name: 'Upload Image' }).click()
    await expect(page.getByText('Image uploaded successfully!')).toBeVisible()
  })

  test('refuses images that are too large, and files that are no images', async () => {
    const page = await visitControlled()
    await share(page, { image: { ...(await png()), buffer: Buffer.alloc(5 * 1024 * 1024 + 1) } })
    await expect(alert(page)).toHaveText(t('image.size'))
    await share(page, { image: { ...(await png()), buffer: Buffer.from('not an image') } })
    await expect(alert(page)).toHaveText(t('image.type'))
  })

  const texts: [shared: Record<string, string>, content: string][] = [
    [
      { title: 'A page', text: 'Look: https://example.org/', url: 'https://example.org/' },
      'A page\nLook: https://example.org/',
    ],
    [{ text: '</textarea><script>alert(1)</script>' }, '</textarea><script>alert(1)</script>'],
  ]
  test.each([
    ['with the worker', { serviceWorkers: 'allow' }],
    ['without the worker', { serviceWorkers: 'block' }],
  ] as const)('puts shared text into the form of a paste, %s', async (_name, options) => {
    const page = await site.visit('/about', options)
    if (options.serviceWorkers === 'allow') await page.evaluate(async () => void (await navigator.serviceWorker.ready))
    for (const [fields, expected] of texts) {
      await page.goto('/about')
      await share(page, { fields })
      await expect(content(page)).toHaveValue(expected)
      await expect(alert(page)).toHaveCount(0)
    }
    await page.getByRole('button', { name: 'Create Paste' }).click()
    await expect(page.getByRole('textbox', { name: 'Paste URL' })).toHaveValue(/\/paste\//)
  })

  test('works without script', async () => {
    const page = await visitStrictly(site, '/about')
    await share(page, { fields: { title: 'A page', text: 'Some text' } })
    await expect(content(page)).toHaveValue('A page\nSome text')
    await page.getByRole('button', { name: 'Create Paste' }).click()
    await expect(page.getByRole('textbox', { name: 'Paste URL' })).toHaveValue(/\/paste\//)
    await share(page, { image: await png() })
    await expect(alert(page)).toHaveText(t('site.shareImageLost'))
    await page.locator('main input[type=file]').setInputFiles(await png())
    await page.getByRole('button', { name: 'Upload Image' }).click()
    await expect(page.getByText('Image uploaded successfully!')).toBeVisible()
  })

  test('asks to select the image again if the worker does not run', async () => {
    const page = await site.visit('/about')
    await share(page, { image: await png() })
    await expect(alert(page)).toHaveText(t('site.shareImageLost'))
    await expect(heading(page)).toHaveText('Image Sharing')
  })

  test.each<[name: string, status: number, body: () => BodyInit, headers?: Record<string, string>]>([
    ['nothing', 400, () => new FormData()],
    ['a text that is too large', 413, () => formOf({ text: 'x'.repeat(600_000) })],
    ['a repeated field', 400, () => formOf({ text: 'a' }, { text: 'b' })],
    ['half a form', 400, () => '--edge\r\nContent-Disp', { 'content-type': 'multipart/form-data; boundary=edge' }],
    ['a form of another site', 403, () => formOf({ text: 'a' }), { 'sec-fetch-site': 'cross-site' }],
    ['JSON', 303, () => '{"text":"a"}', { 'content-type': 'application/json' }],
  ])('answers %s with %i', async (_name, status, body, headers = {}) => {
    const answer = await fetch(`${site.server.origin}/share`, {
      method: 'POST',
      body: body(),
      headers: { accept: 'text/html', ...headers },
      redirect: 'manual',
    })
    expectValue(answer.status).toBe(status)
  })

  function formOf(...parts: Record<string, string>[]): FormData {
    const form = new FormData()
    for (const part of parts) for (const [name, value] of Object.entries(part)) form.append(name, value)
    return form
  }
})
