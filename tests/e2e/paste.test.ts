import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { describe, expect as expectValue, inject, test } from 'vitest'
import { DESKTOP, expect, PHONE, waitForHydration } from '#tests/helpers/browser.ts'
import { createDeferred } from '#tests/helpers/deferred.ts'
import { isDeep, someOf } from '#tests/helpers/depth.ts'
import {
  clipboard,
  content,
  copied,
  createButton,
  createPaste,
  get,
  site,
  startPasteSite,
  submitPasteForm,
  views,
} from '#tests/helpers/pastePages.ts'
import { ADMIN } from '#tests/helpers/siteProcess.ts'

startPasteSite()

describe.each(
  someOf([
    ['1440', DESKTOP],
    ['390', PHONE],
  ]),
)('at %s px', (_width, viewport) => {
  test('creates a paste, copies its URL, shows it and copies its text', async () => {
    const page = await site.visit('/paste-service', { viewport, ...clipboard })
    await expect(content(page)).toHaveAttribute('rows', '8')
    const box = await content(page).boundingBox()
    expectValue(box?.height ?? 0).toBeGreaterThan(150)
    const expiry = page.getByRole('combobox', { name: 'Expiration' })
    await expect(expiry.getByRole('option')).toHaveText([
      '1 hour',
      '6 hours',
      '12 hours',
      '24 hours',
      '48 hours',
      '1 week',
    ])
    await expect(expiry).toHaveValue('24')
    await expect(createButton(page)).toBeDisabled()
    await content(page).fill('  \n ')
    await createButton(page).click()
    await expect(page.getByRole('alert')).toHaveText('Please enter some content to paste')

    const url = await submitPasteForm(page, 'A few words.\n')
    expectValue(url).toMatch(new RegExp(`^${site.server.origin}/paste/[\\w-]{22}$`))
    for (const name of ['Paste URL', 'Delete link']) {
      const hidden = await page.getByRole('textbox', { name }).evaluate((field) => ({
        right: field.scrollWidth - field.clientWidth,
        below: field.scrollHeight - field.clientHeight,
      }))
      expectValue(hidden).toEqual({ right: 0, below: 0 })
    }
    await expect(page.getByRole('alert')).toBeHidden()
    await expect(content(page)).toHaveValue('')
    await page.getByRole('button', { name: 'Copy URL' }).click()
    await expect(page.getByRole('button', { name: 'Copied!' })).toBeVisible()
    await expect.poll(() => copied(page)).toBe(url)
    await expect(page.getByRole('button', { name: 'Copy URL' })).toBeVisible()

    const [view] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('link', { name: 'View' }).click(),
    ])
    await view.waitForLoadState()
    await waitForHydration(view)
    await expect(view.getByRole('heading', { level: 1 })).toHaveText('Paste')
    await expect(view.getByText('A few words.')).toBeVisible()
    for (const fact of [/^Created/, /^Expires/, '23h 59m remaining', '1 view']) {
      await expect(view.getByText(fact)).toBeVisible()
    }
    await view.getByRole('button', { name: 'Copy Content' }).click()
    await expect(view.getByRole('button', { name: 'Copied!' })).toBeVisible()
    await expect.poll(() => copied(view)).toBe('A few words.\n')
    await view.getByRole('button', { name: 'Copy URL' }).click()
    await expect.poll(() => copied(view)).toBe(url)
    await view.getByRole('link', { name: 'Back', exact: true }).click()
    await expect(view.getByRole('heading', { level: 1 })).toHaveText('Paste Service')
  })

  test('encrypts in the browser and never sends the key', async () => {
    const page = await site.visit('/paste-service', { viewport })
    const sent: string[] = []
    page.context().on('request', (request) => sent.push(request.url() + (request.postData() ?? '')))
    await page.getByRole('checkbox', { name: /^Encrypt in the browser/ }).check()
    const url = await submitPasteForm(page, 'only for you 😀')
    const [, key = ''] = url.split('#')
    expectValue(key).toMatch(/^[\w-]{43}$/)
    const reader = await site.visit(url, { viewport, ...clipboard })
    reader.context().on('request', (request) => sent.push(request.url() + (request.postData() ?? '')))
    await expect(reader.getByText('only for you 😀')).toBeVisible()
    await reader.getByRole('button', { name: 'Copy URL' }).click()
    await expect.poll(() => copied(reader)).toBe(url)
    const source = await (await get(new URL(url).pathname)).text()
    expectValue(source).not.toContain('only for you')
    await reader.reload()
    await expect(reader.getByText('only for you 😀')).toBeVisible()
    expectValue(sent.length).toBeGreaterThan(0)
    expectValue(sent.join('\n')).not.toContain(key)
    expectValue(sent.join('\n')).not.toContain('only for you')
    await reader.locator('a[data-line="1"]').click()
    await expect(reader).toHaveURL(`${url}:L1`)
  })

  test.runIf(isDeep)('does not burn a paste when the password is wrong', async () => {
    const page = await site.visit('/paste-service', { viewport })
    await page.getByRole('checkbox', { name: /^Encrypt in the browser/ }).check()
    await page.getByRole('checkbox', { name: /^Burn after reading/ }).check()
    await page.getByLabel('Password (optional)').fill('correct horse')
    const url = await submitPasteForm(page, 'for one reader')
    const keyless = await site.visit(new URL(url).pathname, { viewport })
    await keyless.getByLabel('Password').fill('correct horse')
    await keyless.getByRole('button', { name: 'Read and delete' }).click()
    await expect(keyless.getByRole('alert')).toHaveText(/^The link is incomplete/)
    const reader = await site.visit(url, { viewport })
    await expect(reader.getByRole('button', { name: 'Read and delete' })).toBeDisabled()
    await reader.getByLabel('Password').fill('wrong horse')
    await reader.getByRole('button', { name: 'Read and delete' }).click()
    await expect(reader.getByRole('alert')).toHaveText('Wrong key or password')
    await reader.getByLabel('Password').fill('correct horse')
    await reader.getByRole('button', { name: 'Read and delete' }).click()
    await expect(reader.getByText('for one reader')).toBeVisible()
    await expect(reader.getByText('This paste has been deleted.')).toBeVisible()
    await reader.reload()
    await expect(reader.getByRole('heading', { level: 1 })).toHaveText('Paste not found or expired')
    await expect(reader.getByRole('link', { name: 'Back to Paste Service' })).toBeVisible()
  })

  test('burns a paste only when the reader clicks the button', async () => {
    const page = await site.visit('/paste-service', { viewport, ...clipboard })
    await page.getByRole('checkbox', { name: /^Burn after reading/ }).check()
    const url = await submitPasteForm(page, 'read me once')
    const { pathname } = new URL(url)
    for (const init of [{}, { method: 'HEAD' }, { headers: { 'sec-purpose': 'prefetch' } }]) {
      const answer = await get(pathname, init)
      expectValue(answer.status).toBe(200)
      expectValue(await answer.text()).not.toContain('read me once')
    }
    const reader = await site.visit(url, { viewport, ...clipboard })
    await reader.getByRole('button', { name: 'Read and delete' }).click()
    await expect(reader.getByText('read me once')).toBeVisible()
    await expect(reader.getByText('1 view')).toBeVisible()
    await expect(reader.getByText(/remaining|^Expires/)).toHaveCount(0)
    await reader.getByRole('button', { name: 'Copy Content' }).click()
    await expect.poll(() => copied(reader)).toBe('read me once')
    expectValue((await get(pathname)).status).toBe(404)
  })

  test('asks before it deletes', async () => {
    const { path, deletePath } = await createPaste()
    const page = await site.visit(deletePath, { viewport })
    expectValue((await get(path)).status).toBe(200)
    await page.getByRole('button', { name: 'Delete paste' }).click()
    await expect(page.getByText('The paste has been deleted.')).toBeVisible()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Paste deleted')
    expectValue((await get(path)).status).toBe(404)
  })
})

describe('without script', () => {
  test('renders the highlighted text, and none of it in the head', async () => {
    const { path } = await createPaste({ language: 'typescript' })
    const answer = await get(path)
    const source = await answer.text()
    const head = source.slice(0, source.indexOf('</head>'))
    expectValue(head).not.toMatch(/answer|twice/)
    expectValue(head).toMatch(/<title>Paste - [^<]+<\/title>/)
    expectValue(head).toMatch(/property="og:title" content="Paste - /)
    expectValue(source).toMatch(/<span class="[^"]+"[^>]*>const ?<\/span>/)
    expectValue(source).toContain('&lt;b&gt;')
    expectValue(source).not.toMatch(/ style="/)
    expectValue(source.match(/data-line="/g)).toHaveLength(4)
    for (const at of [
      path,
      `${path}/index.pageContext.json`,
      `${path}/raw`,
      '/paste/nothing',
      `/%70aste/${path.slice(7)}`,
    ]) {
      const { headers } = await get(at)
      expectValue([at, headers.get('cache-control')]).toEqual([at, 'no-store'])
      expectValue([headers.get('x-robots-tag'), headers.get('referrer-policy')]).toEqual(['noindex', 'same-origin'])
    }
  })

  test('shows the same page for missing, expired and burnt pastes', async () => {
    const burnt = await createPaste({ burnAfterReading: true })
    await get(`/api/paste/${burnt.id}/read`, { method: 'POST' })
    for (const path of ['/paste/x', '/paste/AAAAAAAAAAAAAAAAAAAAAA', burnt.path, '/paste/%F0%9F%92%A9']) {
      const answer = await get(path)
      expectValue([path, answer.status]).toEqual([path, 404])
      const source = await answer.text()
      expectValue(source).toContain('Paste not found or expired')
      expectValue(source).not.toContain('AAAAAAAAAAAAAAAAAAAAAA')
    }
  })

  test.runIf(isDeep)('counts views of people only', async () => {
    const { id, path } = await createPaste()
    const agent = { 'user-agent': 'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)' }
    for (const [at, init] of [
      [path, { method: 'HEAD' }],
      [path, { headers: { 'sec-purpose': 'prefetch' } }],
      [path, { headers: agent }],
      [`${path}/index.pageContext.json`, {}],
      [`${path}/raw`, {}],
    ] as [string, RequestInit][]) {
      expectValue((await get(at, init)).status).toBe(200)
    }
    expectValue(await views(id)).toBe(1)
    await get(path)
    await get(path)
    expectValue(await views(id)).toBe(4)
    const page = await site.visit(path)
    await expect(page.getByText('5 views')).toBeVisible()
    await page.waitForLoadState('networkidle')
    expectValue(await views(id)).toBe(6)
  })
})

test('the text is copied byte for byte, including line ends', async () => {
  const { path } = await createPaste({ content: '\ufeffa\r\nb\rc\td  \n\n😀' })
  const page = await site.visit(path, clipboard)
  await page.getByRole('button', { name: 'Copy Content' }).click()
  await expect.poll(() => copied(page)).toBe('\ufeffa\r\nb\rc\td  \n\n😀')
})

async function leaveAndReturn(page: Page, leftAt = async () => {}) {
  await page.getByRole('link', { name: 'Home', exact: true }).first().click()
  await expect(content(page)).toHaveCount(0)
  await leftAt()
  await page.goBack()
  await expect(content(page)).toBeVisible()
}

test('keeps what is typed while its author reads another page, until it is sent or the page reloads', async () => {
  const page = await site.visit('/paste-service')
  await content(page).fill('half a thought')
  await page.getByRole('combobox', { name: 'Expiration' }).selectOption('1')
  await leaveAndReturn(page)
  await expect(content(page)).toHaveValue('half a thought')
  await expect(page.getByRole('combobox', { name: 'Expiration' })).toHaveValue('1')
  const stored = () => page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))
  expectValue(await stored()).not.toContain('half a thought')
  await createButton(page).click()
  await expect(page.getByText('Paste created')).toBeVisible()
  await leaveAndReturn(page)
  await expect(content(page)).toHaveValue('')
  await content(page).fill('gone after a reload')
  await page.reload()
  await expect(content(page)).toHaveValue('')
})

test('keeps what a user typed for them alone when they log out, until they are back', async () => {
  const page = await site.visit('/paste-service')
  await site.logIn(page)
  await content(page).fill('only mine')
  await leaveAndReturn(page)
  await expect(content(page)).toHaveValue('only mine')
  await leaveAndReturn(page, async () => {
    await page.getByRole('banner').getByRole('button', { name: 'Log out' }).click()
    await expect(page.getByRole('button', { name: 'Log out' })).toHaveCount(0)
  })
  await expect(content(page)).toHaveValue('')
  await page.getByRole('contentinfo').getByRole('link', { name: 'Login' }).click()
  await page.getByLabel('Email').fill(ADMIN.email)
  await page.getByLabel('Password').fill(ADMIN.password)
  await page.getByRole('main').getByRole('button', { name: 'Login', exact: true }).click()
  await expect(page).not.toHaveURL(/\/login/)
  await page.getByRole('button', { name: 'Tools' }).click()
  await page.getByRole('link', { name: 'Paste Service' }).click()
  await expect(content(page)).toHaveValue('only mine')
})

describe('a failed paste', () => {
  const submit = async (page: Page) => {
    await content(page).fill('some text')
    await createButton(page).click()
  }

  test('shows the error of the server or a default, and keeps the form', async () => {
    const page = await site.visit('/paste-service')
    await page.route('**/api/paste', (route) =>
      route.fulfill({ status: 418, json: { success: false, error: 'No tea' } }),
    )
    await submit(page)
    await expect(page.getByRole('alert')).toHaveText('No tea')
    await page.unroute('**/api/paste')
    await page.route('**/api/paste', (route) => route.fulfill({ status: 404, body: 'gone' }))
    await submit(page)
    await expect(page.getByRole('alert')).toHaveText('Failed to create paste')
    await page.unroute('**/api/paste')
    await expect(content(page)).toHaveValue('some text')
    await submitPasteForm(page, 'some text')
    await expect(page.getByRole('alert')).toBeHidden()
  })

  test.runIf(isDeep)('is rejected in the browser when it exceeds 1 MiB', async () => {
    const page = await site.visit('/paste-service')
    await content(page).fill('x'.repeat(1024 * 1024 + 1))
    await createButton(page).click()
    await expect(page.getByRole('alert')).toHaveText('Pastes can be at most 1 MB')
  })

  test.runIf(isDeep)('disables the button while it is being sent', async () => {
    const page = await site.visit('/paste-service')
    const released = createDeferred()
    await page.route('**/api/paste', async (route) => {
      await released.promise
      await route.continue()
    })
    await submit(page)
    await expect(page.getByRole('button', { name: 'Creating...' })).toBeDisabled()
    released.resolve()
    await expect(page.getByText('Paste created')).toBeVisible()
  })

  test.runIf(isDeep)('is not sent when the visitor leaves the page', async () => {
    const page = await site.visit('/paste-service')
    await page.route('**/api/paste', () => {})
    await submit(page)
    await expect(page.getByRole('button', { name: 'Creating...' })).toBeDisabled()
    const stopped = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/api/paste'))
    await page.getByRole('contentinfo').getByRole('link', { name: 'DTPChan' }).click()
    await stopped
  })
})

test('leaves neither URL nor content in the log or the data folder', async () => {
  const secret = 'a sentence that stands nowhere else'
  const pastes = [
    await createPaste({ content: secret }),
    await createPaste({ content: secret, burnAfterReading: true }),
  ]
  for (const { path, id, deletePath } of pastes) {
    for (const at of [
      path,
      `${path}/raw`,
      `${path}/index.pageContext.json`,
      deletePath,
      `/api/paste/${id}`,
      `${path}/x/y`,
    ])
      await get(at)
  }
  const page = await site.visit(pastes[1]?.path ?? '')
  await page.getByRole('button', { name: 'Read and delete' }).click()
  await expect(page.getByText(secret)).toBeVisible()
  const entries = await readdir(site.location.dataDir, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const stored = await Promise.all(files.map((entry) => readFile(join(entry.parentPath, entry.name))))
  if (inject('database') === 'pglite') expectValue(stored.length).toBeGreaterThan(10)
  for (const needle of [secret, ...pastes.flatMap(({ id, deletePath }) => [id, deletePath.split('token=')[1] ?? id])]) {
    expectValue(site.server.output()).not.toContain(needle)
    for (const bytes of stored) {
      expectValue(bytes.includes(needle)).toBe(false)
      if (needle !== secret) expectValue(bytes.includes(Buffer.from(needle, 'base64url'))).toBe(false)
    }
  }
})
