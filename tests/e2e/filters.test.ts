import type { Page } from 'playwright'
import { afterAll, beforeAll, test } from 'vitest'
import { t } from '#src/i18n/t.ts'
import {
  type BrowserSite,
  expect,
  expectAccessible,
  expectAccessibleInAllLooks,
  PHONE,
  solveCaptcha,
  startBrowserSite,
} from '#tests/helpers/browser.ts'
import { isDeep } from '#tests/helpers/depth.ts'
import { expectVisibleFocus, pressOn, tabTo } from '#tests/helpers/keyboard.ts'
import { createAdminClient, type SiteClient } from '#tests/helpers/siteClient.ts'
import { ADMIN, runCommand } from '#tests/helpers/siteProcess.ts'
import { createVariedImage, openRaw } from '#tests/helpers/variedImages.ts'

const MODERATOR = { email: 'mira@example.org', password: 'moderators password' }
let site: BrowserSite
let client: SiteClient
let threadPath: string

beforeAll(async () => {
  site = await startBrowserSite()
  client = await createAdminClient(site.server.origin)
  const board = await client.createBoard('Filtered')
  const { thread } = await client.post(board.threads, { title: 'Welcome', content: 'Buy cheap pills here' })
  threadPath = `${board.path}/thread/${thread.id}`
  await runCommand(site.location, ['users', 'add', MODERATOR.email], `${MODERATOR.password}\n`)
  await runCommand(site.location, ['boards', 'moderators', board.id, 'add', MODERATOR.email])
})
afterAll(() => site.close())

async function openAs(path: string, user: typeof MODERATOR, options = {}): Promise<Page> {
  const page = await site.visit('/login', options)
  await site.logIn(page, user.email, user.password)
  await page.goto(path)
  return page
}

test.runIf(isDeep)('an admin tries, adds, changes and deletes a filter by keyboard alone', async () => {
  const page = await openAs('/admin/filters', ADMIN)
  await expect(page.getByText('No filters yet.')).toBeVisible()
  const add = page.getByRole('button', { name: 'Add Filter' })
  await pressOn(add)
  const dialog = page.getByRole('dialog')
  const press = (name: string) => pressOn(dialog.getByRole('button', { name }))
  const pattern = dialog.getByLabel('Pattern', { exact: true })
  await expectVisibleFocus(dialog.getByLabel('Looks for'))
  await page.keyboard.press('ArrowDown')
  await press('Try it')
  await expect(dialog.getByRole('alert')).toContainText('Please enter what the filter looks for')
  await expectVisibleFocus(pattern)
  await page.keyboard.type('cheap (pills')
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('alert')).toContainText('missing closing )')
  await tabTo(pattern, 'Shift+Tab')
  await page.keyboard.press('End')
  await page.keyboard.type('|watches)')
  await page.keyboard.press('Enter')
  await expectVisibleFocus(dialog.getByRole('heading', { name: 'Would have caught 1 of 1 posts' }))
  await expect(dialog.getByText('Buy cheap pills here')).toBeVisible()
  await expectAccessibleInAllLooks(page)
  await tabTo(dialog.getByRole('radio', { name: /Hold/ }), 'Shift+Tab')
  await page.keyboard.press('ArrowUp')
  await expect(dialog.getByRole('radio', { name: /Refuse/ })).toBeChecked()
  await tabTo(dialog.getByLabel('Message for refused authors'))
  await page.keyboard.type('No advertising.')
  await press('Save')
  await expect(dialog).toBeHidden()
  await expectVisibleFocus(add)
  const row = page.getByRole('list', { name: 'Filters' }).getByRole('listitem')
  await expect(row).toContainText('cheap (pills|watches)')
  await expect(row).toContainText('No advertising.')
  await pressOn(row.getByRole('button', { name: 'Turn off' }))
  await expectVisibleFocus(row.getByRole('button', { name: 'Turn on' }))
  await pressOn(row.getByRole('button', { name: 'Edit' }))
  await tabTo(pattern)
  await page.keyboard.type('cheap watches')
  await expect(dialog.getByRole('button', { name: 'Save' })).toBeHidden()
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('Would have caught nothing')).toBeVisible()
  await press('Save')
  await expect(row).toContainText('cheap watches')
  await pressOn(row.getByRole('button', { name: 'Delete' }))
  await press('Delete')
  await expect(page.getByText('No filters yet.')).toBeVisible()
  await expect(page.getByRole('main')).toBeFocused()
})

test('a refused author reads the message and keeps the text', async () => {
  await client.call('POST', '/api/moderation/filters', {
    kind: 'domain',
    value: 'spam.example',
    fields: ['post'],
    effect: 'refuse',
    message: 'No advertising.',
  })
  const page = await site.visit(threadPath)
  await comment(page, 'See https://www.spam.example/offer')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('alert')).toContainText('No advertising.')
  await expect(dialog.getByLabel('Content')).toHaveValue('See https://www.spam.example/offer')
})

async function comment(page: Page, content: string) {
  await page.getByRole('button', { name: 'Comment', exact: true }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Content').fill(content)
  await dialog.getByLabel('Username').fill('ferrite')
  await solveCaptcha(page)
  await dialog.getByRole('button', { name: /Post|Comment|Add/ }).click()
}

test('a held post is visible to its author and to moderators until one of them publishes it', async () => {
  const held = { kind: 'literal', value: 'doubtful', fields: ['post'], effect: 'hold' }
  await client.call('POST', '/api/moderation/filters', held)
  const author = await site.visit(threadPath)
  await comment(author, 'A doubtful offer')
  const waiting = author.getByRole('article', { name: /waiting for review/i })
  await expect(waiting).toContainText('A doubtful offer')
  await expect(author.getByRole('heading', { name: 'Comments (0)' })).toBeVisible()
  await expectAccessible(author)
  await author.reload()
  await expect(waiting).toContainText('A doubtful offer')

  const stranger = await site.visit(threadPath)
  await expect(stranger.getByText('Buy cheap pills here')).toBeVisible()
  await expect(stranger.getByText('A doubtful offer')).toHaveCount(0)

  const moderator = await openAs('/admin/queue', MODERATOR)
  const item = moderator.getByRole('article')
  await expect(item).toContainText('A doubtful offer')
  await expect(item).toContainText('Welcome')
  await expect(item).toContainText('Filter No.')
  await moderator.getByRole('button', { name: 'Publish' }).click()
  await expect(moderator.getByText('Nothing waits for a review.')).toBeVisible()

  await expect(stranger.getByRole('heading', { name: 'Comments (1)' })).toBeVisible()
  await expect(stranger.getByText('A doubtful offer')).toBeVisible()
  await expect(author.getByRole('heading', { name: 'Comments (1)' })).toBeVisible()
  await expect(waiting).toHaveCount(0)
  await author.reload()
  await expect(author.getByText('A doubtful offer')).toBeVisible()
  await expect(waiting).toHaveCount(0)
})

test.runIf(isDeep)('a held thread waits on its board and in its catalog until its author deletes it', async () => {
  const board = await client.createBoard('Vacant')
  const author = await site.visit(board.path)
  const invitation = author.getByText('No threads yet.')
  await expect(invitation).toBeVisible()
  await author.getByRole('button', { name: 'Create Thread' }).first().click()
  const dialog = author.getByRole('dialog')
  await dialog.getByLabel('Title').fill('A doubtful thread')
  await dialog.getByLabel('Content').fill('Text')
  await dialog.getByLabel('Username').fill('ferrite')
  await solveCaptcha(author)
  await dialog.getByRole('button', { name: /Create|Post/ }).click()
  const waiting = author.getByRole('article', { name: /waiting for review/i })
  await expect(waiting).toContainText('A doubtful thread')
  await expect(invitation).toBeHidden()
  await author.goto(`${board.path}/catalog`)
  await expect(waiting).toContainText('A doubtful thread')
  await expect(invitation).toBeHidden()
  const other = await author.context().newPage()
  await other.goto(board.path)
  const waitingInOther = other.getByRole('article', { name: /waiting for review/i })
  await expect(waitingInOther).toContainText('A doubtful thread')
  await author.bringToFront()
  await waiting.getByRole('button', { name: 'Delete' }).press('Enter')
  await dialog.getByRole('button', { name: 'Delete' }).press('Enter')
  await expect(waiting).toHaveCount(0)
  await expect(invitation).toBeVisible()
  await expect(author.getByText('Thread deleted')).toBeVisible()
  await expect(waitingInOther).toHaveCount(0)
  expect((await client.call('GET', '/api/moderation/held')).total).toBe(0)
})

test.runIf(isDeep)('shows the threads of others below a held one, and focuses the first new one', async () => {
  const board = await client.createBoard('Mixed')
  const page = await site.visit(board.path)
  const text = { title: 'Held', author: 'Anonymous', content: 'Text', createdAt: new Date().toISOString() }
  const entry = [{ id: 1e6, token: 'x', boardId: board.id, threadId: 1e6, held: { ...text, heldUntil: null } }]
  await page.evaluate((posts) => {
    localStorage.setItem('dtpchan_own_posts', JSON.stringify(posts))
  }, entry)
  await page.reload()
  await expect(page.getByRole('article', { name: /waiting for review/i })).toBeVisible()
  await client.post(board.threads, { title: 'A new thread', content: 'Text' })
  await page.getByRole('button', { name: 'Show 1 new thread' }).press('Enter')
  await expect(page.getByRole('article', { name: 'A new thread' })).toBeFocused()

  await page.goto(`${board.path}/catalog?filter=missing`)
  await expect(page.getByRole('article', { name: /waiting for review/i })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Show all threads' })).toBeVisible()
})

test.runIf(isDeep)('the author of a refused post reads why, and hides it', async () => {
  const author = await site.visit(threadPath, { viewport: PHONE })
  await comment(author, 'A doubtful joke')
  const waiting = author.getByRole('article', { name: /waiting for review/i })
  await expect(waiting).toContainText('A doubtful joke')
  const { posts } = await client.call('GET', '/api/moderation/held')
  await client.call('POST', `/api/moderation/held/${posts[0].id}/refuse`, { reason: 'Off topic' })
  await author.reload()
  const refused = author.getByRole('article', { name: /not published/i })
  await expect(refused).toContainText('A moderator removed it. Reason: Off topic.')
  await expectAccessible(author)
  await refused.getByRole('button', { name: 'Hide' }).click()
  await expect(refused).toHaveCount(0)
})

test.runIf(isDeep)('the page of a held thread shows its author the text with its lines, in its direction', async () => {
  const board = await client.createBoard('Unseen')
  const page = await site.visit(board.path)
  const copy = { title: 'Held', author: 'Anonymous', content: 'שלום\nTwo', createdAt: new Date().toISOString() }
  const entry = [{ id: 2e6, token: 'x', boardId: board.id, threadId: 2e6, held: { ...copy, heldUntil: null } }]
  await page.evaluate((posts) => {
    localStorage.setItem('dtpchan_own_posts', JSON.stringify(posts))
  }, entry)
  await page.goto(`${board.path}/thread/2000000`)
  const text = page.getByRole('article', { name: /waiting for review/i }).getByText('Two')
  await expect(text).toBeVisible()
  expect(await text.innerText()).toBe('שלום\nTwo')
  await expect(text).toHaveCSS('direction', 'rtl')
  // It waited too long for a review.
  const json = { status: 'removed', heldUntil: null, reason: '', expired: true }
  await page.route('**/trpc/board.postStatus*', (route) => route.fulfill({ json: { result: { data: { json } } } }))
  await page.reload()
  await expect(page.getByRole('article', { name: /not published/i })).toContainText('Two')
})

test('the author of a removed post reads why, at once and on later visits', async () => {
  const author = await site.visit(threadPath)
  await comment(author, 'Published at first')
  const post = author.getByRole('article').filter({ hasText: 'Published at first' })
  const postId = Number((await post.getAttribute('id'))?.slice(1))
  const removed = author.getByRole('article', { name: `No. ${postId}, removed` })
  await client.call('POST', '/api/moderation/act', { boardId: 'filtered', postId, action: 'delete', reason: 'Spam' })
  await expect(removed).toContainText('A moderator removed it. Reason: Spam.')
  await expect(post).toHaveCount(0)

  // An author's own deletion is not reported to the author.
  await comment(author, 'Deleted by me')
  await author.getByRole('article').filter({ hasText: 'Deleted by me' }).getByRole('button', { name: 'Delete' }).click()
  await author.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(author.getByText('Deleted by me')).toHaveCount(0)
  await expect(author.getByRole('dialog')).toBeHidden()
  await author.reload()
  await expect(removed).toContainText('Reason: Spam.')
  await expect(author.getByRole('article', { name: /removed/i })).toHaveCount(1)
  await expectAccessibleInAllLooks(author)
  await removed.getByRole('button', { name: 'Hide' }).click()
  await expect(removed).toHaveCount(0)
  await author.reload()
  await expect(author.getByRole('heading', { name: /^Comments/ })).toBeVisible()
  await expect(removed).toHaveCount(0)
})

test.runIf(isDeep)(
  'a removed post that nobody removed, in a cyclical thread, is not reported to its author',
  async () => {
    const author = await site.visit(threadPath)
    const posts: number[] = []
    for (const text of ['Rotated away', 'Taken away']) {
      await comment(author, text)
      const id = await author.getByRole('article').filter({ hasText: text }).getAttribute('id')
      posts.push(Number(id?.slice(1)))
    }
    const [rotated, taken] = posts
    await author.route('**/trpc/board.postStatus*', async (route) => {
      const response = await route.fetch()
      const text = (await response.text()).replaceAll('"reason":"Rotation"', '"reason":"","expired":true')
      await route.fulfill({ response, body: text })
    })
    const act = { boardId: 'filtered', action: 'delete' }
    await client.call('POST', '/api/moderation/act', { ...act, postId: rotated, reason: 'Rotation' })
    await client.call('POST', '/api/moderation/act', { ...act, postId: taken, reason: 'Off topic' })
    await expect(author.getByRole('article', { name: `No. ${taken}, removed` })).toBeVisible()
    await expect(author.getByRole('article', { name: `No. ${rotated}, removed` })).toHaveCount(0)
    const known = () =>
      author.evaluate(() => JSON.parse(localStorage.dtpchan_own_posts).map(({ id }: { id: number }) => id))
    await expect.poll(known).not.toContain(rotated)
  },
)

test.runIf(isDeep)('an author finds a waiting comment where its thread has moved to', async () => {
  const [left, reached] = [await client.createBoard('Left'), await client.createBoard('Reached')]
  const { thread } = await client.post(left.threads, { title: 'A thread', content: 'Text' })
  const author = await site.visit(`${left.path}/thread/${thread.id}`)
  await comment(author, 'A doubtful remark')
  const waiting = author.getByRole('article', { name: /waiting for review/i })
  await expect(waiting).toContainText('A doubtful remark')
  await client.call('POST', '/api/moderation/act', {
    ...{ boardId: left.id, postId: thread.id, action: 'move', toBoard: reached.id },
  })
  await author.waitForURL(`**${reached.path}/thread/${thread.id}`)
  await expect(waiting).toContainText('A doubtful remark')
  await waiting.getByRole('button', { name: 'Delete' }).press('Enter')
  await author.getByRole('dialog').getByRole('button', { name: 'Delete' }).press('Enter')
  await expect(waiting).toHaveCount(0)
})

test.runIf(isDeep)('hides a published post that was held later', async () => {
  const author = await site.visit(threadPath)
  await comment(author, 'A doubtful plan')
  const waiting = author.getByRole('article', { name: /waiting for review/i })
  await expect(waiting).toContainText('A doubtful plan')
  // The browser has no copy of a post that was published at once.
  await author.evaluate(() => {
    const posts = JSON.parse(localStorage.getItem('dtpchan_own_posts') ?? '[]')
    localStorage.setItem(
      'dtpchan_own_posts',
      JSON.stringify(posts.map(({ held: _, ...post }: object & { held?: object }) => post)),
    )
  })
  await author.reload()
  await waiting.getByRole('button', { name: 'Hide' }).click()
  await expect(waiting).toHaveCount(0)
})

test.runIf(isDeep)('the author of a removed thread reads why on its page', async () => {
  const author = await site.visit('/dtpchan/board/filtered')
  await author.getByRole('button', { name: 'Create Thread' }).first().click()
  const dialog = author.getByRole('dialog')
  await dialog.getByLabel('Title').fill('A thread to remove')
  await dialog.getByLabel('Content').fill('Text')
  await dialog.getByLabel('Username').fill('ferrite')
  await solveCaptcha(author)
  await dialog.getByRole('button', { name: /Create|Post/ }).click()
  await author.getByRole('link', { name: 'A thread to remove' }).first().click()
  await author.waitForURL(/\/thread\/\d+$/)
  await expect(author.getByRole('heading', { level: 1 })).toHaveText('A thread to remove')
  const postId = Number(author.url().split('/').at(-1))
  await client.call('POST', '/api/moderation/act', {
    boardId: 'filtered',
    postId,
    action: 'delete',
    reason: 'Off topic',
  })
  const removed = author.getByRole('article', { name: `No. ${postId}, removed` })
  await expect(removed).toContainText('Reason: Off topic.')
  await author.reload()
  await expect(author.getByText('Error 410')).toBeVisible()
  await expect(removed).toContainText('Reason: Off topic.')
})

test.runIf(isDeep)('an admin blocks an image, sees what it stopped, and unblocks it', async () => {
  const page = await openAs('/admin/blocked-images', ADMIN, { viewport: PHONE })
  await expect(page.getByText('No image is blocked yet.')).toBeVisible()
  await page.getByRole('button', { name: 'Block Image' }).press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Block' }).press('Enter')
  await expect(dialog.getByText(t('image.required'))).toBeVisible()
  const buffer = await openRaw(await createVariedImage(1))
    .png()
    .toBuffer()
  await dialog.getByLabel('Image', { exact: true }).setInputFiles({ name: 'x.png', mimeType: 'image/png', buffer })
  await dialog.getByLabel('Reason').fill('A known advert')
  await expectAccessible(page)
  await dialog.getByLabel('Reason').press('Enter')
  const row = page.getByRole('list', { name: 'Blocked images' }).getByRole('listitem')
  await expect(row).toContainText('A known advert')
  await expect(row).toContainText('the file and look-alikes')
  await expect(row).toContainText('no upload yet')
  const image = new File([new Uint8Array(buffer)], 'x.png', { type: 'image/png' })
  const refused = await client.post('/api/image-share', { image, expiryHours: '24' })
  expect(refused.error).toBe(t('image.blocked'))
  await page.reload()
  await expect(page.getByText('1 upload')).toBeVisible()
  await expectAccessibleInAllLooks(page)
  await page.setViewportSize(PHONE)
  await row.getByRole('button', { name: 'Unblock' }).press('Enter')
  await dialog.getByRole('button', { name: 'Unblock' }).press('Enter')
  await expect(page.getByText('No image is blocked yet.')).toBeVisible()
})
