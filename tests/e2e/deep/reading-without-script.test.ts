import { afterAll, beforeAll, expect as expectValue, test } from 'vitest'
import { type BrowserSite, DESKTOP, expect, PHONE, startBrowserSite } from '#tests/helpers/browser.ts'
import { findDeadControls, findWordlessControls } from '#tests/helpers/deadControls.ts'
import { createSiteContent, type SiteContent } from '#tests/helpers/siteContent.ts'
import { readingPages } from '#tests/helpers/states/readingPages.ts'
import { visitStrictly } from '#tests/helpers/strictBrowser.ts'

const MIN_WORDS = 8
let site: BrowserSite
let content: SiteContent
beforeAll(async () => {
  site = await startBrowserSite()
  content = await createSiteContent(site)
})
// Also fails if the browser logged an error.
afterAll(() => site.close())

test('every page shows its heading and its content, and no control that does nothing', {
  timeout: 180_000,
}, async () => {
  const page = await visitStrictly(site, '/')
  for (const [name, path] of readingPages) {
    await page.goto(path(content), { waitUntil: 'commit' })
    await page.waitForLoadState()
    await expect(page.getByRole('heading', { level: 1 }), name).toBeVisible()
    const main = page.getByRole('main')
    const words = (await main.innerText()).split(/\s+/)
    expectValue(words.length, name).toBeGreaterThan(MIN_WORDS)
    await expect(main.getByText(/loading/i), name).toHaveCount(0)
    for (const viewport of [PHONE, DESKTOP]) {
      await page.setViewportSize(viewport)
      expectValue.soft([await findDeadControls(page), await findWordlessControls(page)], name).toEqual([[], []])
    }
  }
})
