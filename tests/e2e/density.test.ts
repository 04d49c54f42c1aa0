import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect as expectValue, test } from 'vitest'
import {
  type BrowserSite,
  DESKTOP,
  expect,
  expectAccessible,
  MODULES,
  PHONE,
  startBrowserSite,
} from '#tests/helpers/browser.ts'
import { isDeep, someOf } from '#tests/helpers/depth.ts'
import { createSiteClient } from '#tests/helpers/siteClient.ts'
import { readJson, seed } from '#tests/helpers/siteProcess.ts'

const BOARD = '/dtpchan/board/technology'
const TOPBAR_PX = 60

let site: BrowserSite
let thread: string
let shortThread: string

beforeAll(async () => {
  site = await startBrowserSite()
  await seed(site.location, '--threads 12 --comments 250 --pictures 1')
  const { threads } = await readJson(
    await fetch(`${site.server.origin}/api${BOARD.replace('/board/', '/boards/')}/threads`),
  )
  const bySize = threads.toSorted((a: Listed, b: Listed) => b.commentCount - a.commentCount)
  thread = `${BOARD}/thread/${bySize[0].id}`
  shortThread = `${BOARD}/thread/${bySize.at(-1).id}`
})
afterAll(() => site.close())
type Listed = { id: number; commentCount: number }

/** Opens a page as a visitor who has chosen a density. */
async function open(path: string, viewport: typeof DESKTOP, density: string): Promise<Page> {
  const page = await site.visit('/robots.txt', { viewport })
  await page.addInitScript((value) => localStorage.setItem('density', value), density)
  await page.goto(path)
  return page
}

/** Heights of comments without an image and replies, when all are laid out. */
const medianHeight = (page: Page) =>
  page.evaluate(() => {
    const plain = [...document.querySelectorAll<HTMLElement>('article[aria-label^=Comment]:not(:has(img, article))')]
    for (const comment of plain) comment.style.contentVisibility = 'visible'
    const heights = plain.map(({ offsetHeight }) => offsetHeight).toSorted((a, b) => a - b)
    return heights[Math.floor(heights.length / 2)]
  })

test.runIf(isDeep).each([
  ['comfortable', 80],
  ['compact', 56],
] as const)('a usual comment is low when %s', async (density, most) => {
  const page = await open(thread, DESKTOP, density)
  expectValue(await medianHeight(page)).toBeLessThanOrEqual(most)
})

test('the density is chosen in a thread, kept, and set before the first paint', async () => {
  const page = await site.visit(shortThread)
  await expect(page.getByRole('button', { name: '✓ comfortable' })).toBeVisible()
  await page.getByRole('button', { name: 'compact' }).click()
  await expect(page.getByRole('button', { name: '✓ compact' })).toBeVisible()
  await expectAccessible(page)
  // Without modules, only the script in the head can set it.
  await page.route(MODULES, (route) => route.abort())
  await page.goto(BOARD, { waitUntil: 'commit' })
  await expect(page.locator('html[data-density="compact"] article').first()).toBeVisible()
})

describe.each(
  someOf([
    ['on a phone', PHONE],
    ['wide', DESKTOP],
  ]),
)('%s', (name, viewport) => {
  test.runIf(isDeep)('the first threads are on the first screen', async () => {
    const page = await open(BOARD, viewport, 'compact')
    const first = await page.getByRole('article').first().boundingBox()
    expectValue(first?.y).toBeLessThan(name === 'wide' ? 250 : 300)
    const bottom = await page.evaluate(
      () => document.querySelector('#player')?.getBoundingClientRect().top ?? innerHeight,
    )
    const boxes = await Promise.all((await page.getByRole('article').all()).map((article) => article.boundingBox()))
    const shown = boxes.filter((box) => box && box.y + box.height <= bottom)
    expectValue(shown.length).toBeGreaterThanOrEqual(name === 'wide' ? 4 : 3)
    await expect(page.getByRole('main').getByRole('button', { name: 'Create Thread' })).toHaveCount(2)
    await expectAccessible(page)
  })

  test.runIf(isDeep).each(['compact', 'comfortable'])(
    'the scrollbar of a long thread is right from the start, %s',
    async (density) => {
      const page = await open(thread, viewport, density)
      const [reserved, real] = await page.evaluate(() => {
        const before = document.documentElement.scrollHeight
        const sheet = new CSSStyleSheet()
        sheet.replaceSync('article { content-visibility: visible !important }')
        document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
        const after = document.documentElement.scrollHeight
        document.adoptedStyleSheets = document.adoptedStyleSheets.slice(0, -1)
        return [before, after]
      })
      expectValue(Math.abs((reserved ?? 0) / (real ?? 1) - 1)).toBeLessThan(0.1)
    },
  )
})

test('the floating button stands in the top bar on a phone, beside its buttons', async () => {
  const page = await open(BOARD, PHONE, 'compact')
  const floating = page.getByRole('main').getByRole('button', { name: 'Create Thread' }).last()
  await expect(floating).toBeEnabled()
  for (const top of [0, 100_000]) {
    await page.evaluate((y) => scrollTo(0, y), top)
    const [isInBar, covered] = await floating.evaluate((button) => {
      const bar = document.querySelector('header') ?? document.body
      const [box, around] = [button, bar].map((element) => element.getBoundingClientRect()) as [DOMRect, DOMRect]
      const meets = ({ left, right, width }: DOMRect) => right > box.left && left < box.right && width > 0
      return [
        around.top <= box.top && box.bottom <= around.bottom,
        [...bar.querySelectorAll('a, button')].filter((other) => meets(other.getBoundingClientRect())).length,
      ]
    })
    expectValue([isInBar, covered]).toEqual([true, 0])
  }
})

test('the floating button covers nothing of the page where the window is hardly wider than it', async () => {
  const page = await open(BOARD, { width: 1024, height: 768 }, 'compact')
  const floating = page.getByRole('main').getByRole('button', { name: 'Create Thread' }).last()
  await expect(floating).toBeEnabled()
  const [button, card] = await Promise.all([
    floating.boundingBox(),
    page.getByRole('main').getByRole('article').first().boundingBox(),
  ])
  expectValue((card?.x ?? 0) + (card?.width ?? 0)).toBeLessThanOrEqual(button?.x ?? 0)
})

test.runIf(isDeep)('name, time, number and actions of a comment share a line on a phone, also in German', async () => {
  const page = await site.visit(thread, { viewport: PHONE, locale: 'de-DE' })
  await expect(page.getByRole('link', { name: 'Melden' }).first()).toBeVisible()
  const drops = await page.evaluate(() => {
    const comments = [...document.querySelectorAll<HTMLElement>('article[aria-label^="Kommentar"]')]
    const plain = comments.filter((comment) => comment.querySelector('header .nick')?.textContent === 'Anonymous')
    for (const comment of plain) comment.style.contentVisibility = 'visible'
    const topOf = (comment: Element, part: string) => comment.querySelector(part)?.getBoundingClientRect().top ?? 0
    return plain.map((comment) => Math.abs(topOf(comment, '.actions') - topOf(comment, '.by')))
  })
  expectValue(drops.length).toBeGreaterThan(5)
  expectValue(Math.max(...drops)).toBeLessThan(12)
})

test.runIf(isDeep)('ten comments of one line without replies fit on a screen when compact', async () => {
  const page = await open(thread, DESKTOP, 'compact')
  const heights = await page.evaluate(() => {
    const plain = [...document.querySelectorAll<HTMLElement>('article[aria-label^=Comment]:not(:has(img, article))')]
    for (const comment of plain) comment.style.contentVisibility = 'visible'
    const isOneLine = (comment: HTMLElement) => Number(comment.dataset.lines ?? 1) === 1
    return plain.filter(isOneLine).map(({ offsetHeight }) => offsetHeight)
  })
  expectValue(heights.length).toBeGreaterThan(10)
  const highest = heights.toSorted((a, b) => b - a)[Math.floor(heights.length / 10)] ?? 0
  expectValue(10 * highest).toBeLessThanOrEqual(DESKTOP.height - TOPBAR_PX - 72)
})

test.runIf(isDeep)('ten posts are on a screen when compact', async () => {
  const page = await open(thread, DESKTOP, 'compact')
  await page
    .locator('article[id]')
    .nth(100)
    .evaluate((post) => post.scrollIntoView({ block: 'start' }))
  const count = () =>
    page.evaluate(
      (top) =>
        [...document.querySelectorAll('article[id]')].filter((post) => {
          const head = post.querySelector('header')?.lastElementChild?.getBoundingClientRect()
          return head && head.top >= top && head.bottom <= innerHeight - 72
        }).length,
      TOPBAR_PX,
    )
  await expect.poll(count).toBeGreaterThanOrEqual(10)
})

test('a link jumps to the newest post, and a line separates posts since the last visit', async () => {
  const client = createSiteClient(site.server.origin)
  const page = await site.visit(thread)
  const read = () => page.evaluate(() => localStorage.getItem('dtpchan_visits') ?? '')
  await page.locator('html[data-reading]').waitFor({ state: 'attached' })
  await expect(page.locator('[data-new-since]')).toHaveCount(0)
  await page.getByRole('link', { name: 'Newest', exact: true }).click()
  await expect(page.locator('article[id]').last()).toBeInViewport()
  const end = await page.getByRole('link', { name: 'Newest', exact: true }).getAttribute('href')
  await expect.poll(read).toContain(`,${end?.slice(2)}]`)
  await page.goto('/about')

  const api = `/api${thread.replace('/board/', '/boards/').replace('/thread/', '/threads/')}/comments`
  const { comment } = await client.post(api, { content: 'While you were away' })
  const newest = await client.post(api, { content: 'And one more' })
  await page.goto(thread)
  await expect(page.locator('[data-new-since]')).toHaveAttribute('id', `p${comment.id}`)
  await expect(page.locator('[data-new-since]')).toHaveAttribute('data-new-since', 'New since your last visit')
  // The line stays until its posts were on screen.
  await page.getByRole('link', { name: 'Newest', exact: true }).click()
  await expect(page.locator('article[id]').last()).toBeInViewport()
  await expect.poll(read).toContain(`,${newest.comment.id}]`)
  await page.reload()
  await page.locator('html[data-reading]').waitFor({ state: 'attached' })
  await expect(page.locator('[data-new-since]')).toHaveCount(0)
})

// The browser clips what leaves a comment far from the end, because it does not lay it out while it is out of view.
test('shows the whole button that hides a comment of a long thread on a phone', async () => {
  const page = await open(thread, PHONE, 'comfortable')
  await page.locator('html[data-reading]').waitFor({ state: 'attached' })
  await page.locator('.comment').nth(3).locator('.text').first().hover()
  const hide = page.getByRole('button', { name: /^Hide No/ })
  await expect(hide).toBeVisible()
  const isHit = await hide.evaluate((button) => {
    const { left, top, width } = button.getBoundingClientRect()
    return document.elementFromPoint(left + width / 2, top + 2) === button
  })
  expectValue(isHit).toBe(true)
})

test.runIf(isDeep)('draws no line above comments if its reader has read none of them', async () => {
  const page = await site.visit(thread)
  const [threadId, first] = await page
    .locator('main article[id]')
    .evaluateAll((posts) => posts.slice(0, 2).map(({ id }) => Number(id.slice(1))))
  for (const [read, lines] of [
    [threadId, 0],
    [first, 1],
  ] as const) {
    await page.evaluate((visit) => localStorage.setItem('dtpchan_visits', JSON.stringify([visit])), [threadId, read])
    await page.reload()
    await page.locator('html[data-reading]').waitFor({ state: 'attached' })
    await expect(page.locator('.comment[data-new-since]')).toHaveCount(lines)
  }
})
