import type { Page } from 'playwright'
import { expect, PHONE } from '#tests/helpers/browser.ts'
import { stillImage } from '#tests/helpers/sampleImages.ts'
import { alert, fillPost, press, QUESTION, type State, solve } from './state.ts'

const dialog = (page: Page) => page.getByRole('dialog')
const png = async () => ({ name: 'a.png', mimeType: 'image/png', buffer: await stillImage(300, 200).png().toBuffer() })

/** Menus, dialogs, answers and players that visitors open. */
export const openStates: State[] = [
  [
    'the menus',
    () => '/about',
    async ({ page, check }) => {
      await page.setViewportSize(PHONE)
      await press(page, 'Menu')
      await expect(page.getByRole('dialog', { name: 'Menu' })).toBeVisible()
      await check()
      await page.keyboard.press('Escape')
      await press(page, 'Tools')
      await check()
    },
  ],
  [
    'the dialog of a thread with an error',
    ({ board }) => board,
    async ({ page, check }) => {
      await press(page, 'Create Thread')
      await dialog(page).getByRole('button', { name: 'Create Thread' }).click()
      await expect(dialog(page).getByRole('alert')).toBeVisible()
      await check()
    },
  ],
  [
    'the dialogs of posts',
    ({ thread }) => thread,
    async ({ page, check }) => {
      await press(page, 'Comment')
      await dialog(page)
        .locator('input[type=file]')
        .setInputFiles(await png())
      await fillPost(page, '999')
      await dialog(page).getByRole('button', { name: 'Post Comment' }).click()
      await expect(dialog(page).getByRole('alert')).toContainText('Wrong or expired answer')
      await check()
      await page.getByLabel('Captcha').fill(await solve(page))
      await dialog(page).getByRole('button', { name: 'Post Comment' }).click()
      await page.getByRole('button', { name: /^Delete comment No/ }).click()
      await expect(dialog(page).getByRole('button', { name: 'Delete' })).toBeVisible()
      await check()
      await page.keyboard.press('Escape')
      await press(page, 'Reply')
      await expect(dialog(page).getByText(QUESTION)).toBeVisible()
      await check()
    },
  ],
  [
    'a preview, the image viewer, the keys and the filters of a thread',
    ({ thread }) => thread,
    async ({ page, check }) => {
      await page.locator('html[data-reading]').waitFor({ state: 'attached' })
      await page
        .getByRole('main')
        .getByRole('link', { name: /^>>\d+$/ })
        .first()
        .focus()
      await expect(page.getByRole('group', { name: /^Preview of/ })).toContainText('No.')
      await check()
      await page.keyboard.press('Escape')
      await page
        .getByRole('main')
        .getByRole('link', { name: /^Full size of/ })
        .first()
        .click()
      await check()
      await press(page, 'View all')
      await expect(dialog(page)).toBeVisible()
      await check()
      await page.keyboard.press('Escape')
      await page.keyboard.press('?')
      await expect(dialog(page)).toContainText('Next post')
      await check()
      await page.keyboard.press('Escape')
      await page.keyboard.press('j')
      await page.keyboard.press('j')
      await page.keyboard.press('x')
      await expect(page.getByText(/^Hidden post No/)).toBeVisible()
      // Away from posts that the top bar covers in part.
      await page.evaluate(() => scrollTo(0, 0))
      await check()
      await press(page, 'Filters')
      await dialog(page).getByLabel('Hide posts').fill('spam*')
      await press(page, 'Add filter')
      await expect(dialog(page).getByRole('listitem')).toContainText('spam*')
      await check()
    },
  ],
  [
    'the menu of watched threads',
    ({ thread }) => thread,
    async ({ page, check }) => {
      await press(page, 'Watch')
      await page.getByRole('button', { name: 'Watched threads' }).click()
      await expect(page.getByRole('region', { name: 'Watched threads' }).getByRole('listitem')).toHaveCount(1)
      await check()
    },
  ],
  [
    'the menu of a moderator',
    ({ board }) => board,
    async ({ page, site, check }) => {
      await site.logIn(page)
      await page
        .getByRole('button', { name: /^Actions for thread/ })
        .first()
        .click()
      await check()
    },
  ],
  [
    'the dialog of a board',
    () => '/dtpchan',
    async ({ page, site, check }) => {
      await site.logIn(page)
      await press(page, 'Create New Board')
      await expect(dialog(page)).toBeVisible()
      await check()
    },
  ],
  [
    'the dialogs of programs',
    () => '/programs-we-love',
    async ({ page, site, check }) => {
      await press(page, 'Login to Add Program')
      await dialog(page).getByRole('button', { name: 'Login' }).click()
      await expect(dialog(page).getByRole('alert')).toBeVisible()
      await check()
      await site.logIn(page)
      await press(page, 'Add Program')
      await dialog(page).getByRole('button', { name: 'Add', exact: true }).click()
      await expect(dialog(page).getByRole('alert')).toBeVisible()
      await check()
      await page.keyboard.press('Escape')
      await page
        .getByRole('button', { name: /^Delete / })
        .first()
        .click()
      await expect(dialog(page)).toBeVisible()
      await check()
    },
  ],
  [
    'the dialog of a show with an error',
    () => '/radio',
    async ({ page, site, check }) => {
      await site.logIn(page)
      await press(page, 'Add show')
      await dialog(page).getByRole('button', { name: 'Add show' }).click()
      await expect(dialog(page).getByRole('alert')).toBeVisible()
      await check()
    },
  ],
  [
    'a refused, an encrypted and a created paste with its QR code',
    () => '/paste-service',
    async ({ page, check }) => {
      await page.getByRole('textbox', { name: 'Content' }).fill(' ')
      await press(page, 'Create Paste')
      await expect(alert(page)).toBeVisible()
      await page.getByRole('checkbox', { name: /^Encrypt in the browser/ }).check()
      await check()
      await page.getByRole('textbox', { name: 'Content' }).fill('text')
      await press(page, 'Create Paste')
      await expect(page.getByText('Paste created')).toBeVisible()
      await check()
      await press(page, 'QR code')
      await expect(page.getByRole('img', { name: /^QR code/ })).toBeVisible()
      await check()
    },
  ],
  [
    'a burned paste',
    ({ burning }) => burning.path,
    async ({ page, check }) => {
      await press(page, 'Read and delete')
      await expect(page.getByText('Read me once')).toBeVisible()
      await check()
    },
  ],
  [
    'a deleted paste',
    ({ code }) => code.deletion,
    async ({ page, check }) => {
      await press(page, 'Delete paste')
      await expect(page.getByText('The paste has been deleted.')).toBeVisible()
      await check()
    },
  ],
  [
    'a refused, a chosen and a shared image',
    () => '/image-sharing',
    async ({ page, check }) => {
      await press(page, 'Upload Image')
      await expect(alert(page)).toBeVisible()
      await check()
      await page.locator('input[type=file]').setInputFiles(await png())
      await expect(page.getByAltText('Preview of a.png')).toBeVisible()
      await check()
      await press(page, 'Upload Image')
      await expect(page.getByText('Image uploaded successfully!')).toBeVisible()
      await check()
    },
  ],
  [
    'a copied password',
    () => '/password-generator',
    async ({ page, check }) => {
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      // Keeps the message, which would disappear after two seconds.
      await page.evaluate(() => {
        const schedule = setTimeout
        Object.assign(window, { setTimeout: (run: () => void, ms = 0) => schedule(run, ms === 2000 ? 60_000 : ms) })
      })
      await press(page, 'Copy')
      await expect(page.getByText('Password copied to clipboard!')).toBeVisible()
      await check()
    },
  ],
  [
    'a recording in the player',
    ({ archive }) => archive,
    async ({ page, check }) => {
      await page
        .getByRole('button', { name: /^Play Broadcast/ })
        .first()
        .click()
      await expect(page.getByText(/of (4:59|5:00) heard/)).toBeVisible()
      await check()
      await press(page, 'Maximise')
      await expect(page.getByRole('button', { name: 'Restore' })).toBeFocused()
      await check()
      await press(page, 'Pause')
    },
  ],
  [
    'a refused and a sent report',
    ({ thread }) => `/report?url=${encodeURIComponent(thread)}`,
    async ({ page, check }) => {
      await page.getByLabel('Reason').selectOption('spam')
      await page.getByLabel(QUESTION).fill('99')
      await press(page, 'Send report')
      await expect(alert(page)).toBeVisible()
      await check()
      await page.getByLabel(QUESTION).fill(await solve(page))
      await press(page, 'Send report')
      await expect(page.getByText('Your report was sent.')).toBeVisible()
      await check()
    },
  ],
  [
    'a refused login',
    () => '/login',
    async ({ page, check }) => {
      await press(page, 'Login')
      await expect(alert(page)).toBeVisible()
      await check()
    },
  ],
]
