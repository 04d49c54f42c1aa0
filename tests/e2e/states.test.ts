import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect as expectValue, test } from 'vitest'
import {
  type BrowserSite,
  expect,
  expectAccessibleInAllLooks,
  MODULES,
  startBrowserSite,
} from '#tests/helpers/browser.ts'
import { isDeep, someOf } from '#tests/helpers/depth.ts'
import { createSiteContent, type SiteContent } from '#tests/helpers/siteContent.ts'
import { openStates } from '#tests/helpers/states/openStates.ts'
import { readingPages } from '#tests/helpers/states/readingPages.ts'
import { servedAnswers } from '#tests/helpers/states/servedAnswers.ts'

let site: BrowserSite
let content: SiteContent
/** Shared by most tests: each new context would start a renderer, which compiles all scripts again. */
let shared: Page

beforeAll(async () => {
  site = await startBrowserSite()
  content = await createSiteContent(site)
  shared = await site.visit('/robots.txt')
})
afterAll(() => site.close())

/** Opens a page without what earlier tests stored. */
async function openAsNewVisitor(path: string): Promise<Page> {
  await shared.goto('/robots.txt')
  await shared.context().clearCookies()
  await shared.context().clearPermissions()
  await shared.evaluate(() => {
    localStorage.clear()
    sessionStorage.clear()
  })
  await shared.goto(path)
  return shared
}

describe('has no axe violation, fits into zoomed windows and stands still', () => {
  test.each(someOf(readingPages))('%s', async (_name, path) => {
    await expectAccessibleInAllLooks(await openAsNewVisitor(path(content)))
  })

  test.each(someOf(openStates))('%s', async (_name, path, open) => {
    const page = await openAsNewVisitor(path(content))
    await open({ page, site, content, check: () => expectAccessibleInAllLooks(page) })
  })

  test.each(someOf(servedAnswers))('%s, before scripts load', async (_name, path, open) => {
    const page = await site.visit('/robots.txt')
    await page.route(MODULES, (route) => route.abort())
    await page.goto(path(content), { waitUntil: 'commit' })
    const check = async () => {
      await page.waitForLoadState()
      await expectAccessibleInAllLooks(page)
    }
    await open({ page, site, content, check })
  })
})

test.runIf(isDeep)('forced colours keep the choice, the tick, the current page and the focus visible', async () => {
  const page = await site.visit('/programs-we-love', { forcedColors: 'active' })
  const colours = (chip: string) =>
    page.locator('label', { has: page.getByRole('radio', { name: chip }) }).evaluate((element) => {
      const { backgroundColor, color } = getComputedStyle(element)
      return { backgroundColor, color }
    })
  const [chosen, other] = [await colours('All Categories'), await colours('Development')]
  expectValue(chosen.backgroundColor).not.toBe(other.backgroundColor)
  expectValue(chosen.color).not.toBe(chosen.backgroundColor)

  await page.goto('/paste-service')
  const box = page.getByRole('checkbox', { name: 'Burn after reading' })
  await expect(box).toHaveCSS('appearance', 'auto')
  await box.focus()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Shift+Tab')
  expectValue(await box.evaluate((element) => getComputedStyle(element).outlineStyle)).toBe('solid')

  await page.goto('/about')
  const line = await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: 'About' })
    .evaluate((element) => [
      getComputedStyle(element, '::after').backgroundColor,
      getComputedStyle(document.body).backgroundColor,
    ])
  expectValue(line[0]).not.toBe(line[1])
})
