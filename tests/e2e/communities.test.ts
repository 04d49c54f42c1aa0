import { afterAll, beforeAll, test } from 'vitest'
import { type BrowserSite, expect, solveCaptcha, startBrowserSite } from '#tests/helpers/browser.ts'
import { createDeferred } from '#tests/helpers/deferred.ts'
import { isDeep } from '#tests/helpers/depth.ts'
import { createAdminClient, type SiteClient } from '#tests/helpers/siteClient.ts'

let site: BrowserSite
let client: SiteClient
beforeAll(async () => {
  site = await startBrowserSite()
  client = await createAdminClient(site.server.origin)
})
afterAll(() => site.close())

test('a moderator stops bumps, signs a comment and moves the thread, which open pages follow', async () => {
  const { path, threads } = await client.createBoard('From here')
  const target = await client.createBoard('To there')
  const { thread } = await client.post(threads, { title: 'A thread', content: 'opening' })
  const page = await site.visit(`${path}/thread/${thread.id}`)
  await site.logIn(page)
  const reader = await page.context().browser()?.newPage({ baseURL: site.server.origin })
  if (!reader) throw new Error('No second page')
  await reader.goto(`${path}/thread/${thread.id}`)
  const choose = async (label: string) => {
    await page.getByRole('button', { name: 'Actions for thread' }).click()
    await page
      .getByRole('region', { name: /^Actions for/ })
      .getByRole('button', { name: label })
      .click()
  }

  await choose('Stop bumps')
  await expect(reader.getByText('Not bumped', { exact: true })).toBeVisible()
  await choose('Make cyclical')
  await expect(reader.getByText('Cyclical', { exact: true })).toBeVisible()

  await page.getByRole('button', { name: 'Comment', exact: true }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Content').fill('A word of the staff')
  await dialog.getByLabel('Username').fill('Ann')
  await dialog.getByLabel('Sign as').selectOption('Admin')
  await solveCaptcha(page)
  await dialog
    .getByRole('button', { name: /comment/i })
    .last()
    .click()
  const comment = reader.getByRole('article').filter({ hasText: 'A word of the staff' })
  await expect(comment.getByText('Admin', { exact: true })).toBeVisible()

  const write = () => reader.getByRole('button', { name: 'Comment', exact: true }).first().click()
  const text = reader.getByRole('dialog').getByLabel('Content', { exact: true })
  await write()
  await text.fill('Half a thought')

  await choose('Move to another board')
  await dialog.getByLabel('Board').selectOption(target.id)
  await dialog.getByRole('button', { name: 'Move', exact: true }).click()
  await page.waitForURL(`**${target.path}/thread/${thread.id}`)
  await expect(page.getByText('A word of the staff')).toBeVisible()
  // An open form stays, and posts to the new place.
  await expect(reader.getByText('Thread moved')).toBeVisible()
  await expect(text).toHaveValue('Half a thought')
  await reader.getByRole('dialog').getByLabel('Username').fill('Bob')
  await solveCaptcha(reader)
  await reader.getByRole('dialog').getByRole('button', { name: 'Post Comment' }).click()
  await reader.waitForURL(`**${target.path}/thread/${thread.id}#p*`)
  await expect(reader.getByRole('article').filter({ hasText: 'Half a thought' })).toBeVisible()
  await reader.goto(`${path}/thread/${thread.id}`)
  expect(new URL(reader.url()).pathname).toBe(`${target.path}/thread/${thread.id}`)
  await reader.close()
})

test.runIf(isDeep)('a page that has missed the events of a move goes to the new place', async () => {
  const { path, threads, id } = await client.createBoard('Left')
  const target = await client.createBoard('Reached')
  const { thread } = await client.post(threads, { title: 'A thread', content: 'opening' })
  const page = await site.visit('/about')
  const moved = createDeferred()
  await page.route('**/trpc/site.events*', async (route) => {
    await moved.promise
    const stale = { json: { topic: `thread:${thread.id}`, change: { kind: 'stale' } } }
    const body = `event: connected\ndata: {}\n\nid: 1000000\ndata: ${JSON.stringify(stale)}\n\n`
    await route.fulfill({ contentType: 'text/event-stream', body })
  })
  await page.goto(`${path}/thread/${thread.id}`)
  await client.call('POST', '/api/moderation/act', {
    ...{ boardId: id, postId: thread.id, action: 'move', toBoard: target.id },
  })
  moved.resolve()
  await page.waitForURL(`**${target.path}/thread/${thread.id}`)
  await expect(page.getByText('opening')).toBeVisible()
  // Not to the old place of the same thread.
  await page.goBack()
  await page.waitForURL('**/about')
})

test.runIf(isDeep)('an admin sees what filters put in the place of what they find', async () => {
  const filter = { kind: 'literal', value: 'heck', fields: ['post'], effect: 'replace', replacement: 'fudge' }
  await client.call('POST', '/api/moderation/filters', filter)
  const page = await site.visit('/about')
  await site.logIn(page)
  await page.goto('/admin/filters')
  await expect(page.getByRole('listitem').filter({ hasText: 'heck' })).toContainText('fudge')
})
