import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect as expectValue, test } from 'vitest'
import { type BrowserSite, DESKTOP, expect, expectAccessible, PHONE, startBrowserSite } from '#tests/helpers/browser.ts'
import { createDeferred } from '#tests/helpers/deferred.ts'
import { isDeep, someOf } from '#tests/helpers/depth.ts'
import { ADMIN, runCommand } from '#tests/helpers/siteProcess.ts'

const MEMBER = { email: 'member@example.org', password: 'a long password' }
const SEEN = 'What you have typed is still there'

let site: BrowserSite
beforeAll(async () => {
  site = await startBrowserSite()
})
afterAll(() => site.close())

async function users(args: string[], input = '') {
  const { code, output } = await runCommand(site.location, ['users', ...args], input)
  expect(code, output).toBe(0)
}

const bar = (page: Page) => page.getByRole('banner')

/** Ends the session on the server, as another device would. */
const endElsewhere = (page: Page) =>
  page.evaluate(async () => {
    const headers = {
      authorization: `Bearer ${localStorage.getItem('dtpchan_token')}`,
      'content-type': 'application/json',
    }
    const { status } = await fetch('/trpc/auth.logout?batch=1', { method: 'POST', headers, body: '{}' })
    if (status !== 200) throw new Error(`The logout was answered with ${status}`)
  })

/** Simulates a return to the tab. */
const returnToTab = (page: Page) => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))

async function login(page: Page, { email, password } = ADMIN) {
  const dialog = page.getByRole('dialog', { name: 'Login' })
  await dialog.getByLabel('Email').fill(email)
  await dialog.getByLabel('Password').fill(password)
  await dialog.getByRole('button', { name: 'Login' }).click()
  await expect(dialog).toBeHidden()
}

describe('a session that ended elsewhere', () => {
  test('opens the login above the rejected form, which keeps its texts', async () => {
    const page = await site.visit('/programs-we-love')
    await site.logIn(page)
    await page.getByRole('button', { name: 'Add Program' }).click()
    const form = page.getByRole('dialog', { name: 'Add New Program' })
    await form.getByLabel('Program Name').fill('Mosh')
    await form.getByLabel('Website Link').fill('https://mosh.org/')
    await form.getByLabel('Description').fill('Stays connected.')
    await form.getByLabel('Added By').fill('ada')
    await form.getByLabel('Category').selectOption({ index: 1 })
    await endElsewhere(page)
    await form.getByRole('button', { name: 'Add', exact: true }).click()
    await expect(page.getByRole('dialog', { name: 'Login' }).getByText(SEEN)).toBeVisible()
    await expect(bar(page).getByText(ADMIN.email)).toBeHidden()
    await expectAccessible(page)
    await login(page)
    await expect(form.getByLabel('Program Name')).toHaveValue('Mosh')
    await form.getByRole('button', { name: 'Add', exact: true }).click()
    await expect(form).toBeHidden()
    await expect(page.getByRole('heading', { name: 'Mosh' })).toBeVisible()
    await expect(bar(page).getByText(ADMIN.email)).toBeVisible()
  })

  test.runIf(isDeep)('leaves a page of users as it is below the login, also on the return to the tab', async () => {
    const page = await site.visit('/admin/boards')
    await site.logIn(page)
    await page.getByRole('button', { name: 'Create New Board' }).click()
    const form = page.getByRole('dialog', { name: 'Create New Board' })
    await form.getByLabel('Board Name').fill('Kept')
    await form.getByLabel('Description').fill('What was typed')
    await endElsewhere(page)
    await form.getByRole('button', { name: /^Create/ }).click()
    await expect(page.getByRole('dialog', { name: 'Login' }).getByText(SEEN)).toBeVisible()
    await login(page)
    await expect(form.getByLabel('Description')).toHaveValue('What was typed')
    await endElsewhere(page)
    await returnToTab(page)
    await login(page)
    await form.getByRole('button', { name: /^Create/ }).click()
    await expect(form).toBeHidden()
    await expect(page.getByText('/kept/', { exact: true })).toBeVisible()
    await endElsewhere(page)
    await returnToTab(page)
    await expect(page.getByRole('dialog', { name: 'Login' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('main').getByRole('link', { name: 'Login' })).toBeVisible()
    await expect(page.getByText('/kept/', { exact: true })).toHaveCount(0)
  })

  test('shows nothing of the account to another user who logs in above it', async () => {
    const other = { email: 'other@example.org', password: 'another long password' }
    await users(['add', other.email, 'member'], other.password)
    const page = await site.visit('/account')
    await site.logIn(page)
    const password = page.getByLabel('Current password')
    await password.fill('typed by the admin')
    const sessions = page.getByRole('region', { name: 'Sessions' }).getByRole('listitem')
    await expect(sessions.filter({ hasText: 'this session' })).toHaveCount(1)
    await endElsewhere(page)
    await returnToTab(page)
    await login(page, other)
    await expect(bar(page).getByText(other.email)).toBeVisible()
    await expect(password).toHaveValue('')
    await expect(sessions).toHaveCount(1)
    await expect(sessions.filter({ hasText: 'this session' })).toHaveCount(1)
  })

  test('closes the form of a user when another one logs in', async () => {
    const other = { email: 'second@example.org', password: 'another long password' }
    await users(['add', other.email, 'member'], other.password)
    const page = await site.visit('/programs-we-love')
    await site.logIn(page)
    await page.getByRole('button', { name: 'Add Program' }).click()
    const form = page.getByRole('dialog', { name: 'Add New Program' })
    await form.getByLabel('Program Name').fill('typed by the admin')
    await endElsewhere(page)
    await form.getByRole('button', { name: 'Add', exact: true }).click()
    await login(page, other)
    await expect(bar(page).getByText(other.email)).toBeVisible()
    await expect(form).toBeHidden()
    await page.getByRole('button', { name: 'Add Program' }).click()
    await expect(form.getByLabel('Program Name')).toHaveValue('')
  })

  test.each(
    someOf([
      ['in the drawer', PHONE],
      ['in the bar', DESKTOP],
    ]),
  )('is shown when the user returns to the tab, with a login %s', async (_name, viewport) => {
    const page = await site.visit('/dtpchan', { viewport })
    await site.logIn(page)
    await expect(page.getByRole('button', { name: 'Create New Board' }).first()).toBeVisible()
    await endElsewhere(page)
    await returnToTab(page)
    await expect(page.getByRole('status').getByText('Your session has ended')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Create New Board' })).toHaveCount(0)
    if (viewport === PHONE) await page.getByRole('button', { name: 'Menu', exact: true }).click()
    await expect(page.getByText('Session ended').filter({ visible: true })).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Login', exact: true }).click()
    await login(page)
    await expect(page.getByRole('button', { name: 'Create New Board' }).first()).toBeVisible()
    await expect(page.getByText('Session ended')).toHaveCount(0)
  })

  test.runIf(isDeep)('opens no login for what the page asks by itself', async () => {
    const page = await site.visit('/dtpchan')
    const [asked, ended] = [createDeferred(), createDeferred()]
    await page.route(/moderation\.waiting/, async (route) => {
      asked.resolve()
      await ended.promise
      await route.continue()
    })
    await site.logIn(page)
    await asked.promise
    await endElsewhere(page)
    const answer = page.waitForResponse(/moderation\.waiting/)
    ended.resolve()
    await (await answer).finished()
    await returnToTab(page)
    await expect(page.getByRole('status').getByText('Your session has ended')).toBeVisible()
    // The code of the dialog would be loaded first.
    await page.waitForTimeout(1000)
    await expect(page.getByRole('dialog')).toHaveCount(0)
    expectValue(await (await answer).text()).toContain('UNAUTHORIZED')
  })

  test.runIf(isDeep)('is not reported to a visitor without a session', async () => {
    const page = await site.visit('/dtpchan')
    await site.logIn(page)
    await bar(page).getByRole('button', { name: 'Log out' }).click()
    await expect(bar(page).getByText(ADMIN.email)).toBeHidden()
    await returnToTab(page)
    await expect(page.getByText('Session ended')).toHaveCount(0)
  })
})

describe('a change in another tab', () => {
  test.runIf(isDeep)('keeps the role that the server reported when the other tab stores something else', async () => {
    await users(['add', MEMBER.email, 'admin'], MEMBER.password)
    const page = await site.visit('/login')
    await site.logIn(page, MEMBER.email, MEMBER.password)
    await users(['role', MEMBER.email, 'member'])
    await returnToTab(page)
    await expect(bar(page).getByText('member', { exact: true })).toBeVisible()
    const other = await page.context().newPage()
    await other.goto('/robots.txt')
    await page.evaluate(() => addEventListener('storage', () => Object.assign(window, { stored: true })))
    await other.evaluate(() => localStorage.setItem('theme', 'light'))
    await page.waitForFunction(() => 'stored' in window)
    await expect(bar(page).getByText('member', { exact: true })).toBeVisible()
    await expect(bar(page).getByText('admin', { exact: true })).toHaveCount(0)
  })

  test('logs this tab out and in', async () => {
    const page = await site.visit('/dtpchan')
    await site.logIn(page)
    const token = await page.evaluate(() => localStorage.getItem('dtpchan_token'))
    const other = await page.context().newPage()
    await other.goto('/robots.txt')
    await other.evaluate(() => localStorage.removeItem('dtpchan_token'))
    await expect(bar(page).getByText('Session ended')).toBeVisible()
    await other.evaluate((value) => localStorage.setItem('dtpchan_token', String(value)), token)
    await expect(bar(page).getByText(ADMIN.email)).toBeVisible()
  })
})
