import { afterAll, beforeAll, expect as expectValue, test } from 'vitest'
import { BOARDS } from '#tests/helpers/apiCalls.ts'
import { APPEARANCES, type BrowserSite, expect, expectAccessible, startBrowserSite } from '#tests/helpers/browser.ts'
import { someOf } from '#tests/helpers/depth.ts'
import { createAdminClient, type SiteClient } from '#tests/helpers/siteClient.ts'
import { runCommand } from '#tests/helpers/siteProcess.ts'

const MODERATOR = { email: 'mira@example.org', password: 'moderators password' }
let site: BrowserSite
let client: SiteClient

beforeAll(async () => {
  site = await startBrowserSite()
  client = await createAdminClient(site.server.origin)
  await runCommand(site.location, ['users', 'add', MODERATOR.email], `${MODERATOR.password}\n`)
  for (const name of ['Tech', 'Music']) await client.createBoard(name)
  await runCommand(site.location, ['boards', 'moderators', 'tech', 'add', MODERATOR.email], '')
  for (const board of ['tech', 'music']) await removeThread(board, `Spam in /${board}/`)
})
afterAll(() => site.close())

async function removeThread(boardId: string, reason: string): Promise<void> {
  const { thread } = await client.post(`${BOARDS}/${boardId}/threads`, { title: 'A title', content: 'text' })
  const json = { boardId, postId: thread.id, action: 'delete', reason }
  expectValue(await client.call('POST', '/api/moderation/act', json)).toMatchObject({ success: true, count: 1 })
}

test.each(someOf(APPEARANCES))('shows the log in $colorScheme', async (appearance) => {
  const page = await site.visit('/dtpchan', appearance)
  await page.getByRole('link', { name: 'Moderation log' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Moderation log')
  await expect(page.getByRole('listitem').filter({ hasText: 'Spam in /tech/' })).toContainText(
    'An admin deleted a thread on /tech/',
  )
  await expect(page.getByRole('button', { name: 'Restore' })).toHaveCount(0)
  await expectAccessible(page)
})

test('renders the log without script', async () => {
  const html = await (await fetch(`${site.server.origin}/dtpchan/log`)).text()
  expectValue(html).toContain('Spam in /music/')
})

test('lets moderators restore posts of their boards, and updates the open page of others', async () => {
  const visitor = await site.visit('/dtpchan/log')
  const page = await site.visit('/dtpchan/log')
  await site.logIn(page, MODERATOR.email, MODERATOR.password)
  await page.reload()
  const entry = page.getByRole('listitem').filter({ hasText: 'Spam in /tech/' })
  await entry.getByRole('button', { name: 'Restore' }).click()
  await expect(page.getByRole('button', { name: 'Restore', exact: true })).toHaveCount(2)
  await expectAccessible(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click()
  await expect(entry).toContainText('Restored')
  await expect(entry.getByRole('button')).toHaveCount(0)
  await expect(page.getByRole('listitem').filter({ hasText: 'A moderator of /tech/ restored a post' })).toHaveCount(1)
  await expect(visitor.getByText('A moderator of /tech/')).toBeVisible()
  expectValue((await client.call('GET', `${BOARDS}/tech/threads`)).threads).toHaveLength(1)
})
