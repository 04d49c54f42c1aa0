import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect as expectValue, test } from 'vitest'
import { type BrowserSite, expect, MODULES, PHONE, startBrowserSite } from '#tests/helpers/browser.ts'
import { noiseBytes, stillImage } from '#tests/helpers/sampleImages.ts'
import { visitStrictly } from '#tests/helpers/strictBrowser.ts'

const HOSTILE =
  '</textarea></script><script>document.title="bad"</script>\n<img src=x onerror=alert(1)>&amp;\u202e\n\tend'

let site: BrowserSite
beforeAll(async () => {
  site = await startBrowserSite()
})
afterAll(() => site.close())

const visit = (path: string) => visitStrictly(site, path, { viewport: PHONE })
const content = (page: Page) => page.getByRole('textbox', { name: 'Content' })
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const pathOf = (url: string) => new URL(url).pathname + new URL(url).search
const raw = async (path: string) => (await fetch(`${site.server.origin}${path}/raw`)).text()
const statusOf = async (path: string) => (await fetch(`${site.server.origin}${path}`)).status

/** Returns the status of the page that a button's form opens. */
async function sendForm(page: Page, button: string): Promise<number> {
  const answer = page.waitForResponse((response) => response.request().method() === 'POST')
  await press(page, button)
  await page.waitForLoadState()
  return (await answer).status()
}

async function createPaste(page: Page, text: string): Promise<{ path: string; deletePath: string }> {
  await content(page).fill(text)
  expectValue(await sendForm(page, 'Create Paste')).toBe(200)
  await expect(page.getByText('Paste created')).toBeVisible()
  return {
    path: pathOf(await page.getByLabel('Paste URL').inputValue()),
    deletePath: pathOf(await page.getByLabel('Delete link').inputValue()),
  }
}

describe('a paste', () => {
  test('is created with its options, shown and deleted', async () => {
    const page = await visit('/paste-service')
    await expect(page.getByRole('checkbox', { name: /^Encrypt in the browser/ })).toHaveCount(0)
    await page.getByLabel('Expiration').selectOption('1')
    await page.getByLabel('Language').selectOption('lua')
    const { path, deletePath } = await createPaste(page, 'local a = 1\nlocal b = 2\n')
    await expect(content(page)).toHaveValue('')
    expectValue(await raw(path)).toBe('local a = 1\nlocal b = 2\n')
    await page.goto(path, { waitUntil: 'commit' })
    await expect(page.getByText('local a = 1')).toBeVisible()
    await expect(page.getByText('Lua', { exact: true })).toBeVisible()
    await expect(page.getByText('59m remaining')).toBeVisible()

    await page.goto(deletePath, { waitUntil: 'commit' })
    expectValue(await sendForm(page, 'Delete paste')).toBe(200)
    await expect(page.getByText('The paste has been deleted.')).toBeVisible()
    expectValue(await statusOf(path)).toBe(404)
  })

  test('is read once and burns', async () => {
    const page = await visit('/paste-service')
    await page.getByRole('checkbox', { name: /^Burn after reading/ }).check()
    const { path } = await createPaste(page, HOSTILE)
    await page.goto(path, { waitUntil: 'commit' })
    await expect(page.getByText('end')).toHaveCount(0)
    expectValue(await sendForm(page, 'Read and delete')).toBe(200)
    await expect(page.getByText('This paste has been deleted.')).toBeVisible()
    await expect(page.locator('pre')).toContainText('</textarea></script><script>document.title="bad"</script>')
    await expect(page.locator('main img')).toHaveCount(0)
    expectValue(await statusOf(path)).toBe(404)
  })

  test('is refused with its text kept when it is blank, too large or has wrong options', async () => {
    const page = await visit('/paste-service')
    expectValue(await sendForm(page, 'Create Paste')).toBe(400)
    await expect(page.getByRole('alert')).toHaveText('Please enter some content to paste')
    await content(page).fill(' \n\t')
    await page.getByLabel('Expiration').selectOption('168')
    await page.getByRole('checkbox', { name: /^Burn after reading/ }).check()
    expectValue(await sendForm(page, 'Create Paste')).toBe(400)
    await expect(content(page)).toHaveValue(' \n\t')
    await expect(page.getByLabel('Expiration')).toHaveValue('168')
    await expect(page.getByRole('checkbox', { name: /^Burn after reading/ })).toBeChecked()

    await content(page).fill(HOSTILE)
    await page.locator('option[value="168"]').evaluate((option: HTMLOptionElement) => {
      option.value = '<script>'
    })
    expectValue(await sendForm(page, 'Create Paste')).toBe(400)
    await expect(page.getByRole('alert')).toHaveText('Expiration must be one of 1, 6, 12, 24, 48, 168 hours')
    await expect(content(page)).toHaveValue(HOSTILE)
    await expect(page.getByLabel('Expiration')).toHaveValue('24')
  })

  test('can only be opened with script if a browser encrypted it', async () => {
    const answer = await fetch(`${site.server.origin}/api/paste`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        content: 'AAAA',
        encrypted: true,
        burnAfterReading: true,
        proofHash: 'A'.repeat(43),
      }),
    })
    const { url } = (await answer.json()) as { url: string }
    const page = await visit(new URL(url).pathname)
    await expect(page.getByText(/^Your browser decrypts this paste/)).toBeVisible()
    await expect(page.getByRole('button', { name: 'Read and delete' })).toHaveCount(0)
  })
})

describe('a form of another client', () => {
  const post = (path: string, form: Record<string, string>) => {
    const body = new FormData()
    for (const [name, value] of Object.entries(form)) body.set(name, value)
    return fetch(`${site.server.origin}${path}`, { method: 'POST', body, headers: { accept: 'text/html' } })
  }

  test.each([
    ['/api/paste/nothing/read', 'Paste not found or expired'],
    ['/api/paste/%2e%2e%2fx%00%22%3E%3Cscript%3E/read', 'Paste not found or expired'],
    ['/api/paste/nothing/delete', 'Paste not found or expired'],
    ['/api/image-share/nothing/delete', 'Image not found or expired'],
    ['/api/image-share/%2e%2e%2f%00%22%3E%3Cscript%3E/delete', 'Image not found or expired'],
  ])('%s shows a 404 page', async (path, text) => {
    const answer = await post(path, { token: '"><script>', pasteId: 'other', id: 'other' })
    expectValue([answer.status, answer.headers.get('cache-control')]).toEqual([404, 'no-store'])
    const html = await answer.text()
    expectValue(html).toContain(text)
    expectValue(html).not.toContain('"><script>')
  })

  test('may contain a paste of 1 MiB, with line breaks as browsers send them', async () => {
    const lines = `${'x'.repeat(15)}\n`.repeat(65_536)
    const sent = (text: string) => post('/api/paste', { content: text.replaceAll('\n', '\r\n') })
    expectValue((await sent(lines)).status).toBe(200)
    const tooLong = await sent(`${lines}!`)
    const html = await tooLong.text()
    expectValue(tooLong.status).toBe(413)
    expectValue(html).toContain('Pastes can be at most 1 MB')
    expectValue(html).toContain(`${lines}!</textarea>`)
    const muchTooLong = await sent(lines.repeat(3))
    expectValue(muchTooLong.status).toBe(413)
    expectValue(await muchTooLong.text()).toContain('Pastes can be at most 1 MB')
  })

  test('gets pages that nothing may store, and JSON without Accept: text/html', async () => {
    const page = await post('/api/paste', { content: 'x' })
    expectValue([page.status, page.headers.get('cache-control')]).toEqual([200, 'no-store'])
    expectValue(await page.text()).toContain('Paste created')
    const body = new FormData()
    body.set('content', 'a\r\nb')
    const answer = await fetch(`${site.server.origin}/api/paste`, { method: 'POST', body })
    const { url } = (await answer.json()) as { url: string }
    expectValue(await raw(new URL(url).pathname)).toBe('a\r\nb')
  })
})

describe('a shared image', () => {
  const choose = (page: Page, name: string, mimeType: string, buffer: Buffer) =>
    page.locator('input[type=file]').setInputFiles({ name, mimeType, buffer })

  test('is uploaded, shown and deleted', async () => {
    const page = await visit('/image-sharing')
    await choose(page, 'a.png', 'image/png', await stillImage(300, 200).png().toBuffer())
    await page.getByLabel('Expiration').selectOption('6')
    expectValue(await sendForm(page, 'Upload Image')).toBe(200)
    await expect(page.getByText('Image uploaded successfully!')).toBeVisible()
    const deletePath = pathOf(await page.getByLabel('Delete link').inputValue())
    const path = pathOf(await page.getByLabel('Image URL').inputValue())
    await page.getByRole('link', { name: 'View', exact: true }).click()
    await expect(page.getByText('5h 59m remaining')).toBeVisible()
    await expect(page.locator('main img')).toHaveJSProperty('naturalWidth', 300)

    await page.goto(deletePath, { waitUntil: 'commit' })
    expectValue(await sendForm(page, 'Delete image')).toBe(200)
    await expect(page.getByText('The image has been deleted.')).toBeVisible()
    expectValue(await statusOf(path)).toBe(404)
  })

  test('is refused with the status and the options kept', async () => {
    const page = await visit('/image-sharing')
    const alert = page.getByRole('alert')
    await page.getByLabel('Expiration').selectOption('48')
    expectValue(await sendForm(page, 'Upload Image')).toBe(400)
    await expect(alert).toHaveText('Please select an image to upload')
    await expect(page.getByLabel('Expiration')).toHaveValue('48')
    await choose(page, 'notes.txt', 'text/plain', Buffer.from('hello'))
    expectValue(await sendForm(page, 'Upload Image')).toBe(415)
    await expect(alert).toHaveText('Please select a valid image file (JPEG, PNG, GIF, or WebP)')
    await choose(page, 'broken.png', 'image/png', noiseBytes(1000))
    expectValue(await sendForm(page, 'Upload Image')).toBe(415)
    await choose(page, '"><script>.png', 'image/png', noiseBytes(5 * 1024 * 1024 + 1))
    expectValue(await sendForm(page, 'Upload Image')).toBe(413)
    await expect(alert).toHaveText('File size must be less than 5MB')
    await expect(page.getByLabel('Expiration')).toHaveValue('48')
  })
})

test('programs are searched by text and category', async () => {
  const page = await visit('/programs-we-love')
  await page.getByRole('searchbox').fill('ENCRYPT')
  // Clicks the label, which is above the radio button.
  await page
    .locator('label')
    .filter({ hasText: /^Security/ })
    .click()
  await press(page, 'Search')
  await expect(page.getByRole('article')).toHaveCount(2)
  await expect(page.getByRole('searchbox')).toHaveValue('ENCRYPT')
  await expect(page.getByRole('radio', { name: /^Security/ })).toBeChecked()
  await page.getByRole('searchbox').fill(HOSTILE)
  await press(page, 'Search')
  await expect(page.getByText('No programs match your search criteria.')).toBeVisible()
  await page.getByRole('link', { name: 'Show all programs' }).click()
  await expect(page.getByRole('article').first()).toBeVisible()
})

test('the password page says that it needs script', async () => {
  const page = await visit('/password-generator')
  await expect(page.getByText(/^This page needs JavaScript/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Generate New Password' })).toBeHidden()
  await expect(page.getByLabel('Generated password')).toBeHidden()
})

test('a form sent before scripts load leads to a page that works with script', async () => {
  const page = await site.visit('/robots.txt')
  await page.route(MODULES, (route) => route.abort())
  await page.goto('/paste-service', { waitUntil: 'commit' })
  await content(page).fill('early')
  await page.unroute(MODULES)
  await press(page, 'Create Paste')
  await expect(page.getByRole('region', { name: 'Paste created' })).toBeFocused()
  await expect(page).toHaveURL(/\/paste-service$/)
  await page.getByRole('link', { name: 'About' }).first().click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^About/)
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Paste Service')
})
