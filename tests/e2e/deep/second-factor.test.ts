import { TOTP } from 'otpauth'
import type { Page } from 'playwright'
import { afterAll, beforeAll, test } from 'vitest'
import { APPEARANCES, type BrowserSite, expect, expectAccessible, startBrowserSite } from '#tests/helpers/browser.ts'
import { someOf } from '#tests/helpers/depth.ts'
import { freePort } from '#tests/helpers/freePort.ts'
import { ADMIN } from '#tests/helpers/siteProcess.ts'

let site: BrowserSite
let siteUrl: string
beforeAll(async () => {
  // A passkey belongs to one origin, and a browser accepts localhost as a secure one.
  const port = await freePort()
  siteUrl = `http://localhost:${port}`
  site = await startBrowserSite({ PORT: String(port), SITE_URL: siteUrl })
})
afterAll(() => site.close())

async function openAccount(look?: Parameters<BrowserSite['visit']>[1]): Promise<Page> {
  const page = await site.visit(`${siteUrl}/login?next=/account`, look)
  await page.getByLabel('Email').fill(ADMIN.email)
  await page.getByLabel('Password').fill(ADMIN.password)
  await page.getByRole('button', { name: 'Login' }).click()
  return page
}

const dialog = (page: Page) => page.getByRole('dialog')
const proceed = (page: Page) => dialog(page).getByRole('button', { name: 'Continue' }).click()
async function givePassword(page: Page) {
  await dialog(page).getByLabel('Current password').fill(ADMIN.password)
  await page.keyboard.press('Enter')
}

test('an app is added with its code, asked for at the next login, and removed', async () => {
  const page = await openAccount()
  await page.getByRole('button', { name: 'Add app' }).click()
  await dialog(page).getByLabel('Current password').fill('wrong')
  // A click outside would lose what is typed.
  await page.mouse.click(3, 3)
  await proceed(page)
  await expect(dialog(page).getByRole('alert')).toHaveText('The current password is wrong')
  await givePassword(page)
  await expect(dialog(page).getByRole('img')).toBeVisible()
  const app = new TOTP({ secret: (await dialog(page).locator('code').textContent()) ?? '' })
  await expectAccessible(page)
  await dialog(page).getByLabel('Code from the app').fill('000000')
  await proceed(page)
  await expect(dialog(page).getByRole('alert')).toHaveText('The code is wrong or was used before')
  await dialog(page).getByLabel('Code from the app').fill(app.generate())
  await proceed(page)
  const codes = dialog(page).getByRole('listitem')
  await expect(codes).toHaveCount(10)
  const [recovery = '', second = ''] = await codes.allTextContents()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await dialog(page).getByRole('button', { name: 'I have saved the codes' }).click()
  await expect(page.getByText('On: logins need a code')).toBeVisible()

  const again = await openAccount()
  await expect(again.getByLabel('Login code')).toBeFocused()
  await again.getByLabel('Login code').fill('nonsense')
  await again.keyboard.press('Enter')
  await expect(again.getByRole('alert').first()).toHaveText('The code is wrong or was used before')
  await expect(again.getByLabel('Password')).toHaveValue(ADMIN.password)
  await again.getByLabel('Login code').fill(recovery)
  await again.keyboard.press('Enter')
  await expect(again.getByText('9 unused codes left')).toBeVisible()

  const sessions = again.getByRole('region', { name: 'Sessions' }).getByRole('listitem')
  await expect(sessions).toHaveCount(2)
  await expect(sessions.filter({ hasText: 'Chrome on Linux' })).toHaveCount(2)
  await again.getByRole('button', { name: 'End' }).click()
  await expect(sessions).toHaveCount(1)
  await page.reload()
  await expect(page.getByRole('main').getByRole('link', { name: 'Login' })).toBeVisible()

  await again.getByRole('button', { name: 'Remove app' }).click()
  await givePassword(again)
  await expect(again.getByRole('button', { name: 'Add app' })).toBeVisible()
  expect(second).not.toBe(recovery)
})

test.each<[string, (page: Page) => Promise<unknown>, () => string, string]>([
  ['another name', async () => {}, () => site.server.origin, 'Passkeys work only at http://localhost'],
  [
    'a browser without passkeys',
    (page) => page.addInitScript(() => Reflect.deleteProperty(window, 'PublicKeyCredential')),
    () => siteUrl,
    'Passkeys don’t work here. They need a current browser and https.',
  ],
])('says before a passkey is added why it cannot work: %s', async (_name, prepare, origin, reason) => {
  const page = await site.visit('/about')
  await prepare(page)
  await page.goto(`${origin()}/login?next=/account`)
  await page.getByLabel('Email').fill(ADMIN.email)
  await page.getByLabel('Password').fill(ADMIN.password)
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(page.getByRole('button', { name: 'Add a passkey' })).toBeDisabled()
  await expect(page.getByText(reason)).toBeVisible()
  await expectAccessible(page)
  await page.context().close()
})

test('a passkey logs in without a password', async () => {
  const page = await openAccount()
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await dialog(page).getByLabel('Name of the passkey').fill('Laptop')
  await givePassword(page)
  await dialog(page).getByRole('button', { name: 'I have saved the codes' }).click()
  await expect(page.getByText('Passkey “Laptop”')).toBeVisible()

  await page.evaluate(() => localStorage.clear())
  await page.goto(`${siteUrl}/login?next=/account`)
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await expect(page.getByText(/last used/).first()).toBeVisible()

  // The password alone is not enough any more, and a device without the passkey is refused.
  await page.evaluate(() => localStorage.clear())
  await devtools.send('WebAuthn.clearCredentials', { authenticatorId })
  await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
  await page.goto(`${siteUrl}/login?next=/account`)
  await page.getByLabel('Email').fill(ADMIN.email)
  await page.getByLabel('Password').fill(ADMIN.password)
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(page.getByLabel('Login code')).toBeVisible()
})

test.each(someOf(APPEARANCES))('the account page has no axe violation, $colorScheme', async (look) => {
  const page = await site.visit(`${siteUrl}/account`, look)
  await expectAccessible(page)
  await page.goto(`${siteUrl}/login`)
  await expectAccessible(page)
})
