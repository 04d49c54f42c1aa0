import { afterAll, beforeAll, expect as expectValue, test } from 'vitest'
import { APPEARANCES, type BrowserSite, expect, expectAccessible, startBrowserSite } from '#tests/helpers/browser.ts'
import { isDeep, someOf } from '#tests/helpers/depth.ts'

const OWN = 'a password of my own'
let site: BrowserSite
let first: { email: string; password: string }
beforeAll(async () => {
  site = await startBrowserSite({ ADMIN_EMAIL: '', ADMIN_PASSWORD: '' })
  const [, email = '', password = ''] = /email\s+(\S+)\s+password\s+(\S+)/.exec(site.server.output()) ?? []
  first = { email, password }
})
afterAll(() => site.close())

test.runIf(isDeep)('serves the same unindexed account page to all, with a link to the login', async () => {
  const page = await site.visit('/account')
  const answer = await fetch(`${site.server.origin}/account`, { headers: { authorization: 'Bearer x' } })
  expectValue(answer.headers.get('set-cookie')).toBeNull()
  expectValue(await answer.text()).toContain('content="noindex')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Account')
  await expectAccessible(page)
  await page.getByRole('main').getByRole('link', { name: 'Login' }).click()
  await page.waitForURL('**/login?next=/account')
})

test('asks the first admin for a new password and ends the other sessions on the change', async () => {
  const other = await site.visit('/about')
  await site.logIn(other, first.email, first.password)
  await expect(other.getByText(first.email).first()).toBeVisible()

  const page = await site.visit('/login?next=/account')
  await page.getByLabel('Email').fill(first.email)
  await page.getByLabel('Password').fill(first.password)
  await page.getByRole('button', { name: 'Login' }).click()
  await page.waitForURL(({ pathname }) => pathname === '/account')
  const notice = page.getByText('Your password was generated')
  await expect(notice.getByRole('link', { name: 'Change your password' })).toHaveAttribute('href', '/account')
  await page.reload()
  await expect(notice).toBeVisible()
  await expectAccessible(page)

  const submit = page.getByRole('button', { name: 'Change Password' })
  const alert = page.getByRole('main').getByRole('alert')
  await submit.click()
  await expect(alert).toHaveText('The current and the new password are required')
  await page.getByLabel('Current password').fill('wrong')
  await page.getByLabel('New password', { exact: true }).fill(OWN)
  await page.getByLabel('New password again').fill('something else')
  await submit.click()
  await expect(alert).toHaveText('The new password is not the same in both fields')
  await page.getByLabel('New password again').fill(OWN)
  await submit.click()
  await expect(alert).toHaveText('The current password is wrong')
  await page.getByLabel('Current password').fill(first.password)
  await submit.click()
  await expect(page.getByText('Password changed')).toBeVisible()
  await expect(notice).toBeHidden()
  await expect(page.getByLabel('Current password')).toHaveValue('')

  await page.reload()
  await expect(page.getByLabel('Current password')).toBeVisible()
  await expect(notice).toBeHidden()
  await other.reload()
  await expect(other.getByText(first.email)).toHaveCount(0)
  expectValue((await page.request.post('/api/dtpchan/admin/login', { data: first })).status()).toBe(401)
})

test.runIf(isDeep).each(someOf(APPEARANCES))(
  'links the account from the top bar and the drawer, $colorScheme',
  async (look) => {
    const page = await site.visit('/', look)
    await site.logIn(page, first.email, OWN)
    // The footer has one, too.
    const link = page.getByRole('link', { name: first.email }).first()
    if (look.viewport.width < 900) await page.getByRole('button', { name: 'Menu', exact: true }).click()
    await link.click()
    await page.waitForURL(({ pathname }) => pathname === '/account')
    await expect(page.getByLabel('Current password')).toBeVisible()
    await expectAccessible(page)
  },
)
