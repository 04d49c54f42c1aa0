import { join } from 'node:path'
import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect as expectValue, test } from 'vitest'
import { openDatabase } from '#db/client.server.ts'
import { createFileStore } from '#server/core/storage/fileStore.ts'
import { addArticles } from '#tests/helpers/articles.ts'
import { type BrowserSite, DESKTOP, expect, MODULES, PHONE, startBrowserSite } from '#tests/helpers/browser.ts'
import { type TestDatabase, testDatabase } from '#tests/helpers/databases.ts'
import { isDeep } from '#tests/helpers/depth.ts'
import { stillImage } from '#tests/helpers/sampleImages.ts'
import { spawnSite } from '#tests/helpers/siteProcess.ts'

const PATH = '/today-in-tech'
const LONG = 'A headline that goes on and on '.repeat(10).trim()
const HOSTILE = '</h2><script>alert(1)</script> & "quotes"'
const BROKEN = 'b'.repeat(24)
const BROKEN_LATER = 'c'.repeat(24)

let site: BrowserSite
beforeAll(async () => {
  site = await startBrowserSite()
})
afterAll(() => site.close())

const get = (path: string) => fetch(`${site.server.origin}${path}`, { redirect: 'manual' })
const html = async (query = '') => (await get(`${PATH}${query}`)).text()
const cards = (page: Page) => page.getByRole('article')
const sources = (page: Page) => page.getByRole('navigation', { name: 'Sources' })
const pages = (page: Page) => page.getByRole('navigation', { name: 'Pages' })
const picture = (page: Page, title: string) => page.getByRole('article', { name: title }).locator('img')

/** Opens the database of the running site. */
async function withDatabase(location: TestDatabase, work: (db: Parameters<typeof addArticles>[0]) => Promise<unknown>) {
  const database = await openDatabase({ ...location, mode: 'command' })
  await work(database.db)
  await database.close()
}

/** Adds 15 articles from one source and 13 from others; two image files are missing. */
async function fill() {
  const name = `${'a'.repeat(24)}.webp`
  await createFileStore(join(site.location.dataDir, 'uploads')).put(name, await stillImage(600, 338).webp().toBuffer())
  const image = (imageId: string) => ({
    imageId,
    image: { name: `${imageId}.webp`, width: 600, height: 338 },
  })
  const rows = [
    { title: 'With a picture', ...image('a'.repeat(24)) },
    { title: 'With a lost picture', ...image(BROKEN) },
    { title: LONG },
    { title: HOSTILE, source: 'hackaday.com' },
    ...Array.from({ length: 7 }, (_, index) => ({ title: `Item ${index}` })),
    { title: 'Lost further down', ...image(BROKEN_LATER) },
    ...Array.from({ length: 4 }, (_, index) => ({ title: `Older ${index}` })),
    ...Array.from({ length: 12 }, (_, index) => ({ title: `Elsewhere ${index}`, source: `site-${index}.example` })),
  ]
  await withDatabase(site.location, (db) => addArticles(db, rows))
}

test('shows a message without articles', async () => {
  const answer = await get(PATH)
  expectValue(answer.status).toBe(200)
  const source = await answer.text()
  expectValue(source).toContain('No articles available at the moment.')
  expectValue(source).not.toContain('aria-label="Sources"')
  expectValue((await get(`${PATH}?page=2`)).status).toBe(404)
  await fill()
  // The page is cached until the running site hears of the change.
  await expectValue.poll(html).toContain('<article')
})

describe('without script', () => {
  test('renders cards, chips and page links, and no third-party resource', async () => {
    const source = await html()
    expectValue(source.match(/<article/g)).toHaveLength(12)
    expectValue(source).toContain('<h1>Today in Tech</h1>')
    expectValue(source).toContain('href="/today-in-tech/feed.atom"')
    expectValue(source).toContain('href="/today-in-tech?source=hackaday.com"')
    expectValue(source).toContain('href="/today-in-tech?page=2"')
    expectValue(source).toContain('&lt;/h2&gt;&lt;script&gt;alert(1)')
    expectValue(source).toContain(`title="${LONG}"`)
    expectValue(source).toMatch(
      /<time[^>]* dateTime="20\d\d-\d\d-\d\dT[\d:.]+Z"[^>]*>\d\d\/\d\d\/20\d\d \d\d:\d\d<\/time>/,
    )
    const pictures = source.match(/<img[^>]*>/g)?.slice(0, 12) ?? []
    for (const [index, one] of pictures.entries()) {
      expectValue(one).toMatch(/ src="\/(article\.svg|dtpchan\/uploads\/[abc]{24}\.webp)"/)
      expectValue(one).toMatch(/ width="\d+" height="\d+"/)
      expectValue(one).toContain(`loading="${index < 3 ? 'eager' : 'lazy'}"`)
    }
    expectValue(source.match(/<a[^>]* href="https:\/\/(lwn|hackaday)[^>]*>/g)).toHaveLength(12)
    for (const link of source.match(/<a[^>]* href="https:\/\/(lwn|hackaday)[^>]*>/g) ?? []) {
      expectValue(link).toContain('target="_blank" rel="noopener"')
    }
  })

  test('gives every URL a unique title and description, and no number to the first page', async () => {
    const heads = new Set<string>()
    const addresses = ['', '?page=2', '?source=lwn.net', '?page=2&source=lwn.net', '?source=hackaday.com']
    for (const query of addresses) {
      const source = await html(query)
      heads.add(/<title>(.*?)<\/title>/.exec(source)?.[1] ?? '')
      heads.add(/<meta name="description" content="(.*?)"/.exec(source)?.[1] ?? '')
    }
    expectValue(heads.size).toBe(2 * addresses.length)
    expectValue([...heads].filter((text) => text.startsWith('Today'))).toEqual(
      [
        'Today in Tech',
        'Today in Tech, page 2',
        'Today in Tech: lwn.net',
        'Today in Tech: lwn.net, page 2',
        'Today in Tech: hackaday.com',
      ].map((name) => `${name} - DTP`),
    )
    const second = await html('?page=2')
    expectValue(second).toMatch(/href="\/today-in-tech" rel="prev"/)
    expectValue(second).toContain('href="/today-in-tech?page=3"')
    const filtered = await html('?page=2&source=lwn.net')
    expectValue(filtered).toMatch(/href="\/today-in-tech\?source=lwn.net" rel="prev"/)
    expectValue(filtered).not.toContain('rel="next"')
  })

  test.each([
    '?page=0',
    '?page=4',
    '?page=abc',
    '?page=1e3',
    '?page=',
    '?page=99999999999',
    '?source=nowhere.example',
    '?source=%00',
    '?source=hackaday.com&page=2',
  ])('responds with 404 to %s', async (query) => {
    const answer = await get(`${PATH}${query}`)
    expectValue(answer.status).toBe(404)
    const source = await answer.text()
    expectValue(source).toContain('Page not found')
    expectValue(source).toContain('Back to Today in Tech')
  })
})

test.runIf(isDeep)('follows chips and page links without a full page load', async () => {
  const page = await site.visit(PATH, { colorScheme: 'dark' })
  const foreign: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(site.server.origin)) foreign.push(request.url())
  })
  await page.evaluate(() => document.body.setAttribute('data-same', ''))
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
  await pages(page).getByRole('link', { name: 'Next' }).click()
  await expect(page).toHaveURL(/\/today-in-tech\?page=2$/)
  await expect(pages(page)).toContainText('Page 2 of 3')
  await expect(page).toHaveTitle('Today in Tech, page 2 - DTP')
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0)
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await pages(page).getByRole('link', { name: 'Next' }).click()
  await expect(cards(page)).toHaveCount(4)
  await expect(pages(page).getByRole('link')).toHaveCount(1)

  const number = pages(page).getByLabel('Go to page')
  await expect(number).toHaveValue('3')
  await number.fill('2')
  await number.press('Enter')
  await expect(page).toHaveURL(/\/today-in-tech\?page=2$/)
  await expect(pages(page)).toContainText('Page 2 of 3')
  await number.fill('1')
  await pages(page).getByRole('button', { name: 'Go' }).click()
  await expect(page).toHaveURL(/\/today-in-tech$/)
  await expect(number).toHaveValue('1')

  await sources(page).getByRole('link', { name: 'lwn.net' }).click()
  await expect(page).toHaveURL(/\/today-in-tech\?source=lwn\.net$/)
  await expect(sources(page).locator('[aria-current]')).toHaveText('lwn.net')
  await expect(pages(page)).toContainText('Page 1 of 2')
  await pages(page).getByRole('link', { name: 'Next' }).click()
  await expect(page).toHaveURL(/\?page=2&source=lwn\.net$/)
  await pages(page).getByRole('link', { name: 'Previous' }).click()
  await expect(page).toHaveURL(/\/today-in-tech\?source=lwn\.net$/)
  await sources(page).getByRole('link', { name: 'All sources' }).click()
  await expect(page).toHaveURL(/\/today-in-tech$/)

  const hostile = page.getByRole('article', { name: HOSTILE })
  await hostile.getByRole('link', { name: 'hackaday.com', exact: true }).click()
  await expect(page).toHaveURL(/\?source=hackaday\.com$/)
  await expect(cards(page)).toHaveCount(1)
  await page.goBack()
  await expect(cards(page)).toHaveCount(12)
  await expect(page.locator('body[data-same]')).toHaveCount(1)

  // The whole card is a link that opens in a new tab.
  await page.context().route('https://lwn.net/**', (route) => route.fulfill({ body: 'the article' }))
  const opened = page.waitForEvent('popup')
  await page.getByRole('article', { name: 'With a picture' }).click({ position: { x: 40, y: 40 } })
  await expect(await opened).toHaveURL(/^https:\/\/lwn\.net\/article\/\d+$/)
  expectValue(foreign).toEqual([])
})

test.runIf(isDeep)('replaces an image that fails to load, before and after hydration', async () => {
  const page = await site.visit('/debauched-blog', { viewport: PHONE })
  // Browsers load lazy images that are up to 3,000 px below the viewport.
  await page.addInitScript(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync('article { margin-bottom: 400px }')
    document.adoptedStyleSheets = [sheet]
  })
  const failed = page.waitForResponse(`**/${BROKEN}.webp`)
  await page.route(MODULES, async (route) => {
    await failed
    await route.continue()
  })
  await page.goto(PATH)
  await expect(picture(page, 'With a lost picture')).toHaveAttribute('src', '/article.svg')
  await expect(picture(page, 'With a picture')).toHaveAttribute('src', /^\/dtpchan\/uploads\/a/)
  await expect(picture(page, 'With a picture')).toHaveJSProperty('naturalWidth', 600)
  // The browser has not tried to load the lazy images below the viewport yet.
  const later = picture(page, 'Lost further down')
  await expect(later).toHaveAttribute('src', `/dtpchan/uploads/${BROKEN_LATER}.webp`)
  const { height } = (await later.boundingBox()) ?? {}
  await later.scrollIntoViewIfNeeded()
  await expect(later).toHaveAttribute('src', '/article.svg')
  expectValue((await later.boundingBox())?.height).toBe(height)
  await expect(later).not.toHaveJSProperty('naturalWidth', 0)
})

test.runIf(isDeep)(
  'scrolls to the chosen chip, clamps titles to three lines and never scrolls sideways on a phone',
  async () => {
    const page = await site.visit(`${PATH}?source=site-9.example`, { viewport: PHONE, colorScheme: 'light' })
    await expect(sources(page).getByRole('link', { name: 'site-9.example' })).toBeInViewport()
    await sources(page).getByRole('link', { name: 'All sources' }).click()
    await expect(cards(page)).toHaveCount(12)
    await expect(sources(page).getByRole('link', { name: 'All sources' })).toBeInViewport()
    const title = page.getByRole('heading', { name: LONG })
    const lines = await title.evaluate((one) => one.clientHeight / Number.parseFloat(getComputedStyle(one).lineHeight))
    expectValue(Math.round(lines)).toBe(3)
    for (const width of [PHONE.width, 320, DESKTOP.width]) {
      await page.setViewportSize({ width, height: 800 })
      expectValue(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
    }
  },
)

test('announces the blog and links the news', async () => {
  const page = await site.visit('/debauched-blog', { viewport: PHONE, colorScheme: 'dark' })
  await expect(page).toHaveTitle('Debauched Blog - DTP')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Debauched Blog')
  await expect(page.getByText('Coming Soon')).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'Today in Tech' }).click()
  await expect(page).toHaveURL(/\/today-in-tech$/)
  await expect(cards(page)).toHaveCount(12)
})

test.runIf(isDeep)('responds with 503 when articles cannot be read', async () => {
  const place = await testDatabase()
  // This test expects errors, so they are not logged.
  const site = await spawnSite(place, { LOG_LEVEL: 'fatal' })
  await withDatabase(place, (db) => db.execute('alter table article rename to elsewhere'))
  const answer = await fetch(`${site.origin}${PATH}`)
  const source = await answer.text()
  await site.stop()
  await place.cleanup()
  expectValue(answer.status).toBe(503)
  expectValue(answer.headers.get('cache-control')).toBe('no-store')
  expectValue(source).toMatch(/role="alert".*Failed to load tech articles\. Please try again later\./)
  expectValue(source).toContain('<title>Today in Tech - DTP</title>')
})
