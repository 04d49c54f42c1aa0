import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
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

describe('with a font of 200 % in the settings of the browser, nothing scrolls sideways:', () => {
  test.each(readingPages)('%s', async (_name, path) => {
    await page.goto(path(content))
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).fontSize)).toBe('32px')
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 })
      const overflow = await page.evaluate(() => {
        const wide = [...document.querySelectorAll('body *')].filter((one) => {
          const { right, width } = one.getBoundingClientRect()
          return right > innerWidth + 1 && width > 0
        })
        return document.documentElement.scrollWidth > innerWidth
          ? wide.slice(0, 3).map((one) => `${one.tagName} ${one.className} ${one.getBoundingClientRect().right}`)
          : []
      })
      expect.soft(overflow, `${page.url()} at ${width} px`).toEqual([])
    }
  })
})
