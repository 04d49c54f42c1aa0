import type { Page } from 'playwright'
import { afterAll, beforeAll, expect as expectValue, test } from 'vitest'
import { type BrowserSite, expect, expectReflow, startBrowserSite } from '#tests/helpers/browser.ts'
import { readJson, runCommand } from '#tests/helpers/siteProcess.ts'

const BOARD = '/dtpchan/board/technology'
let site: BrowserSite
let thread: string

beforeAll(async () => {
  site = await startBrowserSite()
  const amounts = ['--threads', '3', '--comments', '6', '--pictures', '1']
  const { code, output } = await runCommand(site.location, ['seed', ...amounts])
  expectValue(code, output).toBe(0)
  const { threads } = await readJson(await fetch(`${site.server.origin}/api/dtpchan/boards/technology/threads`))
  thread = `${BOARD}/thread/${threads[0].id}`
})
afterAll(() => site.close())

const click = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true }).first().click()

/** Pages, and what to do on each before it is checked. */
const views: [name: string, path: () => string, prepare?: (page: Page) => Promise<unknown>][] = [
  ['Home', () => '/'],
  ['About', () => '/about'],
  ['the archive without streamers', () => '/archive'],
  ['the idle visualiser', () => '/visualizer'],
  ['the list of boards', () => '/dtpchan'],
  ['the moderation log', () => '/dtpchan/log'],
  ['a board', () => BOARD],
  ['a thread', () => thread],
  ['news without articles', () => '/today-in-tech'],
  ['programs', () => '/programs-we-love'],
  [
    'programs without a match',
    () => '/programs-we-love',
    async (page) => {
      await page.getByRole('searchbox').fill('no such program')
      await expect(page.getByRole('status').filter({ hasText: /^0 programs/ })).toBeVisible()
    },
  ],
  ['the paste form', () => '/paste-service'],
  ['the image form', () => '/image-sharing'],
  ['the password generator', () => '/password-generator'],
  ['the blog', () => '/debauched-blog'],
  ['the report form', () => '/report'],
  ['the login form', () => '/login'],
  ['a missing page', () => '/no/such/page'],
  ['the open menu', () => '/about', click('Menu')],
  [
    'a dialog with an error',
    () => BOARD,
    async (page) => {
      await click('Create Thread')(page)
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('button', { name: 'Create Thread' }).click()
      await expect(dialog.getByRole('alert')).toBeVisible()
    },
  ],
]

test.each(views)('%s fits into 320 px and has no axe violation, in both themes', async (_name, path, prepare) => {
  const page = await site.visit(path(), { viewport: { width: 320, height: 640 } })
  await prepare?.(page)
  await expectReflow(page)
})

test('forced colours keep the choice, the tick, the current page and the focus visible', async () => {
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
