import { afterAll, beforeAll, test } from 'vitest'
import { t } from '#src/i18n/t.ts'
import {
  APPEARANCES,
  type BrowserSite,
  expect,
  expectAccessible,
  PHONE,
  solveCaptcha,
  startBrowserSite,
} from '#tests/helpers/browser.ts'
import { isDeep, someOf } from '#tests/helpers/depth.ts'
import { expectVisibleFocus, pressOn } from '#tests/helpers/keyboard.ts'
import { createBoardWithThread, type SiteClient } from '#tests/helpers/siteClient.ts'

let site: BrowserSite
let path: string
let client: SiteClient

beforeAll(async () => {
  site = await startBrowserSite()
  const made = await createBoardWithThread(site.server.origin, 'Switches')
  client = made.client
  path = made.path
})
afterAll(() => site.close())

test.runIf(isDeep)('an admin turns a switch on and off with one key each', async () => {
  const page = await site.visit('/', APPEARANCES[0])
  await site.logIn(page)
  await page.goto(`${site.server.origin}/admin`)
  const control = page.getByRole('switch', { name: 'Text only' })
  await pressOn(control, 'Space')
  await expect(control).toHaveAttribute('aria-checked', 'true')
  await expect(page.getByText(t('switch.textOnly'))).toBeVisible()
  await expectAccessible(page)
  await expectVisibleFocus(control)
  await page.keyboard.press('Space')
  await expect(control).toHaveAttribute('aria-checked', 'false')
})

test.runIf(isDeep)('visitors without script read the notice', async () => {
  await client.withSwitch('read-only', async () => {
    for (const look of [...APPEARANCES, { colorScheme: 'dark', viewport: PHONE } as const]) {
      // `visit` waits for scripts on pages, but not on text files.
      const page = await site.visit('/robots.txt', { ...look, javaScriptEnabled: false })
      await page.goto(`${site.server.origin}/about`, { waitUntil: 'commit' })
      await expect(page.getByRole('status').getByText(t('switch.readOnly'))).toBeVisible()
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
    }
  })
})

test.runIf(isDeep).each(someOf(['/dtpchan', '/about', '/password-generator']))(
  'an open page shows the notice without a reload: %s',
  async (path) => {
    const page = await site.visit('/robots.txt', APPEARANCES[1])
    // The page opens its event connection a few seconds after it was loaded.
    const connected = page.waitForRequest(/site\.events/)
    await page.goto(path)
    await connected
    await client.withSwitch('uploads-off', async () => {
      await expect(page.getByText(t('switch.uploadsOff'))).toBeVisible()
      await expectAccessible(page)
    })
    await expect(page.getByText(t('switch.uploadsOff'))).toBeHidden()
  },
)

test('the browser solves a proof of work while the visitor types', async () => {
  await client.withSwitch('proof-of-work', async () => {
    const page = await site.visit(path)
    await page.getByRole('button', { name: 'Comment', exact: true }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Content').fill('proven')
    await dialog.getByLabel('Username').fill('ferrite')
    await solveCaptcha(page)
    const sent = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/comments'))
    await dialog.getByRole('button', { name: 'Post Comment' }).click()
    const body = (await sent).postDataBuffer()?.toString() ?? ''
    expect(body).toContain('name="proofOfWork"')
    await expect(page.getByText('proven')).toBeVisible()
  })
})
