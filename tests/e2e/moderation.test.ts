import type { Page } from 'playwright'
import { afterAll, beforeAll, test } from 'vitest'
import { type BrowserSite, expect, startBrowserSite } from '#tests/helpers/browser.ts'
import { isDeep } from '#tests/helpers/depth.ts'
import { createAdminClient, type SiteClient } from '#tests/helpers/siteClient.ts'
import { ADMIN, runCommand } from '#tests/helpers/siteProcess.ts'

const MODERATOR = { email: 'mira@example.org', password: 'moderators password' }
let site: BrowserSite
let client: SiteClient

beforeAll(async () => {
  site = await startBrowserSite()
  client = await createAdminClient(site.server.origin)
})
afterAll(() => site.close())

/** Creates a board with two threads; the first has a comment with a reply. */
async function createBoardWithThreads(name: string) {
  const { path, threads } = await client.createBoard(name)
  const { thread } = await client.post(threads, { title: 'First thread', content: 'opening' })
  await client.post(threads, { title: 'Second thread', content: 'other' })
  const { comment } = await client.post(`${threads}/${thread.id}/comments`, { content: 'the comment' })
  await client.post(`${threads}/${thread.id}/comments/${comment.id}/replies`, { content: 'the reply' })
  return { path, thread: `${path}/thread/${thread.id}`, threadCall: `${threads}/${thread.id}` }
}

const confirm = (page: Page) =>
  page
    .getByRole('dialog')
    .getByRole('button', { name: /^Delete/ })
    .click()

/** Presses the delete icon of a post, beside its menu. */
async function remove(page: Page, what: string): Promise<void> {
  await expect(page.getByRole('button', { name: `Actions for ${what}` })).toBeVisible()
  await page.getByRole('button', { name: `Delete ${what} No` }).click()
  await confirm(page)
}

/** Deletes a reply, its comment and the thread, then the other thread on the board page. */
async function moderate(page: Page, { path, thread }: { path: string; thread: string }) {
  await page.goto(thread)
  await remove(page, 'reply')
  await expect(page.getByText('the reply')).toHaveCount(0)
  await remove(page, 'comment')
  await expect(page.getByText('No comments yet. Be the first to comment!')).toBeVisible()
  await remove(page, 'thread')
  await page.waitForURL(`**${path}`)
  await expect(page.getByRole('heading', { level: 1 })).toContainText(' - ')
  await expect(page.getByText('First thread')).toHaveCount(0)
  await remove(page, 'thread')
  await expect(page.getByText('No threads yet. Be the first to create one!')).toBeVisible()
  expect((await page.request.get(thread)).status()).toBe(410)
}

test('lets an admin create boards and delete boards, threads, comments and replies', async () => {
  const page = await site.visit('/login')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('DTPChan Admin Login')
  await expect(page.getByText('Admin access only')).toBeVisible()
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(page.getByRole('alert')).toContainText('Email and password are required')
  await page.getByLabel('Email').fill(ADMIN.email)
  await page.getByLabel('Password').fill('wrong')
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(page.getByRole('alert')).toContainText('Invalid credentials')
  await page.getByLabel('Password').fill(ADMIN.password)
  await page.getByRole('button', { name: 'Login' }).click()
  await page.waitForURL('**/dtpchan')
  await expect(page.getByText(ADMIN.email).first()).toBeVisible()
  const board = await createBoardWithThreads('Doomed')
  await moderate(page, board)
  await page.goto('/dtpchan')
  const row = page.locator('article').filter({ hasText: '/doomed/' })
  await row.getByRole('button', { name: /Delete/ }).click()
  await expect(page.getByRole('dialog').getByRole('button', { name: /^Delete/ })).toBeDisabled()
  await page.getByLabel('Type “doomed” to delete it').fill('doomed')
  await confirm(page)
  await expect(row).toHaveCount(0)
  await page.getByRole('button', { name: /Log ?out/i }).click()
  await expect(page.getByRole('button', { name: 'Create New Board' })).toHaveCount(0)
})

test.runIf(isDeep)('lets a moderator delete only on the assigned board', async () => {
  const own = await createBoardWithThreads('Own')
  const foreign = await createBoardWithThreads('Foreign')
  await runCommand(site.location, ['users', 'add', MODERATOR.email], `${MODERATOR.password}\n`)
  await runCommand(site.location, ['boards', 'moderators', 'own', 'add', MODERATOR.email])
  const page = await site.visit('/dtpchan')
  await site.logIn(page, MODERATOR.email, MODERATOR.password)
  await expect(page.getByText('/own/').first()).toBeVisible()
  await expect(page.getByRole('button', { name: /Delete/ })).toHaveCount(0)
  await page.goto(foreign.thread)
  await expect(page.getByText('the reply')).toBeVisible()
  await expect(page.getByText(MODERATOR.email).first()).toBeVisible()
  await expect(page.getByRole('button', { name: /Delete|Actions for/ })).toHaveCount(0)
  await moderate(page, own)
})

test('shows readers that the open thread was deleted', async () => {
  const { thread, threadCall } = await createBoardWithThreads('Vanishing')
  const page = await site.visit(thread)
  await client.call('DELETE', threadCall)
  await expect(page.getByText('This thread was deleted.')).toBeVisible()
})
