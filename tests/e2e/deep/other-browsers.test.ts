import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { solveQuestion } from '#tests/helpers/apiCalls.ts'
import { type BrowserSite, expect, PHONE, startBrowserSite } from '#tests/helpers/browser.ts'
import { player } from '#tests/helpers/player.ts'
import { seed } from '#tests/helpers/siteProcess.ts'

const BOARD = '/dtpchan/board/technology'
const QUESTION = /^What is \d+ [+−×] \d+\?$/

let site: BrowserSite
let thread: string
beforeAll(async () => {
  site = await startBrowserSite()
  await seed(site.location, '--threads 6 --comments 20 --pictures 12')
  const { threads } = await (await fetch(`${site.server.origin}/api/dtpchan/boards/technology/threads`)).json()
  thread = `${BOARD}/thread/${threads[0].id}`
})
afterAll(() => site.close())

/** Opens a page in a browser that `change` turns into another one. */
async function visitAs(change: () => void, path: string, options?: Parameters<BrowserSite['visit']>[1]): Promise<Page> {
  const page = await site.visit('/robots.txt', options)
  await page.addInitScript(change)
  await page.goto(path)
  return page
}

describe('where focus does not scroll', () => {
  function focusWithoutScroll() {
    const { focus } = HTMLElement.prototype
    HTMLElement.prototype.focus = function (this: HTMLElement) {
      focus.call(this, { preventScroll: true })
    }
  }

  test('a new paste is shown from its first line', async () => {
    const page = await visitAs(focusWithoutScroll, '/paste-service', { viewport: { width: 1280, height: 720 } })
    await page.getByLabel('Content', { exact: true }).fill('text')
    const button = page.getByRole('button', { name: 'Create Paste' })
    await button.evaluate((element) => element.scrollIntoView({ block: 'center' }))
    await button.click()
    const first = page.getByText('Paste created')
    await expect(first).toBeInViewport()
    expect(await first.evaluate((line) => line.getBoundingClientRect().top)).toBeGreaterThan(60)
    await expect(page.getByRole('button', { name: 'Copy delete link' })).toBeInViewport()
  })

  test('a refused field is shown with its label', async () => {
    const page = await visitAs(focusWithoutScroll, `${BOARD}/post`, { viewport: PHONE })
    await page.getByLabel('Content').fill('Without a title')
    await page.getByRole('button', { name: 'Create Thread' }).click()
    await expect(page.getByLabel('Title')).toBeFocused()
    for (const part of [page.getByLabel('Title'), page.getByText('Title', { exact: true })]) {
      await expect(part).toBeInViewport({ ratio: 1 })
    }
  })

  test('a message in the place of a form is shown', async () => {
    const page = await visitAs(focusWithoutScroll, '/report', { viewport: { width: 390, height: 500 } })
    await page.getByLabel('URL').fill(thread)
    await page.getByLabel('Reason').selectOption('Spam or advertising')
    const captcha = page.getByLabel(QUESTION)
    const question = (await page.getByText(QUESTION).textContent()) ?? ''
    await captcha.fill(String(solveQuestion(question)))
    await page.getByRole('button', { name: /report/i }).click()
    await expect(page.getByRole('main').getByRole('status').last()).toBeInViewport()
  })
})

test('the player works without BroadcastChannel', async () => {
  const page = await visitAs(() => {
    Object.assign(window, {
      BroadcastChannel: function Blocked() {
        throw new DOMException('The operation is insecure.', 'SecurityError')
      },
    })
  }, '/about')
  await expect(player(page).getByText('Carrier Wave')).toBeVisible()
  await page.keyboard.press('m')
  await expect(player(page).getByRole('button', { name: 'Unmute' })).toBeVisible()
})

describe('without closedby', () => {
  function removeClosedBy() {
    Reflect.deleteProperty(HTMLDialogElement.prototype, 'closedBy')
    const { setAttribute } = Element.prototype
    Element.prototype.setAttribute = function (this: Element, name: string, value: string) {
      if (name !== 'closedby') setAttribute.call(this, name, value)
    }
  }

  async function openLogin() {
    const page = await visitAs(removeClosedBy, '/programs-we-love')
    await page.getByRole('button', { name: 'Login to Add Program' }).click()
    const dialog = page.getByRole('dialog', { name: 'Login' })
    await expect(dialog).toBeVisible()
    const { x = 0, y = 0 } = (await dialog.boundingBox()) ?? {}
    return { page, dialog, x, y }
  }

  test('a click outside a dialog closes it, and a click in its padding does not', async () => {
    const { page, dialog, x, y } = await openLogin()
    await page.mouse.click(x + 4, y + 4)
    await expect(dialog).toBeVisible()
    await page.mouse.click(x - 40, y + 40)
    await expect(dialog).toBeHidden()
  })

  test('a press that only ends outside, or a dialog with text, keeps it open', async () => {
    const { page, dialog, x, y } = await openLogin()
    await page.mouse.move(x + 40, y + 20)
    await page.mouse.down()
    await page.mouse.move(x - 40, y + 20)
    await page.mouse.up()
    await expect(dialog).toBeVisible()
    await dialog.getByLabel('Email').fill('ada@example.org')
    await page.mouse.click(x - 40, y + 40)
    await expect(dialog).toBeVisible()
  })
})

test('a page from the back/forward cache is where the visitor left it', async () => {
  const page = await site.visit(thread)
  const position = await page.evaluate(() => {
    scrollTo(0, 900)
    dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))
    scrollTo(0, 0)
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
    return scrollY
  })
  expect(position).toBe(900)
})

test('a theme that is chosen in one tab applies in all tabs', async () => {
  const page = await site.visit('/about', { colorScheme: 'dark' })
  const other = await page.context().newPage()
  await other.goto('/')
  await page.getByRole('button', { name: 'Switch theme' }).click()
  await expect(other.locator('html')).toHaveAttribute('data-theme', 'light')
  // While a page is in the back/forward cache, it gets no event.
  await other.evaluate(() => {
    localStorage.setItem('theme', 'dark')
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
  })
  await expect(other.locator('html')).toHaveAttribute('data-theme', 'dark')
})

test('a chip that is too narrow for its text keeps its words whole', async () => {
  const page = await site.visit('/programs-we-love')
  const lines = await page.locator('fieldset label', { hasText: 'Development' }).evaluate((label) => {
    if (label instanceof HTMLElement) label.style.width = `${label.getBoundingClientRect().width - 4}px`
    const text = [...label.childNodes].find(({ nodeValue }) => nodeValue === 'Development')
    const word = document.createRange()
    if (text) word.selectNodeContents(text)
    return word.getClientRects().length
  })
  expect(lines).toBe(1)
})

test('hidden tables are in elements that every browser can clip', async () => {
  const page = await site.visit('/admin')
  await site.logIn(page)
  await expect(page.getByRole('table')).toHaveCount(1)
  const displays = await page
    .locator('.visually-hidden')
    .evaluateAll((elements) =>
      elements.map((element) => getComputedStyle(element).display).filter((display) => display.startsWith('table')),
    )
  expect(displays).toEqual([])
  const { width, height } = (await page.locator('.visually-hidden:has(table)').boundingBox()) ?? {}
  expect([width, height]).toEqual([1, 1])
})

test('no SVG has a gradient as its mask, which WebKit smears', async () => {
  for (const path of ['/', '/dtpchan']) {
    const page = await site.visit(path)
    const masks = await page
      .locator('svg')
      .evaluateAll((elements) => elements.map((svg) => getComputedStyle(svg).maskImage))
    expect(masks.filter((mask) => mask.includes('url('))).not.toEqual([])
    expect(masks.filter((mask) => mask.includes('gradient'))).toEqual([])
  }
})

test('the time of day is readable over the highest level', async () => {
  const page = await site.visit('/robots.txt', { timezoneId: 'UTC' })
  await page.clock.setFixedTime(new Date('2026-11-20T20:05:00Z'))
  await page.goto('/')
  const [label, behind] = await page
    .getByText('20:10 UTC')
    .or(page.getByText('20:05 UTC'))
    .evaluate((text) => {
      const [own, body] = [text, document.body].map((element) => getComputedStyle(element).backgroundColor)
      return [own, body]
    })
  expect(label).toBe(behind)
  expect(label).toMatch(/^rgb\(/)
})

test('links of posts are at least 24 px high on a phone', async () => {
  for (const path of [thread, BOARD, '/dtpchan/all']) {
    const page = await site.visit(path, { viewport: PHONE })
    const heights = await page
      .locator('article header a, article footer a, article p[class*=board] a')
      .evaluateAll((links) => links.map((link) => link.getBoundingClientRect().height))
    expect(heights.length).toBeGreaterThan(5)
    expect(Math.min(...heights)).toBeGreaterThanOrEqual(24)
  }
})
