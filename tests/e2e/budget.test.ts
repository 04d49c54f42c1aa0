import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BrowserSite, startBrowserSite } from '#tests/helpers/browser.ts'
import { someOf } from '#tests/helpers/depth.ts'
import { readJson, seed } from '#tests/helpers/siteProcess.ts'

/** Limits the transfer size of a page's scripts and styles (gzipped where the server compresses them). */
const MAX_SCRIPT_BYTES = 122_400
/** Limits a thread's scripts together with those that it loads when it is idle. */
const MAX_IDLE_SCRIPT_BYTES = 138_900
const MAX_STYLE_BYTES = 16_900
const MAX_SCRIPTS = 10
/** Limits the images in a page's styles. */
const MAX_SVG_IMAGES = 2
/** Limits the HTML of a page with 250 posts, compressed with Brotli. */
const MAX_THREAD_BYTES = 25_000
const POSTS = 250

const BOARD = '/dtpchan/board/technology'
let site: BrowserSite
let thread: string

beforeAll(async () => {
  site = await startBrowserSite()
  await seed(site.location, '--threads 1 --comments 216 --pictures 1')
  const { threads } = await readJson(await fetch(`${site.server.origin}/api/dtpchan/boards/technology/threads`))
  thread = `${BOARD}/thread/${threads[0].id}`
})
afterAll(() => site.close())

/** Marks the first idle moment after React took over the page. The page's own idle callbacks run after this one. */
function markIdle() {
  const isHydrated = () =>
    Object.keys(document.querySelector('main') ?? {}).some((key) => key.startsWith('__reactProps'))
  const check = () => void (isHydrated() ? performance.mark('rest') : requestIdleCallback(check))
  requestIdleCallback(check)
}

type FetchedFile = { path: string; beforeIdle: boolean }

/** Lists the files that the browser fetches until hydration, without any interaction. */
async function listFetchedFiles(path: string): Promise<FetchedFile[]> {
  const page = await site.visit('/robots.txt')
  await page.addInitScript(markIdle)
  await page.goto(path)
  // Waits for hydration, which adds a title to each `<time>`.
  const times = page.locator('main time')
  if ((await times.count()) > 0) await page.locator('main time[title]').first().waitFor({ state: 'attached' })
  await page.waitForFunction(() => performance.getEntriesByName('rest').length > 0)
  return page.evaluate(() => {
    const [{ startTime: rest }] = performance.getEntriesByName('rest') as [PerformanceEntry]
    const files = performance.getEntriesByType('resource')
    return files.map(({ name, startTime }) => ({ path: new URL(name).pathname, beforeIdle: startTime < rest }))
  })
}

const linkedStyles = (html: string) =>
  [...html.matchAll(/<link rel="stylesheet"[^>]* href="([^"]+)"/g)].map(([, href]) => href)

async function transferSize(path: string): Promise<number> {
  const answer = await fetch(`${site.server.origin}${path}`, { headers: { 'accept-encoding': 'gzip' } })
  await answer.arrayBuffer()
  return Number(answer.headers.get('content-length'))
}
const totalTransferSize = async (paths: string[]) =>
  (await Promise.all(paths.map(transferSize))).reduce((all, one) => all + one, 0)

describe.each<[string, () => string]>([
  ['Home', () => '/'],
  ['a board', () => BOARD],
  ['a thread', () => thread],
])('the first load of %s', (_name, path) => {
  test('stays within the script and style budgets', async () => {
    const files = await listFetchedFiles(path())
    const scripts = files.filter((file) => file.path.endsWith('.js'))
    const first = scripts.filter((file) => file.beforeIdle).map((file) => file.path)
    expect(first.length).toBeGreaterThan(2)
    expect(await totalTransferSize(first)).toBeLessThanOrEqual(MAX_SCRIPT_BYTES)

    const html = await (await fetch(`${site.server.origin}${path()}`)).text()
    // The browser must not load modules and fonts before the first paint.
    expect(html.match(/<script src="(?!\/assets\/early-\w+\.js)| rel="modulepreload"|as="font"/)).toBeNull()
    const linked = linkedStyles(html)
    // The HTML links the site's stylesheet, then the page's. The browser must load no others.
    expect(linked.map((href) => href?.replace(/^.*\/|\..*$/g, ''))).toEqual(['site', path() === '/' ? 'home' : 'board'])
    expect(files.filter((file) => file.path.endsWith('.css')).map((file) => file.path)).toEqual(linked)
    expect(await totalTransferSize(linked as string[])).toBeLessThanOrEqual(MAX_STYLE_BYTES)

    // Chromium makes a document for each.
    const styles = await Promise.all(linked.map(async (href) => (await fetch(site.server.origin + href)).text()))
    expect(styles.join('').match(/data:image\/svg/g)?.length ?? 0).toBeLessThanOrEqual(MAX_SVG_IMAGES)
  })
})

test.each<[string, () => string]>(
  someOf([
    ['a thread', () => thread],
    ['Home', () => '/'],
    ['the archive', () => '/archive'],
    ['a board', () => BOARD],
    ['the programs', () => '/programs-we-love'],
    ['pastes', () => '/paste-service'],
    ['image sharing', () => '/image-sharing'],
    ['the list of boards', () => '/dtpchan'],
    ['the login page', () => '/login'],
  ]),
)('%s requests at most ten scripts before its first idle moment', async (_name, path) => {
  const files = await listFetchedFiles(path())
  const scripts = files.filter((file) => file.beforeIdle && file.path.endsWith('.js')).map((file) => file.path)
  expect(scripts.length, scripts.join('\n')).toBeLessThanOrEqual(MAX_SCRIPTS)
})

test('reads events and what plays with few scripts, and without the client for other calls', async () => {
  const page = await site.visit('/robots.txt')
  const scripts: Promise<{ path: string; code: string }>[] = []
  page.on('response', (response) => {
    const path = new URL(response.url()).pathname
    if (path.endsWith('.js')) scripts.push(response.text().then((code) => ({ path, code })))
  })
  const asked = [/\/trpc\/site\.events/, /\/api\/radio\/nowplaying\//].map((url) => page.waitForRequest(url))
  await page.goto(thread)
  await Promise.all(asked)
  // The button that watches the thread comes with the scripts of an idle page.
  await page.locator('#watch button').first().waitFor()
  const loaded = await Promise.all(scripts)
  const serializers = loaded.filter(({ code }) => code.includes('registerCustom'))
  expect([loaded.length > 10, serializers.length]).toEqual([true, 0])
  expect(await totalTransferSize(loaded.map(({ path }) => path))).toBeLessThanOrEqual(MAX_IDLE_SCRIPT_BYTES)
})

test.each(['/dtpchan', '/archive', '/programs-we-love', '/login', '/paste-service'])(
  '%s loads no styles of the admin area',
  async (path) => {
    const styles = linkedStyles(await (await fetch(`${site.server.origin}${path}`)).text())
    expect(styles.join()).toMatch(/\/site\./)
    expect(styles.join()).not.toMatch(/\/(?:admin|moderation)\./)
  },
)

test('keeps the HTML of a thread of 250 posts within its budget', async () => {
  const html = await (await fetch(`${site.server.origin}${thread}`)).text()
  const posts = html.match(/<article /g)?.length ?? 0
  expect(posts).toBeGreaterThanOrEqual(POSTS)
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 5,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
  }
  expect((brotliCompressSync(html, { params }).length / posts) * POSTS).toBeLessThanOrEqual(MAX_THREAD_BYTES)
})

test('sends the posts of a thread as HTML, and not again as data', async () => {
  const html = await (await fetch(`${site.server.origin}${thread}`)).text()
  const texts = [...html.matchAll(/<div class=text><p>([^<&/]{20,})<\/p>/g)].flatMap(([, text = '']) => text)
  expect(texts.length).toBeGreaterThan(50)
  const [, data = ''] = /<script id="vike_pageContext"[^>]*>([^<]*)/.exec(html) ?? []
  expect(data).toContain('"newestId"')
  expect(texts.filter((text) => data.includes(text))).toEqual([])
})

test('no script contains the schemas of the contracts', async () => {
  const folder = join(import.meta.dirname, '../../dist/current/client/assets')
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.js'))
  expect(names.length).toBeGreaterThan(50)
  const withSchemas = await Promise.all(
    names.map(async (name) => (await readFile(join(folder, name), 'utf8')).includes('ZodString') && name),
  )
  expect(withSchemas.filter(Boolean)).toEqual([])
})
