import { afterAll, beforeAll, test } from 'vitest'
import { APPEARANCES, type BrowserSite, expect, expectAccessible, startBrowserSite } from '#tests/helpers/browser.ts'
import { someOf } from '#tests/helpers/depth.ts'
import { pressOn } from '#tests/helpers/keyboard.ts'
import { createAdminClient, type SiteClient } from '#tests/helpers/siteClient.ts'

let site: BrowserSite
let client: SiteClient
let threads: string
beforeAll(async () => {
  site = await startBrowserSite()
  client = await createAdminClient(site.server.origin)
  threads = (await client.createBoard('Rules')).threads
})
afterAll(() => site.close())

/** Bans this machine by one of its posts, from the whole site. */
async function banPoster(reason: string): Promise<void> {
  const fields = { title: `About ${reason}`, content: 'A post against the rules' }
  const { thread } = await client.post(threads, fields)
  const endsAt = new Date(Date.now() + 86_400_000)
  const item = { kind: 'post', itemId: thread.id, boardId: null, width: 'host' }
  await client.call('POST', '/api/moderation/bans', { ...item, reason, endsAt })
}

test('a banned visitor keeps the text, appeals in a new tab, and pastes again after the ban is lifted', async () => {
  await banPoster('Advertising')
  const page = await site.visit('/paste-service')
  await page.getByLabel('Content').fill('A text that must not be lost')
  await page.getByRole('button', { name: 'Create Paste' }).click()
  const alert = page.getByRole('main').getByRole('alert')
  await expect(alert).toContainText('Reason: Advertising')
  await expect(page.getByLabel('Content')).toHaveValue('A text that must not be lost')

  const opened = page.context().waitForEvent('page')
  await alert.getByRole('link', { name: 'Appeal this ban' }).click()
  const form = await opened
  await form.getByLabel('Why should the ban end?').fill('It was a mistake')
  await expectAccessible(form)
  await form.getByRole('button', { name: 'Send appeal' }).click()
  await expect(form.getByText('Your appeal was sent.')).toBeFocused()
  await expectAccessible(form)

  const admin = await site.visit('/about')
  await site.logIn(admin)
  await admin.goto('/admin/queue')
  await expect(admin.getByRole('article')).toContainText('It was a mistake')
  await pressOn(admin.getByRole('button', { name: 'Lift the ban' }))
  await expect(admin.getByText('Nothing waits for a review.')).toBeVisible()

  await page.getByRole('button', { name: 'Create Paste' }).click()
  await expect(page.getByText('Paste created')).toBeVisible()
})

test.each(someOf(APPEARANCES))('appeals without script, and is refused a second time, $colorScheme', async (look) => {
  await banPoster(`Spam ${look.colorScheme}`)
  const refused = await client.call('POST', '/api/paste', { content: 'x' })
  const plain = await site.visit('/robots.txt', { ...look })
  const context = await plain
    .context()
    .browser()
    ?.newContext({ ...look, javaScriptEnabled: false })
  const page = await context?.newPage()
  if (!page) throw new Error('The browser did not open a page')
  await page.goto(`${site.server.origin}/appeal?token=${refused.ban.appealToken}`)
  await page.getByLabel('Why should the ban end?').fill('I will not do it again')
  await page.getByRole('button', { name: 'Send appeal' }).click()
  await expect(page.getByText('Your appeal was sent.')).toBeVisible()
  await page.goBack()
  await page.getByLabel('Why should the ban end?').fill('And again')
  await page.getByRole('button', { name: 'Send appeal' }).click()
  await expect(page.getByRole('alert')).toHaveText('This ban was appealed already, or it has ended')
  await expect(page.getByLabel('Why should the ban end?')).toHaveValue('And again')
  await page.context().close()

  const admin = await site.visit('/about', look)
  await site.logIn(admin)
  await admin.goto('/admin/queue')
  await admin.getByRole('button', { name: 'Keep the ban' }).click()
  await expect(admin.getByText('Nothing waits for a review.')).toBeVisible()
  await admin.goto('/admin/bans')
  await expect(admin.getByText('I will not do it again')).toBeVisible()
  await expect(admin.getByText('answered')).toBeVisible()
  await pressOn(admin.getByRole('button', { name: 'Lift' }))
  await expect(admin.getByText('Nobody is banned.')).toBeVisible()
  await expect(admin.getByRole('main')).toBeFocused()
})
