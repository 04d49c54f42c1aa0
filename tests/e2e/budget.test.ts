import { brotliCompressSync, constants } from 'node:zlib'
import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hydrated, openStage, type Stage, expect as see } from '../helpers/browser.ts'
import { json, runCommand } from '../helpers/process.ts'

/** Bytes as they are sent, gzipped where that is worth it. */
const SCRIPT = 110_000
const STYLES = 15_000
/** Bytes of a page of 250 posts, compressed as the site compresses its pages. */
const THREAD = 30_000
const POSTS = 250

const BOARD = '/dtpchan/board/technology'
let stage: Stage
let thread: string

beforeAll(async () => {
  stage = await openStage()
  const amounts = ['--threads', '1', '--comments', '205', '--pictures', '1']
  const { code, output } = await runCommand(stage.place, ['seed', ...amounts])
  if (code !== 0) throw new Error(output)
  const { threads } = await json(await fetch(`${stage.site.origin}/api/dtpchan/boards/technology/threads`))
  thread = `${BOARD}/thread/${threads[0].id}`
})
afterAll(() => stage.close())

/** Notes when a page is at rest, before anything on it can. */
const noteRest = () =>
  addEventListener('load', () => requestIdleCallback(() => performance.mark('rest')), { capture: true })

type Fetched = { path: string; beforeRest: boolean }

/** What a visitor's browser fetches who reads and touches nothing, until the page is alive. */
async function filesOf(path: string): Promise<Fetched[]> {
  const page = await stage.visit('/robots.txt')
  await page.addInitScript(noteRest)
  await page.goto(path)
  // of another form as soon as the part of the page they stand in is alive
  await page.locator('main time[title]').first().waitFor({ state: 'attached' })
  return page.evaluate(() => {
    const rest = performance.getEntriesByName('rest')[0]?.startTime ?? 0
    const files = performance.getEntriesByType('resource')
    return files.map(({ name, startTime }) => ({ path: new URL(name).pathname, beforeRest: startTime < rest }))
  })
}

const linkedStyles = (html: string) =>
  [...html.matchAll(/<link rel="stylesheet"[^>]* href="([^"]+)"/g)].map(([, href]) => href)

async function bytes(path: string): Promise<number> {
  const answer = await fetch(`${stage.site.origin}${path}`, { headers: { 'accept-encoding': 'gzip' } })
  await answer.arrayBuffer()
  return Number(answer.headers.get('content-length'))
}
const sum = async (paths: string[]) => (await Promise.all(paths.map(bytes))).reduce((all, one) => all + one, 0)

describe.each<[string, () => string]>([
  ['Home', () => '/'],
  ['a board', () => BOARD],
  ['a thread', () => thread],
])('the first load of %s', (_name, path) => {
  test('stays in its budget of script before it rests, and of styles', async () => {
    const files = await filesOf(path())
    const scripts = files.filter((file) => file.path.endsWith('.js'))
    const first = scripts.filter((file) => file.beforeRest).map((file) => file.path)
    expect(first.length).toBeGreaterThan(2)
    expect(first.length).toBeLessThan(scripts.length)
    expect(await sum(first)).toBeLessThanOrEqual(SCRIPT)

    const linked = linkedStyles(await (await fetch(`${stage.site.origin}${path()}`)).text())
    // those of the page over those of the site; none that comes when the page was seen already
    expect(linked.map((href) => href?.replace(/^.*\/|\..*$/g, ''))).toEqual(['site', path() === '/' ? 'home' : 'board'])
    expect(files.filter((file) => file.path.endsWith('.css')).map((file) => file.path)).toEqual(linked)
    expect(await sum(linked as string[])).toBeLessThanOrEqual(STYLES)
  })
})

test('the HTML of a thread of 250 posts stays in its budget', async () => {
  const html = await (await fetch(`${stage.site.origin}${thread}`)).text()
  const posts = html.match(/<article /g)?.length ?? 0
  expect(posts).toBeGreaterThanOrEqual(POSTS)
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 5,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
  }
  expect((brotliCompressSync(html, { params }).length / posts) * POSTS).toBeLessThanOrEqual(THREAD)
})

describe('before a part of the page is alive', () => {
  /** A page whose parts stay as they are in HTML until `letIn` is called. */
  async function openAsleep(path: string) {
    const page = await stage.visit('/robots.txt')
    let letIn = () => {}
    const gate = new Promise<void>((resolve) => {
      letIn = resolve
    })
    let isClosed = false
    await page.addInitScript(() => {
      window.requestIdleCallback = () => 0
    })
    await page.route('**/assets/**/*.js', async (route) => {
      if (isClosed) await gate
      await route.continue()
    })
    await page.goto(path, { waitUntil: 'commit' })
    await hydrated(page)
    isClosed = true
    return { page, letIn }
  }
  const isAlive = (page: Page, selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((element) => Object.keys(element).some((key) => key.startsWith('__reactProps')))

  test('a click on a key of a thread is done when it is', async () => {
    const { page, letIn } = await openAsleep(thread)
    await page.getByRole('button', { name: 'Reply', exact: true }).first().click()
    expect(await isAlive(page, 'article button')).toBe(false)
    letIn()
    await see(page.getByRole('dialog', { name: 'Reply to Comment' })).toBeVisible()
  })

  test('what is done before any script has come is done when it has', async () => {
    const page = await stage.visit('/robots.txt')
    let letIn = () => {}
    const gate = new Promise<void>((resolve) => {
      letIn = resolve
    })
    await page.route('**/assets/**/*.js', async (route) => {
      await gate
      await route.continue()
    })
    await page.goto(thread, { waitUntil: 'commit' })
    const volume = page.getByRole('slider', { name: 'Volume' })
    await volume.fill('0.83')
    await page.getByRole('button', { name: 'Reply', exact: true }).first().click()
    letIn()
    await see(page.getByRole('dialog', { name: 'Reply to Comment' })).toBeVisible()
    await see(volume).toHaveValue('0.83')
    await expect.poll(() => page.evaluate(() => Object.values(localStorage).join())).toContain('"volume":0.83')
  })

  test.each([
    ['on Home', '#on-air'],
    ['in the bar', 'section[aria-label="Radio player"]'],
  ])('the radio starts by the first click %s, and the volume is what it was set to', async (_name, place) => {
    const { page, letIn } = await openAsleep('/')
    const volume = page.getByRole('slider', { name: 'Volume' })
    await page.locator(place).getByRole('button', { name: 'Play', exact: true }).click()
    if (place === '#on-air') await volume.fill('0.83')
    expect(await isAlive(page, `${place} button`)).toBe(false)
    letIn()
    await see(page.locator(place).getByRole('button', { name: 'Pause', exact: true })).toBeVisible()
    if (place === '#on-air') await see(volume).toHaveValue('0.83')
  })

  test('the volume is what the mouse set it to', async () => {
    const { page, letIn } = await openAsleep('/')
    const volume = page.getByRole('slider', { name: 'Volume' })
    const before = await volume.inputValue()
    const { x, y, width, height } = (await volume.boundingBox()) ?? expect.fail('no slider')
    await page.mouse.click(x + width * 0.3, y + height / 2)
    const set = await volume.inputValue()
    expect(set).not.toBe(before)
    expect(await isAlive(page, 'section[aria-label="Radio player"] button')).toBe(false)
    letIn()
    await expect.poll(() => isAlive(page, 'section[aria-label="Radio player"] button')).toBe(true)
    await see(volume).toHaveValue(set)
    await expect.poll(() => page.evaluate(() => Object.values(localStorage).join())).toContain(`"volume":${set}`)
  })
})
