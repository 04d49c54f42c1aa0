import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { type BrowserSite, DESKTOP, expect, PHONE, startBrowserSite } from '#tests/helpers/browser.ts'
import { createDeferred } from '#tests/helpers/deferred.ts'
import { isDeep, someOf } from '#tests/helpers/depth.ts'
import { animatedImage, noiseBytes, oversizedImage, stillImage } from '#tests/helpers/sampleImages.ts'

let site: BrowserSite
beforeAll(async () => {
  site = await startBrowserSite()
})
afterAll(() => site.close())

const chooseFile = (page: Page, name: string, mimeType: string, buffer: Buffer) =>
  page.locator('input[type=file]').setInputFiles({ name, mimeType, buffer })
const uploaded = (page: Page) => page.getByText('Image uploaded successfully!')

/** The page checks a chosen file before it shows it. */
async function send(page: Page): Promise<void> {
  await expect(page.getByRole('button', { name: 'Remove file' })).toBeVisible()
  await page.getByRole('button', { name: 'Upload Image' }).click()
}

async function upload(page: Page): Promise<string> {
  await send(page)
  await expect(uploaded(page)).toBeVisible()
  return page.getByLabel('Image URL').inputValue()
}

/** Shares an image through the API. */
async function shareByCall(
  buffer: Buffer,
  hours = '24',
): Promise<{ url: string; imageUrl: string; deleteUrl: string }> {
  const form = new FormData()
  form.set('image', new File([new Uint8Array(buffer)], 'a.png', { type: 'image/png' }))
  form.set('expiryHours', hours)
  const answer = (await (
    await fetch(`${site.server.origin}/api/image-share`, { method: 'POST', body: form })
  ).json()) as {
    url: string
    imageUrl: string
    deleteUrl: string
  }
  const local = (url: string) => new URL(url).pathname + new URL(url).search
  return { url: local(answer.url), imageUrl: local(answer.imageUrl), deleteUrl: local(answer.deleteUrl) }
}

describe.each(
  someOf([
    ['desktop', DESKTOP],
    ['phone', PHONE],
  ]),
)('on a %s', (_name, viewport) => {
  test('uploads a chosen image, copies its URL and opens it', async () => {
    const page = await site.visit('/image-sharing', { viewport, permissions: ['clipboard-read', 'clipboard-write'] })
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Image Sharing')
    await expect(page.getByRole('note')).toContainText('public service')
    await expect(page.getByLabel('Expiration')).toHaveValue('24')
    await expect(page.getByLabel('Expiration').locator('option')).toHaveText([
      '1 hour',
      '6 hours',
      '12 hours',
      '24 hours',
      '48 hours',
      '1 week',
    ])

    await page.getByRole('button', { name: 'Upload Image' }).click()
    const alert = page.getByRole('alert')
    await expect(alert).toHaveText('Please select an image to upload')
    await alert.getByRole('button', { name: 'Dismiss' }).click()
    await expect(alert).toHaveCount(0)

    const picture = await stillImage(1600, 1200).jpeg().toBuffer()
    const name = `${'holiday'.repeat(12)}.jpg`
    await chooseFile(page, name, 'image/jpeg', picture)
    await expect(page.getByAltText(`Preview of ${name}`)).toBeVisible()
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
    await expect(page.getByText(`${(picture.length / 1024 / 1024).toFixed(2)} MB`, { exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Remove file' }).click()
    await expect(page.getByText(name)).toHaveCount(0)
    await chooseFile(page, 'holiday.jpg', 'image/jpeg', picture)
    await page.getByLabel('Expiration').selectOption('6')

    const url = await upload(page)
    expect(url).toMatch(new RegExp(`^${site.server.origin}/image-share/[\\w-]{22}$`))
    await expect(page.getByRole('progressbar', { name: 'Upload progress' })).toHaveAttribute('value', '1')
    await expect(page.getByText('holiday.jpg')).toHaveCount(0)
    await page.getByRole('button', { name: 'Copy', exact: true }).click()
    await expect(page.getByRole('button', { name: 'Copied!' })).toBeVisible()
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(url)
    await expect(page.getByRole('button', { name: 'Copy', exact: true })).toBeVisible()

    await page.getByRole('link', { name: 'View', exact: true }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Shared image')
    await expect(page.getByText('5h 59m remaining')).toBeVisible()
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
  })

  test('shows a shared image with its actions, and works without scripts', async () => {
    const { url, imageUrl } = await shareByCall(await stillImage(2400, 1600).png().toBuffer())
    const bare = await site.visit('/image-sharing', { viewport })
    const answer = await bare.request.get(url)
    expect(answer.headers()).toMatchObject({ 'x-robots-tag': 'noindex', 'referrer-policy': 'same-origin' })
    const html = await answer.text()
    expect(html).toContain('23h 59m remaining')
    expect(html).toMatch(/<img[^>]+width="1080" height="720"/)
    expect(html).toMatch(/<meta property="og:image" content="http[^"]+\.p\.jpg"/)
    expect(html).toContain('<meta property="og:image:width" content="945"')

    const page = await site.visit(url, { viewport, permissions: ['clipboard-read', 'clipboard-write'] })
    await expect(page.getByText('2 views')).toBeVisible()
    await expect(page.getByRole('heading', { level: 2 })).toHaveText(imageUrl.split('/').at(-1) ?? '')
    const image = page.getByRole('img', { name: imageUrl.split('/').at(-1) })
    await expect(image).toHaveJSProperty('complete', true)
    expect(await image.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBeGreaterThan(0)
    await page.getByRole('button', { name: 'Copy Link' }).click()
    await expect(page.getByRole('button', { name: 'Copied!' })).toBeVisible()
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(`${site.server.origin}${url}`)
    await expect(page.getByRole('button', { name: 'Copy Link' })).toBeVisible()

    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download' }).click()
    const file = await readFile(await (await download).path())
    expect((await download).suggestedFilename()).toBe(imageUrl.split('/').at(-1))
    expect(await sharp(file).metadata()).toMatchObject({ format: 'png', width: 2400, height: 1600 })
    const tab = page.waitForEvent('popup')
    await page.getByRole('link', { name: 'Open in New Tab' }).click()
    expect((await tab).url()).toBe(`${site.server.origin}${imageUrl}`)
  })
})

test.runIf(isDeep)('accepts an image from the clipboard and by drag and drop anywhere on the page', async () => {
  const page = await site.visit('/image-sharing', { permissions: ['clipboard-read', 'clipboard-write'] })
  const png = (await stillImage(300, 200).png().toBuffer()).toString('base64')
  await page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': new Blob([bytes], { type: 'image/png' }) })])
  }, png)
  await page.keyboard.press('Control+V')
  await expect(page.getByAltText('Preview of image.png')).toBeVisible()
  await upload(page)

  for (const target of ['body', 'input[type=file]']) {
    const transfer = await page.evaluateHandle((base64) => {
      const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
      const data = new DataTransfer()
      data.items.add(new File([bytes], 'dropped.png', { type: 'image/png' }))
      return data
    }, png)
    await page.dispatchEvent(target, 'dragover', { dataTransfer: transfer })
    await expect(page.locator('[data-over]')).toBeVisible()
    await page.dispatchEvent(target, 'drop', { dataTransfer: transfer })
    await expect(page.locator('[data-over]')).toHaveCount(0)
    await expect(page.getByAltText('Preview of dropped.png')).toBeVisible()
    await upload(page)
  }
})

test('rejects invalid files before the upload and shows errors of the server', async () => {
  const page = await site.visit('/image-sharing')
  const alert = page.getByRole('alert')
  await chooseFile(page, 'notes.txt', 'text/plain', Buffer.from('hello'))
  await expect(alert).toHaveText('Please select a valid image file (JPEG, PNG, GIF, or WebP)')
  await chooseFile(page, 'big.png', 'image/png', noiseBytes(5 * 1024 * 1024 + 1))
  await expect(alert).toHaveText('File size must be less than 5MB')
  await expect(page.getByText('big.png')).toHaveCount(0)

  await chooseFile(page, 'broken.png', 'image/png', noiseBytes(1000))
  await expect(alert).toHaveText('Please select a valid image file (JPEG, PNG, GIF, or WebP)')
  await chooseFile(page, 'large.png', 'image/png', oversizedImage())
  await expect(alert).toHaveText('This image has too many pixels')

  // The form accepts a truncated file, because browsers can show it. Only the server refuses it.
  const whole = await stillImage(200, 200).png().toBuffer()
  await chooseFile(page, 'cut.png', 'image/png', whole.subarray(0, whole.length - 40))
  await expect(alert).toHaveCount(0)
  await page.getByRole('button', { name: 'Upload Image' }).click()
  await expect(alert).toHaveText('This image file is incomplete')
  await expect(page.getByText('cut.png')).toBeVisible()

  const proxy = { status: 403, contentType: 'text/html', body: '<h1>Forbidden</h1>' }
  await page.route('**/api/image-share', (route) => route.fulfill(proxy))
  await page.getByRole('button', { name: 'Upload Image' }).click()
  await expect(alert).toHaveText('Failed to upload image')
  await page.evaluate(() => {
    XMLHttpRequest.prototype.send = function () {
      queueMicrotask(() => this.onerror?.(new ProgressEvent('error')))
    }
  })
  await page.getByRole('button', { name: 'Upload Image' }).click()
  await expect(alert).toHaveText('Failed to upload image. Please try again.')
  await expect(page.getByRole('button', { name: 'Upload Image' })).toBeEnabled()
})

test.runIf(isDeep)('shows the progress of an upload', async () => {
  const page = await site.visit('/image-sharing')
  const network = await page.context().newCDPSession(page)
  await network.send('Network.enable')
  await network.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: 500_000,
  })
  await chooseFile(page, 'slow.png', 'image/png', await noisy(700))
  await send(page)
  await expect(page.getByRole('button', { name: 'Uploading...' })).toBeDisabled()
  const bar = page.getByRole('progressbar', { name: 'Upload progress' })
  const seen = new Set<number>()
  while (!(await uploaded(page).isVisible())) {
    seen.add(await bar.evaluate((element: HTMLProgressElement) => element.value).catch(() => 0))
  }
  expect([...seen].filter((value) => value > 0 && value < 1).length).toBeGreaterThan(2)
})

test.runIf(isDeep)('stops an upload when the visitor leaves the page', async () => {
  const page = await site.visit('/image-sharing')
  await page.route('**/api/image-share', () => {})
  await chooseFile(page, 'left.png', 'image/png', await noisy(10))
  await send(page)
  await expect(page.getByRole('button', { name: 'Uploading...' })).toBeDisabled()
  const stopped = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/api/image-share'))
  await page.getByRole('contentinfo').getByRole('link', { name: 'DTPChan' }).click()
  await stopped
})

const noisy = (size: number) =>
  sharp(noiseBytes(size * size * 3), { raw: { width: size, height: size, channels: 3 } })
    .png()
    .toBuffer()

test.runIf(isDeep)('handles images that fail to load, expire in view or do not exist', async () => {
  const { url } = await shareByCall(await stillImage(300, 200).png().toBuffer(), '1')
  const page = await site.visit('/image-sharing')
  await page.route('**/dtpchan/uploads/**', (route) => route.fulfill({ status: 404, body: '' }))
  await page.goto(url)
  await expect(page.getByRole('alert')).toHaveText('Failed to load image')
  await expect(page.getByRole('link', { name: 'Back to Image Sharing' })).toBeVisible()
  await page.unroute('**/dtpchan/uploads/**')

  const released = createDeferred()
  await page.route('**/dtpchan/uploads/**', async (route) => {
    await released.promise
    await route.continue()
  })
  await page.goto(url, { waitUntil: 'commit' })
  await expect(page.getByText('Loading image...')).toBeVisible()
  released.resolve()
  await expect(page.getByText('Loading image...')).toHaveCount(0)

  await page.clock.install()
  await page.goto(url)
  await expect(page.getByText('59m remaining')).toBeVisible()
  await page.clock.fastForward('30:00')
  await expect(page.getByText(/^(29|28)m remaining$/)).toBeVisible()
  await page.clock.fastForward('31:00')
  await expect(page.getByText('Expired', { exact: true })).toBeVisible()

  const missing = await page.goto('/image-share/AAAAAAAAAAAAAAAAAAAAAA')
  expect(missing?.status()).toBe(404)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Image not found or expired')
  await expect(page.getByRole('alert')).toContainText('Image not found or expired')
  await page.getByRole('link', { name: 'Back to Image Sharing' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Image Sharing')
})

test('deletes only after confirmation on the delete page', async () => {
  const { url, imageUrl, deleteUrl } = await shareByCall(await animatedImage(3).gif().toBuffer())
  const page = await site.visit(deleteUrl)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Delete this image?')
  expect((await page.request.get(url)).status()).toBe(200)
  await page.getByRole('button', { name: 'Delete image' }).click()
  await expect(page.getByText('The image has been deleted.')).toBeFocused()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Image deleted')
  for (const gone of [url, imageUrl, deleteUrl]) expect((await page.request.get(gone)).status()).toBe(404)
})

test.runIf(isDeep)('brings an error into view and focuses it on a phone', async () => {
  for (const [path, button] of [
    ['/image-sharing', 'Upload Image'],
    ['/paste-service', 'Create Paste'],
  ] as const) {
    const page = await site.visit(path, { viewport: PHONE })
    if (path === '/paste-service') await page.getByLabel('Content', { exact: true }).fill(' ')
    await page.getByRole('button', { name: button }).click()
    await expect(page.getByRole('alert')).toBeFocused()
    await expect(page.getByRole('alert')).toBeInViewport({ ratio: 1 })
  }
})

test.runIf(isDeep)('reports a wrong delete link', async () => {
  const { url } = await shareByCall(await stillImage().png().toBuffer())
  const page = await site.visit(`${url}/delete?token=wrong`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('This delete link is not valid')
  expect((await page.request.get(url)).status()).toBe(200)
})

test.runIf(isDeep)(
  'counts a view per page load, but not for data requests, HEAD, prefetches and link previews',
  async () => {
    const { url } = await shareByCall(await stillImage().png().toBuffer())
    const page = await site.visit(url)
    await expect(page.getByText('1 view', { exact: true })).toBeVisible()
    await page.request.get(`${url}/index.pageContext.json`)
    await page.request.head(url)
    await page.request.get(url, { headers: { 'sec-purpose': 'prefetch' } })
    await page.request.get(url, { headers: { 'user-agent': 'Mozilla/5.0 (compatible; Discordbot/2.0)' } })
    await page.reload()
    await expect(page.getByText('2 views', { exact: true })).toBeVisible()
  },
)

test.runIf(isDeep)('offers a ShareX configuration for this site', async () => {
  const page = await site.visit('/image-sharing')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'ShareX configuration' }).click()
  expect((await download).suggestedFilename()).toBe('image-sharing.sxcu')
  const config = JSON.parse((await readFile(await (await download).path())).toString())
  expect(config).toMatchObject({
    RequestMethod: 'POST',
    RequestURL: `${site.server.origin}/api/image-share`,
    Body: 'MultipartFormData',
    FileFormName: 'image',
    Arguments: { expiryHours: '24' },
    URL: '{json:url}',
    DeletionURL: '{json:deleteUrl}',
  })
})
