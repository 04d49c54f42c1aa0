import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listSections } from '#src/features/admin/sections.ts'
import { type BrowserSite, startBrowserSite } from '#tests/helpers/browser.ts'
import { createSiteContent, type SiteContent } from '#tests/helpers/siteContent.ts'
import { readingPages } from '#tests/helpers/states/readingPages.ts'

/** in CSS pixels, half of them for the layout */
const WIDTHS = [1920, 1280, 800]

let site: BrowserSite
let content: SiteContent
let page: Page
beforeAll(async () => {
  site = await startBrowserSite({}, { args: ['--blink-settings=defaultFontSize=32,defaultFixedFontSize=26'] })
  content = await createSiteContent(site)
  page = await site.visit('/robots.txt')
})
afterAll(() => site.close())

/** Lists up to three elements that make the page scroll sideways. */
const findWide = () => {
  const name = (one: Element) => `${one.tagName} ${one.className} ${one.getBoundingClientRect().right}`
  const isWide = (one: Element) => one.getBoundingClientRect().right > innerWidth + 1
  const scrolls = document.documentElement.scrollWidth > innerWidth
  return scrolls ? [...document.querySelectorAll('body *')].filter(isWide).slice(0, 3).map(name) : []
}

async function expectNothingWide(path: string): Promise<void> {
  await page.goto(path)
  await page.waitForFunction(() => !/Loading…/.test(document.querySelector('main')?.textContent ?? ''))
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).fontSize)).toBe('32px')
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 })
    expect.soft(await page.evaluate(findWide), `${page.url()} at ${width} px`).toEqual([])
  }
}

describe('with a font of 200 % in the settings of the browser, nothing scrolls sideways:', () => {
  test.each(readingPages)('%s', (_name, path) => expectNothingWide(path(content)))

  test('pages of an admin', async () => {
    await site.logIn(page)
    for (const path of ['/', '/account', '/go-live', ...listSections().map(({ href }) => href)]) {
      await expectNothingWide(path)
    }
  })
})
