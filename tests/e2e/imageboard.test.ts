import type { Page, Route } from 'playwright'
import { afterAll, beforeAll, describe, expect as expectValue, test } from 'vitest'
import { type BrowserSite, DESKTOP, expect, PHONE, solveCaptcha, startBrowserSite } from '#tests/helpers/browser.ts'
import { isDeep, someOf } from '#tests/helpers/depth.ts'
import { noiseBytes, oversizedImage, stillImage } from '#tests/helpers/sampleImages.ts'
import { createAdminClient, type SiteClient } from '#tests/helpers/siteClient.ts'

let site: BrowserSite
let client: SiteClient
beforeAll(async () => {
  site = await startBrowserSite()
  client = await createAdminClient(site.server.origin)
})
afterAll(() => site.close())

/** Fills the open dialog, solves its captcha and submits it. */
async function send(page: Page, fields: Record<string, string>, submit: string, picture?: Buffer) {
  const dialog = page.getByRole('dialog')
  for (const [label, value] of Object.entries(fields)) await dialog.getByLabel(label, { exact: true }).fill(value)
  if (picture) {
    await dialog
      .locator('input[type=file]')
      .setInputFiles({ name: 'picture.png', mimeType: 'image/png', buffer: picture })
  }
  await solveCaptcha(page)
  await dialog.getByRole('button', { name: submit }).click()
  // A site's first picture also starts the process that encodes it.
  await expect(dialog).toBeHidden()
}

const post = (page: Page, text: string) => page.locator('article').filter({ hasText: text }).last()

describe.each(
  someOf([
    ['desktop', DESKTOP],
    ['phone', PHONE],
  ]),
)('a visitor on a %s', (name, viewport) => {
  test('posts a thread with an image, a comment and a reply, which appear in a second window', async () => {
    const { id: boardId } = await client.createBoard(`Guests-${name}`)
    const page = await site.visit('/dtpchan', { viewport })
    await page.locator(`a[href="/dtpchan/board/${boardId}"]`).last().click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(`/${boardId}/ - Guests-${name}`)
    await expect(page.getByText('No threads yet. Be the first to create one!')).toBeVisible()

    // Once in place of the threads, and the floating button.
    await expect(page.getByRole('button', { name: 'Create Thread' })).toHaveCount(2)
    await expect(page.getByRole('searchbox')).toHaveCount(0)
    await page.getByRole('button', { name: 'Create Thread' }).first().click()
    const texts = { Title: 'Which clip?', Content: 'First line\n>greentext\nhttps://example.org/x', Username: 'gl1tch' }
    await send(page, texts, 'Create Thread', await stillImage(1200, 900).png().toBuffer())
    await page.goto(`/dtpchan/board/${boardId}`)
    await page.getByRole('link', { name: 'Which clip?' }).first().click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Which clip?')
    await expect(page.locator('article img').first()).toHaveJSProperty('complete', true)
    const drawn = await page.locator('article img').first().boundingBox()
    expect(drawn?.height).toBeLessThanOrEqual(500)
    expect(
      await page
        .locator('article img')
        .first()
        .evaluate((image: HTMLImageElement) => image.naturalWidth),
    ).toBeGreaterThan(0)

    const watcher = await site.visit(page.url(), { viewport })
    await page.getByRole('button', { name: 'Comment', exact: true }).first().click()
    await send(page, { Content: 'A first comment', Username: 'ferrite' }, 'Post Comment')
    await expect(page.getByRole('heading', { name: 'Comments (1)' })).toBeVisible()
    await expect(post(watcher, 'A first comment')).toBeVisible()
    await expect(watcher.getByRole('heading', { name: 'Comments (1)' })).toBeVisible()

    await post(watcher, 'A first comment').getByRole('button', { name: 'Reply' }).first().click()
    await send(watcher, { Content: 'A reply to it', Username: 'kessel' }, 'Post Reply')
    await expect(page.getByText('A reply to it')).toBeVisible()
    await expect(page.getByText('Replies (1)')).toBeVisible()

    await page.reload()
    await expect(page.getByText('A reply to it')).toBeVisible()
    // Authors can delete only their own posts: here a thread and a comment, there a reply.
    await expect(page.getByRole('button', { name: /Delete/ })).toHaveCount(2)
    await expect(watcher.getByRole('button', { name: /Delete/ })).toHaveCount(1)
    const stranger = await site.visit(page.url(), { viewport })
    await expect(stranger.getByText('A reply to it')).toBeVisible()
    await expect(stranger.getByRole('button', { name: /Delete/ })).toHaveCount(0)
  })
})

test.each([
  ['before its event comes', false],
  ['once, also when its event comes', true],
])('shows an own post %s, without reading the thread again', async (_name, hears) => {
  const { path, threads } = await client.createBoard(hears ? 'Heard' : 'Unheard')
  const { thread } = await client.post(threads, { title: 'Alone', content: 'First' })
  const threadPath = `${path}/thread/${thread.id}`
  const page = await site.visit('/robots.txt')
  if (!hears) await page.route(/\/trpc\/site\.events/, () => {})
  const calls: string[] = []
  page.on('request', (request) => calls.push(request.url()))
  const isConnected = page.waitForRequest(/\/trpc\/site\.events/)
  await page.goto(threadPath)
  await isConnected
  await page.getByRole('button', { name: 'Comment', exact: true }).first().click()
  await send(page, { Content: `>>${thread.id} from me`, Username: 'me' }, 'Post Comment')
  await expect(page.locator('article').filter({ hasText: 'from me' })).toHaveCount(1)
  await expect(page.getByRole('heading', { name: 'Comments (1)' })).toBeVisible()
  const id = (await page.locator('article[id^=p]').last().getAttribute('id'))?.slice(1)
  await expect(page.getByRole('link', { name: `>>${id}` })).toBeVisible()
  if (hears) {
    const other = await site.visit(threadPath)
    await post(other, 'from me').getByRole('button', { name: 'Reply' }).first().click()
    await send(other, { Content: 'I heard', Username: 'other' }, 'Post Reply')
    await expect(page.getByText('I heard')).toBeVisible()
    await expect(page.locator('article').filter({ hasText: 'from me' })).toHaveCount(1)
  }
  expect(calls.filter((url) => /\/trpc\/[^?]*board\.thread\b/.test(url))).toEqual([])
})

test.runIf(isDeep)('refreshes an open board page without fetching whole posts', async () => {
  const { path: boardPath, threads } = await client.createBoard('Followed')
  const reader = await site.visit(boardPath)
  const calls: string[] = []
  reader.on('request', (request) => calls.push(new URL(request.url()).pathname))
  await client.post(threads, { title: 'Came up', content: 'First' })
  await reader.getByRole('button', { name: /1 new thread/ }).click()
  await expect(reader.getByRole('link', { name: 'Came up' })).toBeVisible()
  await expect(reader.locator('article time').first()).toBeVisible()
  expect(calls).toContain(`${boardPath}/page.en.json`)
  expect(calls.filter((path) => path.startsWith('/trpc/board.'))).toEqual([])
})

test.runIf(isDeep)(
  'changes the threads of an open board page in their places, and keeps the focus and what is uncovered',
  async () => {
    const { id: boardId, path, threads } = await client.createBoard('Unmoved')
    const image = new Blob([new Uint8Array(await stillImage(300, 200).png().toBuffer())], { type: 'image/png' })
    const { thread: first } = await client.post(threads, { title: 'First', content: 'text', image })
    const { thread: second } = await client.post(threads, { title: 'Second', content: 'text' })
    const act = (postId: number, action: string) =>
      client.call('POST', '/api/moderation/act', { boardId, postId, action })
    await act(first.id, 'spoiler')
    const page = await site.visit(path)
    const titles = page.getByRole('article').getByRole('heading', { level: 2 })
    const card = page.getByRole('article', { name: 'First' })
    await card.getByRole('checkbox').check()
    await card.getByRole('link', { name: 'First' }).focus()

    await client.post(`${threads}/${first.id}/comments`, { content: 'It moves up.' })
    const { thread: third } = await client.post(threads, { title: 'Third', content: 'text' })
    await expect(card).toContainText('It moves up.')
    await expect(card).toContainText('1 comment')
    await expect(card.locator('.latest time')).toHaveText('just now')
    await expect(card.getByRole('checkbox')).toBeChecked()
    await expect(card.getByRole('link', { name: 'First' })).toBeFocused()
    await expect(titles).toHaveText(['Second', 'First'])
    await page.getByRole('button', { name: 'Show 1 new thread' }).click()
    await expect(titles).toHaveText(['Third', 'First', 'Second'])

    await act(second.id, 'pin')
    await expect(titles).toHaveText(['Second', 'Third', 'First'])
    await act(second.id, 'unpin')
    await expect(titles).toHaveText(['Third', 'First', 'Second'])
    await client.post(threads, { title: 'Waiting', content: 'text' })
    await expect(page.getByRole('button', { name: 'Show 1 new thread' })).toBeVisible()
    await act(first.id, 'delete')
    await expect(titles).toHaveText(['Third', 'Second'])
    await act(second.id, 'lock')
    await expect(page.getByRole('article', { name: 'Second' }).getByRole('button', { name: 'Comment' })).toBeHidden()
    const commentOnThird = page.getByRole('article', { name: 'Third' }).getByRole('button', { name: 'Comment' })
    await expect(commentOnThird).toBeVisible()
    await commentOnThird.focus()
    await client.post(`${threads}/${third.id}/comments`, { content: 'text' })
    await expect(page.getByRole('article', { name: 'Third' })).toContainText('1 comment')
    await expect(commentOnThird).toBeFocused()
  },
)

test('keeps the draft and the file when posting fails, asks a new question after a wrong answer, and restores the draft on reload', async () => {
  const { path } = await client.createBoard('Refusals')
  const page = await site.visit(path)
  const open = () => page.getByRole('button', { name: 'Create Thread' }).first().click()
  await open()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Create Thread' }).click()
  await expect(dialog.getByRole('alert')).toContainText('Title and content are required')
  await dialog.getByLabel('Title', { exact: true }).fill('Kept title')
  await dialog.getByLabel('Content', { exact: true }).fill('Kept content')
  await dialog.getByRole('button', { name: 'Create Thread' }).click()
  await expect(dialog.getByRole('alert')).toContainText('Username is required (minimum 2 characters)')
  await dialog.getByLabel('Username', { exact: true }).fill('me')
  await dialog.getByRole('button', { name: 'Create Thread' }).click()
  await expect(dialog.getByRole('alert')).toContainText('Please solve the captcha')
  await expect(dialog.getByLabel('Captcha')).toBeFocused()
  const buffer = await stillImage(40, 40).png().toBuffer()
  await dialog.locator('input[type=file]').setInputFiles({ name: 'kept.png', mimeType: 'image/png', buffer })
  const asked = await dialog.getByText(/^What is/).textContent()
  await dialog.getByLabel('Captcha').fill('999')
  await dialog.getByRole('button', { name: 'Create Thread' }).click()
  await expect(dialog.getByRole('alert')).toContainText(
    'Wrong or expired answer. Your text is safe; solve the new one.',
  )
  await expect(dialog.getByLabel('Captcha')).toHaveValue('')
  // The new challenge can have the same question, so the test does not compare the questions.
  expect(asked).toMatch(/^What is/)
  await expect(dialog.getByText('kept.png')).toBeVisible()
  await expect(dialog.getByLabel('Content', { exact: true })).toHaveValue('Kept content')

  // A rate-limited post does not use up the challenge.
  const error = 'Too many new threads from your network. Please try again in 2 min.'
  const tooSoon = { status: 429, json: { success: false, error } }
  await page.route(/\/threads$/, (route) => route.fulfill(tooSoon), { times: 1 })
  await solveCaptcha(page)
  const answer = await dialog.getByLabel('Captcha').inputValue()
  await dialog.getByRole('button', { name: 'Create Thread' }).click()
  await expect(dialog.getByRole('alert')).toContainText(error)
  await expect(dialog.getByRole('button', { name: 'Create Thread' })).toBeEnabled()
  await expect(dialog.getByLabel('Captcha')).toHaveValue(answer)
  await expect(dialog.getByText('kept.png')).toBeVisible()

  await page.reload()
  await open()
  await expect(page.getByRole('dialog').getByLabel('Title', { exact: true })).toHaveValue('Kept title')
  await expect(page.getByRole('dialog').getByLabel('Username', { exact: true })).toHaveValue('me')
  await send(page, {}, 'Create Thread')
  await expect(page.getByText('Kept content').first()).toBeVisible()
  await page.goto(path)
  await open()
  await expect(page.getByRole('dialog').getByLabel('Title', { exact: true })).toHaveValue('')
})

describe('an answer that is lost', () => {
  test.each(someOf(['the connection breaks', 'the proxy gives up']))(
    'is repeated, and makes no second post: %s',
    async (how) => {
      const { path, threads } = await client.createBoard(how)
      const { thread } = await client.post(threads, { title: 'Lost', content: 'First', author: 'ferrite' })
      const page = await site.visit(`${path}/thread/${thread.id}`)
      const loseAnswer = async (route: Route) => {
        await route.fetch()
        if (how === 'the proxy gives up') await route.fulfill({ status: 502, body: '<h1>502</h1>' })
        else await route.abort()
      }
      await page.route(/\/comments$/, loseAnswer, { times: 1 })
      await page.getByRole('button', { name: 'Comment', exact: true }).first().click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Content', { exact: true }).fill('Sent once')
      await dialog.getByLabel('Username', { exact: true }).fill('gl1tch')
      await solveCaptcha(page)
      await dialog.getByRole('button', { name: 'Post Comment' }).click()
      const offline = how === 'the proxy gives up' ? '' : '. You seem to be offline. Your text is kept.'
      await expect(dialog.getByRole('alert')).toHaveText(`Failed to create comment${offline}`)
      await dialog.getByRole('button', { name: 'Post Comment' }).click()
      await expect(dialog).toBeHidden()
      await page.reload()
      await expect(page.getByRole('heading', { name: 'Comments (1)' })).toBeVisible()
      await expect(post(page, 'Sent once').getByRole('button', { name: /Delete/ })).toHaveCount(1)
    },
  )
})

test('makes a reply a comment on the thread if its comment was deleted meanwhile, and keeps text and image', async () => {
  const { path, threads } = await client.createBoard('Orphans')
  const { thread } = await client.post(threads, { title: 'Orphans', content: 'First', author: 'ferrite' })
  const comments = `${threads}/${thread.id}/comments`
  const made = await client.post(comments, { content: 'Soon deleted', author: 'ferrite' })
  const page = await site.visit(`${path}/thread/${thread.id}`)
  await post(page, 'Soon deleted').getByRole('button', { name: 'Reply' }).first().click()
  const dialog = page.getByRole('dialog')
  const fill = (label: string, text: string) => dialog.getByLabel(label, { exact: true }).fill(text)
  await fill('Content', 'An answer')
  await fill('Username', 'gl1tch')
  await dialog.locator('input[type=file]').setInputFiles({
    name: 'picture.png',
    mimeType: 'image/png',
    buffer: await stillImage().png().toBuffer(),
  })
  await client.call('DELETE', `${comments}/${made.comment.id}`, { deleteToken: made.deleteToken })
  await solveCaptcha(page)
  await dialog.getByRole('button', { name: 'Post Reply' }).click()
  await expect(dialog.getByRole('alert')).toContainText('The comment was deleted meanwhile.')
  await expect(dialog.getByLabel('Content', { exact: true })).toHaveValue('An answer')
  const drafts = () => page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('draft:')))
  await expect.poll(drafts).toEqual([`draft:${thread.id}`])
  await solveCaptcha(page)
  await dialog.getByRole('button', { name: 'Post Comment' }).click()
  await expect(dialog).toBeHidden()
  await expect(post(page, 'An answer').locator('img').first()).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Comments (1)' })).toBeVisible()
})

test.runIf(isDeep)('shows a deleted comment without a name, and its replies', async () => {
  const { path, threads } = await client.createBoard('Stubs')
  const opening = { title: 'Stubs', content: 'First', author: 'ferrite' }
  const { thread, deleteToken: threadToken } = await client.post(threads, opening)
  const comments = `${threads}/${thread.id}/comments`
  const { comment, deleteToken } = await client.post(comments, { content: 'Soon deleted', author: 'mira' })
  await client.post(`${comments}/${comment.id}/replies`, { content: 'An answer', author: 'gl1tch' })
  await client.call('DELETE', `${comments}/${comment.id}`, { deleteToken })
  const page = await site.visit(`${path}/thread/${thread.id}`)
  const name = `No. ${comment.id}, deleted by its author`
  const stub = page.getByRole('article', { name, exact: true })
  await expect(stub).toContainText('Deleted by its author')
  await expect(stub.getByRole('article', { name: /^Reply No\. \d+ by gl1tch$/ })).toContainText('An answer')
  await expect(page.getByRole('heading', { name: 'Taking part' }).locator('+ p > *')).toHaveText(['ferrite', 'gl1tch'])
  await stub.getByRole('button', { name: 'Reply', exact: true }).first().click()
  await expect(page.getByRole('dialog')).toContainText(name)
  await page.goto(`${path}/post?comment=${comment.id}`)
  await expect(page.locator('blockquote')).toHaveText(name)

  const reader = await site.visit(`${path}/thread/${thread.id}`)
  await expect(reader.getByText('ferrite').first()).toBeVisible()
  await client.call('DELETE', `${threads}/${thread.id}`, { deleteToken: threadToken })
  await expect(reader.locator(`article#p${thread.id}`)).toContainText('Deleted by its author')
  await expect(reader.getByText('ferrite')).toHaveCount(0)
  for (const list of [path, `${path}/catalog`, '/dtpchan/all']) {
    await page.goto(list)
    await expect(page.getByRole('article', { name: 'Stubs', exact: true })).toContainText('Deleted by its author')
  }
})

test.runIf(isDeep)('counts no deleted comment that goes with its last reply', async () => {
  const { path, threads } = await client.createBoard('Counts')
  const { thread } = await client.post(threads, { title: 'Counts', content: 'First' })
  const comments = `${threads}/${thread.id}/comments`
  await client.post(comments, { content: 'Stays' })
  const { comment, deleteToken } = await client.post(comments, { content: 'Answered' })
  const replies = `${comments}/${comment.id}/replies`
  const { reply, deleteToken: replyToken } = await client.post(replies, { content: 'An answer' })
  const page = await site.visit(`${path}/thread/${thread.id}`)
  await client.call('DELETE', `${comments}/${comment.id}`, { deleteToken })
  await expect(page.getByText('Deleted by its author')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Comments (1)' })).toBeVisible()
  const heading = page.getByRole('heading', { name: /^Comments/ })
  const shown = await heading.evaluateHandle((element) => {
    const texts: (string | null)[] = []
    new MutationObserver(() => texts.push(element.textContent)).observe(element, { characterData: true, subtree: true })
    return texts
  })
  await client.call('DELETE', `${replies}/${reply.id}`, { deleteToken: replyToken })
  await expect(page.getByText('Deleted by its author')).toHaveCount(0)
  await client.post(comments, { content: 'Last' })
  await expect(page.getByRole('heading', { name: 'Comments (2)' })).toBeVisible()
  expectValue(await shown.jsonValue()).toEqual(['Comments (2)'])
})

test.runIf(isDeep)('keeps the scroll position when a comment arrives', async () => {
  const { path, threads } = await client.createBoard('Still')
  const { thread } = await client.post(threads, { title: 'Long', content: 'word '.repeat(2500) })
  const comments = `${threads}/${thread.id}/comments`
  const { comment: above } = await client.post(comments, { content: 'above one' })
  for (const content of ['marker', 'tail '.repeat(1500)]) await client.post(comments, { content })
  const reader = await site.visit(`${path}/thread/${thread.id}`, { viewport: { width: 1000, height: 500 } })
  const marker = post(reader, 'marker')
  await marker.evaluate((element) => element.scrollIntoView({ block: 'start' }))
  await reader.mouse.wheel(0, 1)
  const before = (await marker.boundingBox())?.y ?? 0
  await client.post(`${comments}/${above.id}/replies`, { content: 'grows above' })
  await expect(reader.getByText('grows above')).toBeAttached()
  await expect.poll(async () => Math.abs(((await marker.boundingBox())?.y ?? 0) - before)).toBeLessThan(2)
})

/** Drops a file on an element of the open dialog. Returns whether the browser would have opened the file. */
const drop = (page: Page, selector: string, name: string, type: string, bytes: Buffer) =>
  page.evaluate(
    ([where, fileName, mimeType, base64]) => {
      const data = new DataTransfer()
      const content = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
      data.items.add(new File([content], fileName, { type: mimeType }))
      const fire = (kind: string) =>
        document
          .querySelector(where)
          ?.dispatchEvent(new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }))
      return { opens: fire('dragover') === true || fire('drop') === true }
    },
    [selector, name, type, bytes.toString('base64')] as const,
  )

test.runIf(isDeep)(
  'accepts an image pasted into or dropped on the dialog, and never opens a dropped file',
  async () => {
    const { path } = await client.createBoard('Pasted')
    const page = await site.visit(path, { permissions: ['clipboard-read', 'clipboard-write'] })
    await page.getByRole('button', { name: 'Create Thread' }).first().click()
    const dialog = page.getByRole('dialog')
    const png = await stillImage(300, 200).png().toBuffer()
    await page.evaluate(async (base64) => {
      const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
      await navigator.clipboard.write([new ClipboardItem({ 'image/png': new Blob([bytes], { type: 'image/png' }) })])
    }, png.toString('base64'))
    await dialog.getByLabel('Content', { exact: true }).focus()
    await page.keyboard.press('Control+V')
    await expect(dialog.getByText('image.png')).toBeVisible()
    await dialog.getByRole('button', { name: 'Remove file' }).click()

    for (const place of ['dialog[open]', 'dialog[open] h2', 'dialog[open] textarea', 'dialog[open] input[type=file]']) {
      expect(await drop(page, place, 'dropped.png', 'image/png', png)).toEqual({ opens: false })
      await expect(dialog.getByText('dropped.png')).toBeVisible()
      await dialog.getByRole('button', { name: 'Remove file' }).click()
      await expect(dialog.getByText('dropped.png')).toHaveCount(0)
    }
    await page.evaluate(() => navigator.clipboard.writeText('only words'))
    await dialog.getByLabel('Content', { exact: true }).focus()
    await page.keyboard.press('Control+V')
    await expect(dialog.getByLabel('Content', { exact: true })).toHaveValue('only words')

    await drop(page, 'dialog[open] h2', 'dropped.png', 'image/png', png)
    await send(page, { Title: 'With a drop', Username: 'me' }, 'Create Thread')
    await expect(page.getByRole('img', { name: /Attached/ }).first()).toBeVisible()
  },
)

test('creates a board in a dialog, which opens no dropped file', async () => {
  const admin = await site.visit('/dtpchan')
  await site.logIn(admin)
  await admin.getByRole('button', { name: 'Create New Board' }).first().click()
  const file = Buffer.from('hello')
  expect(await drop(admin, 'dialog[open] h2', 'notes.txt', 'text/plain', file)).toEqual({ opens: false })
  const dialog = admin.getByRole('dialog', { name: 'Create New Board' })
  await dialog.getByLabel('Board Name').fill('Fresh')
  await dialog.getByLabel('Description').fill('All that is new')
  await dialog.getByRole('button', { name: 'Create', exact: false }).last().click()
  await expect(dialog).toBeHidden()
  await expect(admin.getByRole('heading', { name: 'Fresh', exact: true })).toBeVisible()
})

test.runIf(isDeep)('shows an error for an invalid image until it is removed', async () => {
  const { path } = await client.createBoard('Wrong')
  const page = await site.visit(path)
  await page.getByRole('button', { name: 'Create Thread' }).first().click()
  const dialog = page.getByRole('dialog')
  const alert = dialog.getByRole('alert')
  const wrong: [name: string, type: string, bytes: Buffer, text: string][] = [
    ['notes.txt', 'text/plain', Buffer.from('hello'), 'Please select a valid image file'],
    ['drawing.svg', 'image/svg+xml', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'Please select a valid'],
    ['renamed.png', 'image/png', noiseBytes(1000), 'Please select a valid image file'],
    ['big.png', 'image/png', noiseBytes(5 * 1024 * 1024 + 1), 'File size must be less than 5MB'],
    ['large.png', 'image/png', oversizedImage(), 'This image has too many pixels'],
  ]
  for (const [name, mimeType, buffer, text] of wrong) {
    await dialog.locator('input[type=file]').setInputFiles({ name, mimeType, buffer })
    await expect(alert).toContainText(text)
    await dialog.getByRole('button', { name: 'Remove file' }).click()
    await expect(alert).toHaveCount(0)
    await expect(dialog.getByText(text)).toHaveCount(0)
  }
  const [first] = wrong
  await dialog
    .locator('input[type=file]')
    .setInputFiles({ name: first?.[0] ?? '', mimeType: '', buffer: noiseBytes(9) })
  await expect(alert).toBeVisible()
  await dialog
    .locator('input[type=file]')
    .setInputFiles({ name: 'right.png', mimeType: 'image/png', buffer: await stillImage(40, 40).png().toBuffer() })
  await expect(dialog.getByText('right.png')).toBeVisible()
  await expect(alert).toHaveCount(0)
})

test.runIf(isDeep)('shows all 100 characters of the latest comment on a card', async () => {
  const { path, threads } = await client.createBoard('Preview')
  const image = new File([await stillImage(600, 400).png().toBuffer()], 'a.png', { type: 'image/png' })
  const { thread } = await client.post(threads, { title: 'Card', content: 'short', image })
  await client.post(`${threads}/${thread.id}/comments`, { content: 'Wide enough words '.repeat(9) })
  const page = await site.visit(path)
  for (const viewport of [DESKTOP, PHONE]) {
    await page.setViewportSize(viewport)
    const preview = page.getByText('Wide enough words')
    await expect(preview).toBeVisible()
    expect((await preview.textContent())?.length).toBeGreaterThanOrEqual(100)
    const hidden = await preview.evaluate(
      (element) => element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight,
    )
    expect(hidden).toBe(false)
  }
})
