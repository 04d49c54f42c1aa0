import { truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect as expectValue, test } from 'vitest'
import { t } from '#src/i18n/t.ts'
import { solveQuestion } from '#tests/helpers/apiCalls.ts'
import { APPEARANCES, type BrowserSite, DESKTOP, expect, PHONE, startBrowserSite } from '#tests/helpers/browser.ts'
import { findWordlessControls } from '#tests/helpers/deadControls.ts'
import { createDeferred } from '#tests/helpers/deferred.ts'
import { isDeep, someOf } from '#tests/helpers/depth.ts'
import { stillImage } from '#tests/helpers/sampleImages.ts'
import { createBoardWithThread, type SiteClient } from '#tests/helpers/siteClient.ts'
import { visitStrictly } from '#tests/helpers/strictBrowser.ts'

const QUESTION = /^What is \d+ [+−×] \d+\?$/
const LOST_PICTURE = 'The page cannot keep images. Please choose them again.'
let site: BrowserSite
let client: SiteClient
let board: string
let thread: string
/** the page with the form for a comment */
let form: string
let threads: string
/** When this network becomes a regular: its first post must be a minute old. */
let regularAt: number

beforeAll(async () => {
  site = await startBrowserSite()
  const made = await createBoardWithThread(site.server.origin, 'Plain')
  client = made.client
  threads = made.threads
  board = '/dtpchan/board/plain'
  thread = made.path
  form = `${board}/post?thread=${made.threadId}`
  regularAt = Date.now() + 61_000
})
afterAll(() => site.close())

const solve = async (page: Page) => String(solveQuestion((await page.getByText(QUESTION).textContent()) ?? ''))
const alertOf = (page: Page) => page.getByRole('main').getByRole('alert')

async function fill(page: Page, fields: Record<string, string>, pictures: Buffer[] = []): Promise<void> {
  for (const [label, value] of Object.entries({ Username: 'plain', ...fields }))
    await page.getByLabel(label, { exact: true }).fill(value)
  if (pictures.length > 0) {
    const files = pictures.map((buffer) => ({ name: 'a.png', mimeType: 'image/png', buffer }))
    await page.getByLabel('Upload Image').setInputFiles(files)
  }
  await page.getByLabel('Captcha').fill(await solve(page))
}

describe.each(
  someOf([
    ['phone', PHONE],
    ['desktop', DESKTOP],
  ]),
)('a visitor without script, SVG and web fonts on a %s', (name, viewport) => {
  test('posts a thread with pictures, a comment with links, and a reply, and reads them', async () => {
    const picture = await stillImage(600, 400).png().toBuffer()
    const page = await visitStrictly(site, '/dtpchan', { viewport })
    await page.locator(`a[href="${board}"]`).last().click()
    expectValue(await findWordlessControls(page)).toEqual([])
    await page.getByRole('link', { name: 'Create Thread' }).first().click()
    await expect(page).toHaveURL(`${site.server.origin}${board}/post`)
    expectValue(await findWordlessControls(page)).toEqual([])
    await fill(page, { Title: `Without script, ${name}`, Content: 'All [spoiler]secret[/spoiler]' }, [picture, picture])
    await page.getByRole('button', { name: 'Create Thread' }).click()

    await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Without script, ${name}`)
    expectValue(new URL(page.url()).pathname).toMatch(/\/thread\/\d+$/)
    await expect(page.getByAltText(/^Full size of No\. \d+, image 2 of 2$/)).toBeVisible()
    await page.getByRole('link', { name: 'Comment', exact: true }).first().click()
    await fill(page, { Content: 'A comment', Links: 'https://example.org/a, https://example.org/b' })
    await page.getByRole('button', { name: 'Post Comment' }).click()

    await expect(page.getByText('A comment')).toBeVisible()
    expectValue(new URL(page.url()).hash).toMatch(/^#p\d+$/)
    await expect(page.getByRole('link', { name: 'example.org/b' })).toBeVisible()
    await page.getByRole('link', { name: 'Reply', exact: true }).click()
    await expect(page.getByRole('blockquote')).toContainText('A comment')
    await fill(page, { Content: 'A reply' })
    await page.getByRole('button', { name: 'Post Reply' }).click()

    const replies = page.locator('details', { hasText: 'Replies (1)' })
    await expect(replies.getByText('A reply')).toBeVisible()
    await replies.locator('summary').click()
    await expect(replies.getByText('A reply')).toBeHidden()
    await replies.locator('summary').click()
    await replies.getByRole('link', { name: 'Reply', exact: true }).click()
    await expect(page.getByLabel('Content')).toHaveValue(/^>>\d+\n/)
    expectValue(await findWordlessControls(page)).toEqual([])
  })
})

test.runIf(isDeep)('a refused post keeps the text, asks for the picture again, and gets a new captcha', async () => {
  const page = await visitStrictly(site, form)
  await fill(page, { Content: 'Kept text', Links: '["https://example.org"]' }, [
    await stillImage(20, 20).png().toBuffer(),
  ])
  const question = await page.getByText(QUESTION).textContent()
  await page.getByLabel('Captcha').fill('999')
  await page.getByRole('button', { name: 'Post Comment' }).click()
  await expect(alertOf(page)).toHaveText(t('board.captchaRefused'))
  await expect(page.getByLabel('Content')).toHaveValue('Kept text')
  await expect(page.getByLabel('Username')).toHaveValue('plain')
  await expect(page.getByLabel('Links')).toHaveValue('["https://example.org"]')
  await expect(page.getByText(LOST_PICTURE)).toBeVisible()
  await expect(page.getByLabel('Captcha')).toBeFocused()
  expectValue(await page.locator('[name=challengeId]').inputValue()).not.toBe('')
  expectValue(question).toMatch(QUESTION)
  await page.getByLabel('Captcha').fill(await solve(page))
  await page.getByRole('button', { name: 'Post Comment' }).click()
  await expect(page.getByText('Kept text')).toBeVisible()
})

test.runIf(isDeep)('a post that is too long, or that nobody may send, is refused at the top of its page', async () => {
  const page = await visitStrictly(site, `${board}/post`)
  await fill(page, { Title: 'x'.repeat(201), Content: 'Long title' })
  await page.getByRole('button', { name: 'Create Thread' }).click()
  await expect(alertOf(page)).toContainText('200')
  await expect(page.getByLabel('Title')).toHaveValue('x'.repeat(201))
  await client.withSwitch('read-only', async () => {
    await fill(page, { Title: 'Short' })
    await page.getByRole('button', { name: 'Create Thread' }).click()
    await expect(alertOf(page)).toContainText('read-only')
    await expect(alertOf(page).locator('..')).toBeFocused()
    await expect(page.getByLabel('Content')).toHaveValue('Long title')
  })
})

test.runIf(isDeep)('a post of a regular that waits during a raid says until when', async () => {
  await sleep(regularAt - Date.now())
  await client.withSwitch('proof-of-work', async () => {
    const page = await visitStrictly(site, form)
    await expect(page.getByText(t('switch.proofOfWork'))).toBeVisible()
    await fill(page, { Content: 'Sent during a raid' })
    await page.getByRole('button', { name: 'Post Comment' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your post will appear in about a minute')
    await expect(page.getByText(/^It has the number \d+\. Expected: .* UTC\.$/)).toBeVisible()
  })
  await client.withSwitch('hold-posts', async () => {
    const page = await visitStrictly(site, `${board}/post`)
    await fill(page, { Title: 'Held', Content: 'Waits for a moderator' })
    await page.getByRole('button', { name: 'Create Thread' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your post is waiting for review')
    await expect(page.getByText(/when a moderator publishes it/)).toBeVisible()
    await page.getByRole('link', { name: 'Back to /plain/' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toContainText('/plain/')
  })
})

test('a locked thread offers no form', async () => {
  const locked = await client.post(threads, { title: 'Locked', content: 'x' })
  const path = `${board}/post?thread=${locked.thread.id}`
  const page = await visitStrictly(site, path)
  await fill(page, { Content: 'Too late' })
  await client.call('POST', '/api/moderation/act', { boardId: 'plain', postId: locked.thread.id, action: 'lock' })
  await page.getByRole('button', { name: 'Post Comment' }).click()
  await expect(alertOf(page)).toHaveText('This thread is locked')
  await expect(page.getByLabel('Content')).toHaveValue('Too late')
  await page.goto(path, { waitUntil: 'commit' })
  await expect(page.getByText('It takes no new comments.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Post Comment' })).toHaveCount(0)
})

test.runIf(isDeep)('a post in a thread that was deleted meanwhile keeps the text', async () => {
  const { thread: deleted } = await client.post(threads, { title: 'Deleted', content: 'x' })
  const page = await visitStrictly(site, `${board}/post?thread=${deleted.id}`, { viewport: PHONE })
  await fill(page, { Username: 'plain##secret', Content: 'Kept text' })
  await client.call('DELETE', `${threads}/${deleted.id}`)
  await page.getByRole('button', { name: 'Post Comment' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Thread not found')
  await expect(page.getByRole('region', { name: 'What you wrote' })).toBeVisible()
  await expect(page.getByLabel('Content')).toHaveValue('Kept text')
  await expect(page.getByLabel('Username')).toHaveValue('plain##')
  expectValue(await findWordlessControls(page)).toEqual([])
})

test.runIf(isDeep).each(someOf([300, 30]))(
  'a post with an image of %i MiB is refused with its reason, and keeps the text',
  async (mebibytes) => {
    const path = join(site.location.dataDir, `${mebibytes}.png`)
    await writeFile(path, '')
    await truncate(path, mebibytes * 1024 * 1024)
    const page = await visitStrictly(site, `${board}/post`)
    await fill(page, { Title: 'Kept title', Content: 'Kept text' })
    await page.getByLabel('Upload Image').setInputFiles(path)
    await page.getByRole('button', { name: 'Create Thread' }).click()
    await expect(alertOf(page)).toHaveText(t('image.size'))
    await expect(page.getByLabel('Title')).toHaveValue('Kept title')
    await expect(page.getByLabel('Content')).toHaveValue('Kept text')
  },
)

describe('the page of a form with script', () => {
  test.each(someOf(APPEARANCES))('sends the post and keeps the page, and so the music, $colorScheme', async (look) => {
    const page = await site.visit(form, look)
    await page.evaluate(() => Object.assign(window, { isSamePage: true }))
    const text = `Sent with script, ${look.colorScheme}`
    await fill(page, { Content: text })
    await page.getByLabel('Captcha').fill('999')
    await page.getByRole('button', { name: 'Post Comment' }).click()
    await expect(alertOf(page)).toHaveText(t('board.captchaRefused'))
    await expect(page.getByLabel('Captcha')).toBeFocused()
    await expect(page.getByText(QUESTION)).toBeVisible()
    await page.getByLabel('Captcha').fill(await solve(page))
    await page.getByRole('button', { name: 'Post Comment' }).click()
    await expect(page.getByText(text)).toBeVisible()
    await expect(page).toHaveURL(/#p\d+$/)
    expectValue(await page.evaluate(() => 'isSamePage' in window)).toBe(true)
  })

  test.runIf(isDeep)('stays on the page that the visitor opened while the post was sent', async () => {
    const page = await site.visit(form)
    const released = createDeferred()
    await page.route(`**${threads}/**`, async (route) => {
      if (route.request().method() === 'POST') await released.promise
      await route.continue()
    })
    await fill(page, { Content: 'Sent while leaving' })
    await page.getByRole('button', { name: 'Post Comment' }).click()
    await page.getByRole('contentinfo').getByRole('link', { name: 'DTPChan' }).click()
    await page.waitForURL('**/dtpchan')
    released.resolve()
    await expect(page.getByText('Comment posted')).toBeVisible()
    // A navigation would start at once.
    await page.waitForTimeout(500)
    await expect(page).toHaveURL(/\/dtpchan$/)
  })

  test.runIf(isDeep)(
    'keeps the text if the browser sent it before the script, to a thread that was deleted',
    async () => {
      const { thread: deleted } = await client.post(threads, { title: 'Deleted', content: 'x' })
      const page = await site.visit(`${board}/post?thread=${deleted.id}`)
      await fill(page, { Content: 'Sent too early' })
      await client.call('DELETE', `${threads}/${deleted.id}`)
      await page.locator('main form').evaluate((element: HTMLFormElement) => element.submit())
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Thread not found')
      await expect(page.getByLabel('Content')).toHaveValue('Sent too early')
      await page.getByRole('link', { name: 'Back to /plain/' }).click()
      await expect(page.getByRole('heading', { level: 1 })).toContainText('/plain/')
    },
  )

  test.runIf(isDeep)('takes over the draft of the dialog', async () => {
    const page = await site.visit(thread)
    const opener = page.getByRole('button', { name: 'Comment', exact: true }).first()
    await opener.focus()
    await page.keyboard.press('Space')
    await page.getByRole('dialog').getByLabel('Content').fill('Begun in the dialog')
    await page.keyboard.press('Escape')
    await expect(opener).toBeFocused()
    await page.goto(form)
    await expect(page.getByLabel('Content')).toHaveValue('Begun in the dialog')
  })
})

test('a banned visitor reads the reason, keeps the text, and can appeal', async () => {
  const { thread: spam } = await client.post(threads, { title: 'Spam', content: 'Buy' })
  const endsAt = new Date(Date.now() + 86_400_000)
  const item = { kind: 'post', itemId: spam.id, boardId: null, width: 'host' }
  await client.call('POST', '/api/moderation/bans', { ...item, reason: 'Advertising', endsAt })
  const page = await visitStrictly(site, form)
  await fill(page, { Content: 'But I must say' })
  await page.getByRole('button', { name: 'Post Comment' }).click()
  await expect(alertOf(page)).toContainText('Reason: Advertising')
  await expect(page.getByLabel('Content')).toHaveValue('But I must say')
  const opened = page.context().waitForEvent('page')
  await alertOf(page).getByRole('link', { name: 'Appeal this ban' }).click()
  const appeal = await opened
  await appeal.getByLabel('Why should the ban end?').fill('It was a mistake')
  await appeal.getByRole('button', { name: 'Send appeal' }).click()
  await expect(appeal.getByText('Your appeal was sent.')).toBeVisible()
})
