import type { BrowserContextOptions, Page, Request } from 'playwright'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { type BrowserSite, expect, PHONE, startBrowserSite } from '#tests/helpers/browser.ts'
import { stillImage } from '#tests/helpers/pictures.ts'
import { ADMIN, readJson, runCommand } from '#tests/helpers/process.ts'

const BOARD = '/dtpchan/board/technology'
let site: BrowserSite
let thread: string

beforeAll(async () => {
  site = await startBrowserSite()
  const { code, output } = await runCommand(site.location, ['seed', '--threads', '1', '--comments', '40'])
  if (code !== 0) throw new Error(output)
  const { threads } = await readJson(await fetch(`${site.server.origin}/api/dtpchan/boards/technology/threads`))
  thread = `${BOARD}/thread/${threads[0].id}`
})
afterAll(() => site.close())

type Early = { page: Page; release: () => void }

/** Opens a page whose module scripts wait for `release`. */
async function withoutScripts(path: string, options?: BrowserContextOptions): Promise<Early> {
  const page = await site.visit('/robots.txt', options)
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/assets/**/*.js', async (route) => {
    await released
    await route.continue()
  })
  await page.goto(path, { waitUntil: 'commit' })
  return { page, release }
}

/** Opens a page whose hydration takes long enough to be interrupted anywhere. */
async function onSlowProcessor(path: string, options?: BrowserContextOptions): Promise<Early> {
  const page = await site.visit('/robots.txt', options)
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: 6 })
  await page.goto(path, { waitUntil: 'commit' })
  const release = () => void session.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  return { page, release }
}

const storage = (page: Page) => page.evaluate(() => Object.values(localStorage).join())
const player = (page: Page) => page.getByRole('region', { name: 'Radio player' })

/** Collects the requests to a path from now on. */
function requestsTo(page: Page, path: string): Request[] {
  const requests: Request[] = []
  page.on('request', (request) => new URL(request.url()).pathname.startsWith(path) && requests.push(request))
  return requests
}

describe.each([
  ['before any script has come', withoutScripts],
  ['while a slow processor hydrates', onSlowProcessor],
])('%s', (_name, open) => {
  test('a paste is typed with its options, and created once', async () => {
    const { page, release } = await open('/paste-service')
    const posts = requestsTo(page, '/api/paste')
    await page.getByLabel('Content', { exact: true }).fill('typed early\n')
    await page.getByLabel('Expiration').selectOption('1')
    await page.getByLabel('Language').selectOption('python')
    await page.getByLabel('Burn after reading').check()
    release()
    await page.getByRole('button', { name: 'Create Paste' }).click()
    await expect(page.getByRole('status').filter({ hasText: 'Paste created' })).toBeVisible()
    expect(posts.map((request) => request.postDataJSON())).toEqual([
      { content: 'typed early\n', expiryHours: 1, burnAfterReading: true, language: 'python' },
    ])
  })

  test('browser encryption is chosen, and its password field appears', async () => {
    const { page, release } = await open('/paste-service')
    await page.getByLabel('Encrypt in the browser').check()
    release()
    await expect(page.getByLabel('Password (optional)')).toBeVisible()
    await expect(page.getByLabel('Encrypt in the browser')).toBeChecked()
  })

  test('the login form keeps what was typed and never leaves the page', async () => {
    const { page, release } = await open('/login')
    const posts = requestsTo(page, '/login')
    await page.getByLabel('Email').fill(ADMIN.email)
    await page.getByLabel('Password').fill(ADMIN.password)
    if (open === withoutScripts) {
      await page.getByLabel('Password').press('Enter')
      await expect(page.getByRole('button', { name: 'Login', exact: true })).toBeDisabled()
    }
    release()
    await page.getByRole('button', { name: 'Login', exact: true }).click()
    await page.waitForURL('**/dtpchan')
    expect(posts.filter((request) => request.method() === 'POST')).toEqual([])
  })

  test('the drawer opens, stays open and closes', async () => {
    const { page, release } = await open('/about', { viewport: PHONE })
    const drawer = page.getByRole('dialog', { name: 'Menu' })
    await page.getByRole('button', { name: 'Menu', exact: true }).click()
    await expect(drawer.getByRole('link', { name: 'Archive' })).toBeVisible()
    release()
    await expect(player(page).getByRole('button', { name: 'Play' })).toBeEnabled()
    await expect(drawer).toBeVisible()
    await drawer.getByRole('button', { name: 'Close menu' }).click()
    await expect(drawer).toBeHidden()
  })

  test('the theme is switched once, and kept', async () => {
    const { page, release } = await open('/about', { colorScheme: 'dark' })
    await page.getByRole('button', { name: 'Switch theme' }).click()
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'light')
    release()
    await expect(player(page).getByRole('button', { name: 'Play' })).toBeEnabled()
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'light')
    expect(await storage(page)).toContain('light')
  })

  test('an image is chosen, previewed and uploaded once', async () => {
    const { page, release } = await open('/image-sharing')
    const posts = requestsTo(page, '/api/image-share')
    const buffer = await stillImage().png().toBuffer()
    await page.getByLabel('Image', { exact: true }).setInputFiles({ name: 'early.png', mimeType: 'image/png', buffer })
    await page.getByLabel('Expiration').selectOption('6')
    release()
    await expect(page.getByAltText('Preview of early.png')).toBeVisible()
    await expect(page.getByLabel('Expiration')).toHaveValue('6')
    await page.getByRole('button', { name: 'Upload Image' }).click()
    await expect(page.getByLabel('Image URL')).toBeVisible()
    expect(posts).toHaveLength(1)
  })

  test('the volume is set, and kept', async () => {
    const { page, release } = await open('/')
    const volume = player(page).getByLabel('Volume')
    await volume.fill('0.83')
    release()
    await expect(player(page).getByRole('button', { name: 'Play' })).toBeEnabled()
    await expect(volume).toHaveValue('0.83')
    await expect.poll(() => storage(page)).toContain('"volume":0.83')
  })

  test('programs are searched in a category', async () => {
    const { page, release } = await open('/programs-we-love')
    await page.getByRole('searchbox').fill('a')
    await page.getByRole('radio', { name: /^Security/ }).check({ force: true })
    release()
    await expect(page).toHaveURL(/\?q=a&category=Security$/)
    await expect(page.getByRole('searchbox')).toHaveValue('a')
    await expect(page.getByRole('radio', { name: /^Security/ })).toBeChecked()
  })

  test('the length of the password is chosen', async () => {
    const { page, release } = await open('/password-generator')
    await page.getByLabel('Password length').selectOption('16')
    release()
    await expect(page.getByLabel('Generated password')).toHaveValue(/^\S{16}$/)
    await expect(page.getByLabel('Password length')).toHaveValue('16')
  })

  test('the IRC client is chosen', async () => {
    const { page, release } = await open('/')
    await page.getByRole('radio', { name: 'irssi' }).check({ force: true })
    release()
    await expect(page.getByRole('link', { name: /^Download irssi/ })).toBeVisible()
  })

  test('a board opens by its link', async () => {
    const { page, release } = await open('/dtpchan')
    await page.getByRole('link', { name: /^View/ }).first().click()
    await page.waitForURL('**/dtpchan/board/*', { waitUntil: 'commit' })
    release()
    await expect(page.getByRole('button', { name: 'Create Thread' }).first()).toBeEnabled()
  })

  test('a thread opens by a click anywhere on its card', async () => {
    const { page, release } = await open(BOARD)
    await page
      .getByRole('article')
      .first()
      .click({ position: { x: 8, y: 8 } })
    await page.waitForURL('**/thread/*', { waitUntil: 'commit' })
    release()
    await expect(page.getByRole('button', { name: 'Comment' }).first()).toBeEnabled()
  })

  test.each([
    ['Create Thread', () => BOARD, 'Create Thread'],
    ['Comment', () => BOARD, 'Add Comment'],
    ['Comment', () => thread, 'Add Comment'],
    ['Reply', () => thread, 'Reply to Comment'],
  ])('%s waits until it can open its dialog', async (name, path, dialog) => {
    const { page, release } = await open(path())
    const button = page.getByRole('button', { name, exact: true }).first()
    if (open === withoutScripts) await expect(button).toBeDisabled()
    release()
    await button.click()
    await expect(page.getByRole('dialog', { name: dialog })).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(1)
  })

  test.each([
    ['on Home', '#on-air'],
    ['in the bar', 'section[aria-label="Radio player"]'],
  ])('Play %s waits until it can start the radio', async (_place, selector) => {
    const { page, release } = await open('/')
    const streams = requestsTo(page, '/radio/')
    const play = page.locator(selector).getByRole('button', { name: 'Play', exact: true })
    if (open === withoutScripts) await expect(play).toBeDisabled()
    release()
    await play.click()
    await expect(page.locator(selector).getByRole('button', { name: 'Pause', exact: true })).toBeVisible()
    expect(streams.filter((request) => request.url().endsWith('/stream'))).toHaveLength(1)
  })
})

test('a login asked for before hydration leads back to the programs', async () => {
  const { page, release } = await withoutScripts('/programs-we-love')
  await page.getByRole('button', { name: 'Login to Add Program' }).click()
  await expect(page.getByRole('heading', { name: 'DTPChan Admin Login' })).toBeVisible()
  release()
  await page.getByLabel('Email').fill(ADMIN.email)
  await page.getByLabel('Password').fill(ADMIN.password)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await page.waitForURL('**/programs-we-love')
  await expect(page.getByRole('button', { name: 'Add Program', exact: true })).toBeVisible()
})

test('a login form that is submitted without script shows the form again', async () => {
  const { page } = await withoutScripts('/login')
  await page.getByLabel('Email').fill(ADMIN.email)
  await page.locator('form').evaluate((form: HTMLFormElement) => form.submit())
  await page.waitForURL('/login', { waitUntil: 'commit' })
  await expect(page.getByLabel('Email')).toHaveValue('')
  await expect(page.getByRole('heading', { name: 'DTPChan Admin Login' })).toBeVisible()
})

test('a login does not lead to a page that a link names', async () => {
  const page = await site.visit('/login?next=//example.org')
  await page.getByLabel('Email').fill(ADMIN.email)
  await page.getByLabel('Password').fill(ADMIN.password)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await page.waitForURL(`${site.server.origin}/dtpchan`)
})
