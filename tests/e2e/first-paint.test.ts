import type { BrowserContextOptions, Page, Request } from 'playwright'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { type BrowserSite, expect, MODULES, PHONE, startBrowserSite, waitForHydration } from '#tests/helpers/browser.ts'
import { createDeferred } from '#tests/helpers/deferred.ts'
import { isDeep, someOf } from '#tests/helpers/depth.ts'
import { stillImage } from '#tests/helpers/sampleImages.ts'
import { ADMIN, readJson, seed } from '#tests/helpers/siteProcess.ts'

const BOARD = '/dtpchan/board/technology'
let site: BrowserSite
let thread: string

beforeAll(async () => {
  site = await startBrowserSite()
  await seed(site.location, '--threads 1 --comments 40')
  const { threads } = await readJson(await fetch(`${site.server.origin}/api/dtpchan/boards/technology/threads`))
  thread = `${BOARD}/thread/${threads[0].id}`
})
afterAll(() => site.close())

type UnhydratedPage = { page: Page; release: () => void }

/** Opens a page whose module scripts wait for `release`. */
async function openWithoutScripts(path: string, options?: BrowserContextOptions): Promise<UnhydratedPage> {
  const page = await site.visit('/robots.txt', options)
  const released = createDeferred()
  await page.route(MODULES, async (route) => {
    await released.promise
    await route.continue()
  })
  await page.goto(path, { waitUntil: 'commit' })
  return { page, release: released.resolve }
}

/** Opens a page on a slow CPU, so that a test can interrupt its hydration. */
async function openWithSlowCpu(path: string, options?: BrowserContextOptions): Promise<UnhydratedPage> {
  const page = await site.visit('/robots.txt', options)
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: 6 })
  await page.goto(path, { waitUntil: 'commit' })
  const release = () => void session.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  return { page, release }
}

const storage = (page: Page) => page.evaluate(() => Object.values(localStorage).join())
const player = (page: Page) => page.getByRole('region', { name: 'Radio player' })

/** Returns a list that collects the requests to a path. */
function requestsTo(page: Page, path: string): Request[] {
  const requests: Request[] = []
  page.on('request', (request) => new URL(request.url()).pathname.startsWith(path) && requests.push(request))
  return requests
}

describe.each(
  someOf([
    ['before scripts load', openWithoutScripts],
    ['during a slow hydration', openWithSlowCpu],
  ]),
)('%s', (_name, open) => {
  test.runIf(isDeep)('creates a paste once, with its options', async () => {
    const { page, release } = await open('/paste-service')
    const posts = requestsTo(page, '/api/paste')
    await page.getByLabel('Content', { exact: true }).fill('typed early\n')
    await page.getByLabel('Expiration').selectOption('1')
    await page.getByLabel('Language').selectOption('python')
    await page.getByLabel('Burn after reading').check()
    release()
    await waitForHydration(page)
    await page.getByRole('button', { name: 'Create Paste' }).click()
    await expect(page.getByRole('status').filter({ hasText: 'Paste created' })).toBeVisible()
    const options = { expiryHours: 1, burnAfterReading: true, language: 'python' }
    const idempotencyKey = expect.stringMatching(/^[0-9a-f]{32}$/)
    expect(posts.map((request) => request.postDataJSON())).toEqual([
      { content: 'typed early\n', ...options, idempotencyKey },
    ])
  })

  test.runIf(isDeep)('keeps the title and the text of a post', async () => {
    const { page, release } = await open(`${BOARD}/post`)
    await page.getByLabel('Title').fill('Typed early')
    await page.getByLabel('Content').fill('Before the script')
    release()
    await waitForHydration(page)
    await expect(page.getByLabel('Title')).toHaveValue('Typed early')
    await expect(page.getByLabel('Content')).toHaveValue('Before the script')
  })

  test('keeps the text of the login form and stays on the page', async () => {
    const { page, release } = await open('/login')
    const posts = requestsTo(page, '/login')
    await page.getByLabel('Email').fill(ADMIN.email)
    await page.getByLabel('Password').fill(ADMIN.password)
    if (open === openWithoutScripts) {
      await page.getByLabel('Password').press('Enter')
      await expect(page.getByRole('button', { name: 'Login', exact: true })).toBeDisabled()
    }
    release()
    await page.getByRole('button', { name: 'Login', exact: true }).click()
    await page.waitForURL('**/dtpchan')
    expect(posts.filter((request) => request.method() === 'POST')).toEqual([])
  })

  test('opens the drawer, keeps it open and closes it', async () => {
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

  test.runIf(isDeep)('switches the theme once and keeps it', async () => {
    const { page, release } = await open('/about', { colorScheme: 'dark' })
    await page.getByRole('button', { name: 'Switch theme' }).click()
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'light')
    release()
    await expect(player(page).getByRole('button', { name: 'Play' })).toBeEnabled()
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'light')
    expect(await storage(page)).toContain('light')
  })

  test.runIf(isDeep)('previews a chosen image and uploads it once', async () => {
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

  test.runIf(isDeep)('sets the volume and keeps it', async () => {
    const { page, release } = await open('/')
    const volume = player(page).getByLabel('Volume')
    await volume.fill('0.83')
    release()
    await expect(player(page).getByRole('button', { name: 'Play' })).toBeEnabled()
    await expect(volume).toHaveValue('0.83')
    await expect.poll(() => storage(page)).toContain('"volume":0.83')
  })

  test.runIf(isDeep)('searches programs in a category', async () => {
    const { page, release } = await open('/programs-we-love')
    await page.getByRole('searchbox').fill('a')
    await page.getByRole('radio', { name: /^Security/ }).check({ force: true })
    release()
    await expect(page).toHaveURL(/\?q=a&category=Security$/)
    await expect(page.getByRole('searchbox')).toHaveValue('a')
    await expect(page.getByRole('radio', { name: /^Security/ })).toBeChecked()
  })

  test.each(
    someOf([
      ['in the bar', 'section[aria-label="Radio player"]'],
      ['on the home page', '#on-air'],
    ]),
  )('Play %s waits until it can start the radio', async (_place, selector) => {
    const { page, release } = await open('/')
    const streams = requestsTo(page, '/radio/')
    const play = page.locator(selector).getByRole('button', { name: 'Play', exact: true })
    if (open === openWithoutScripts) await expect(play).toBeDisabled()
    release()
    await play.click()
    await expect(page.locator(selector).getByRole('button', { name: 'Pause', exact: true })).toBeVisible()
    await expect.poll(() => streams.filter((request) => request.url().endsWith('/stream')).length).toBe(1)
  })
})

describe('until scripts load', () => {
  test.runIf(isDeep)('offers browser encryption only once the browser can encrypt', async () => {
    const { page, release } = await openWithoutScripts('/paste-service')
    await expect(page.getByLabel('Encrypt in the browser')).toBeDisabled()
    release()
    await page.getByLabel('Encrypt in the browser').check()
    await expect(page.getByLabel('Password (optional)')).toBeVisible()
    await expect(page.getByLabel('Encrypt in the browser')).toBeChecked()
  })

  test.runIf(isDeep)('applies the chosen password length', async () => {
    const { page, release } = await openWithoutScripts('/password-generator')
    await page.getByLabel('Password length').selectOption('16')
    release()
    await expect(page.getByLabel('Generated password')).toHaveValue(/^\S{16}$/)
    await expect(page.getByLabel('Password length')).toHaveValue('16')
  })

  test.runIf(isDeep)('shows the chosen IRC client', async () => {
    const { page, release } = await openWithoutScripts('/')
    await page.getByRole('radio', { name: 'irssi' }).check({ force: true })
    release()
    await expect(page.getByRole('link', { name: /^Download irssi/ })).toBeVisible()
  })

  test.runIf(isDeep)('opens a board through its link', async () => {
    const { page, release } = await openWithoutScripts('/dtpchan')
    await page.getByRole('link', { name: /^View/ }).first().click()
    await page.waitForURL('**/dtpchan/board/*', { waitUntil: 'commit' })
    release()
    await expect(page.getByRole('button', { name: 'Create Thread' }).first()).toBeEnabled()
  })

  test.runIf(isDeep)('opens a thread through a click anywhere on its card', async () => {
    const { page, release } = await openWithoutScripts(BOARD)
    await page
      .getByRole('article')
      .first()
      .click({ position: { x: 8, y: 8 } })
    await page.waitForURL('**/thread/*', { waitUntil: 'commit' })
    release()
    await expect(page.getByRole('button', { name: 'Comment' }).first()).toBeEnabled()
  })

  test.each(
    someOf<[name: string, path: () => string, dialog: string]>([
      ['Comment', () => thread, 'Add Comment'],
      ['Create Thread', () => BOARD, 'Create Thread'],
      ['Comment', () => BOARD, 'Add Comment'],
      ['Reply', () => thread, 'Reply to Comment'],
    ]),
  )('%s is a link to its form until it can open its dialog', async (name, path, dialog) => {
    const { page, release } = await openWithoutScripts(path())
    const link = page.getByRole('link', { name, exact: true }).first()
    await expect(link).toHaveAttribute('href', /\/post(?:\?|$)/)
    release()
    await page.getByRole('button', { name, exact: true }).first().click()
    await expect(page.getByRole('dialog', { name: dialog })).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(1)
  })
})

test.runIf(isDeep)('returns to the programs after a login that began before hydration', async () => {
  const { page, release } = await openWithoutScripts('/programs-we-love')
  await page.getByRole('button', { name: 'Login to Add Program' }).click()
  await expect(page.getByRole('heading', { name: 'DTPChan Admin Login' })).toBeVisible()
  release()
  await page.getByLabel('Email').fill(ADMIN.email)
  await page.getByLabel('Password').fill(ADMIN.password)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await page.waitForURL('**/programs-we-love')
  await expect(page.getByRole('button', { name: 'Add Program', exact: true })).toBeVisible()
})

test.runIf(isDeep)('shows the login form again when it is submitted without scripts', async () => {
  const { page } = await openWithoutScripts('/login')
  await page.getByLabel('Email').fill(ADMIN.email)
  await page.locator('form').evaluate((form: HTMLFormElement) => form.submit())
  await page.waitForURL('/login', { waitUntil: 'commit' })
  await expect(page.getByLabel('Email')).toHaveValue('')
  await expect(page.getByRole('heading', { name: 'DTPChan Admin Login' })).toBeVisible()
})

test.runIf(isDeep)('does not redirect to another site after login', async () => {
  const page = await site.visit('/login?next=//example.org')
  await page.getByLabel('Email').fill(ADMIN.email)
  await page.getByLabel('Password').fill(ADMIN.password)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await page.waitForURL(`${site.server.origin}/dtpchan`)
})

/** Returns the fonts of the page that are not loaded. */
const listMissingFonts = (page: Page) =>
  page.evaluate(() => {
    const styles = [document.body, document.querySelector('.data') as Element].map((part) => getComputedStyle(part))
    const wanted = styles.map(({ fontFamily }) => fontFamily.split(',')[0]?.replaceAll('"', ''))
    const loaded = [...document.fonts].filter(({ status }) => status === 'loaded')
    return wanted.filter((name) => !loaded.some(({ family }) => family.replaceAll('"', '') === name))
  })

test('loads modules and fonts after the first paint, and paints a later visit with the fonts', async () => {
  const page = await site.visit('/robots.txt')
  const styled = createDeferred()
  await page.route('**/*.css', async (route) => {
    await styled.promise
    await route.continue()
  })
  const late: string[] = []
  page.on('request', (request) => {
    if (MODULES.test(request.url()) || request.url().endsWith('.woff2')) late.push(request.url().replace(/.*\./, ''))
  })
  await page.goto('/about', { waitUntil: 'commit' })
  // The document arrives as a whole, but browsers parse its body only with the styles.
  await expect(page.locator('link[rel=canonical]')).toBeAttached()
  await expect(page.locator('main')).toHaveCount(0)
  expect(late).toEqual([])

  styled.resolve()
  await waitForHydration(page)
  const html = page.locator('html')
  await expect(html).toHaveAttribute('data-fonts', 'loaded')
  expect(await listMissingFonts(page)).toEqual([])
  expect(late.filter((ending) => ending === 'woff2')).toHaveLength(2)
  await page.goto('/about', { waitUntil: 'commit' })
  await page.locator('main').waitFor({ state: 'attached' })
  await expect(html).not.toHaveAttribute('data-fonts')
})
