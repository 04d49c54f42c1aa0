import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect as expectValue, test } from 'vitest'
import { solveQuestion } from '#tests/helpers/apiCalls.ts'
import {
  APPEARANCES,
  type BrowserSite,
  DESKTOP,
  expect,
  expectAccessible,
  PHONE,
  startBrowserSite,
} from '#tests/helpers/browser.ts'
import { createBoardWithThread, postForm, readJson } from '#tests/helpers/siteProcess.ts'

const QUESTION = /^What is \d+ [+−×] \d+\?$/
let site: BrowserSite
let threads: string
let thread: string

beforeAll(async () => {
  site = await startBrowserSite({ ABUSE_CONTACT: 'abuse@example.org' })
  const made = await createBoardWithThread(site.server.origin, 'Watched')
  threads = `${made.threads}/${made.threadId}`
  thread = `/dtpchan/board/watched/thread/${made.threadId}`
})
afterAll(() => site.close())

const createComment = async (content: string): Promise<number> =>
  (await postForm(site.server.origin, `${threads}/comments`, { content })).comment.id

const createPaste = async (content: string): Promise<string> => {
  const answer = await fetch(`${site.server.origin}/api/paste`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ content, expiryHours: 1 }),
  })
  return new URL((await readJson(answer)).url).pathname
}

const status = async (path: string) => (await fetch(`${site.server.origin}${path}`)).status

async function answerCaptcha(page: Page): Promise<void> {
  const question = (await page.getByText(QUESTION).textContent()) ?? ''
  await page.getByLabel(QUESTION).fill(String(solveQuestion(question)))
}

const report = (path: string) =>
  postForm(site.server.origin, '/api/moderation/reports', { url: path, reason: 'illegal', text: 'Look at this.' })

describe('the report form', () => {
  test('works without script, and keeps the fields of a refused report', async () => {
    const comment = await createComment('reported without script')
    const page = await site.visit('/robots.txt', { javaScriptEnabled: false, viewport: PHONE })
    await page.goto(thread, { waitUntil: 'commit' })
    await page.locator(`#p${comment}`).getByRole('link', { name: 'Report' }).click()
    await expect(page.getByLabel('URL')).toHaveValue(`${thread}#p${comment}`)
    await page.getByLabel('Reason').selectOption('Harassment or threats')
    await page.getByLabel('Details').fill('He means me.')
    await page.getByLabel(QUESTION).fill('99')
    await page.getByRole('button', { name: 'Send report' }).click()
    await expect(page.getByRole('alert')).toHaveText('The captcha answer is wrong or has expired')
    await expect(page.getByLabel('Details')).toHaveValue('He means me.')
    await expect(page.getByLabel('Reason')).toHaveValue('harassment')
    await answerCaptcha(page)
    await page.getByRole('button', { name: 'Send report' }).click()
    await expect(page.getByText('Your report was sent.')).toBeVisible()
    await expect(page.getByRole('link', { name: 'abuse@example.org' })).toBeVisible()
  })

  test('keeps the page, and so the music, with script', async () => {
    const page = await site.visit(await createPaste('a bad paste'))
    await page.evaluate(() => Object.assign(window, { isSamePage: true }))
    await page.locator('main').getByRole('link', { name: 'Report' }).click()
    await page.getByLabel('Reason').selectOption('Spam or advertising')
    await page.getByLabel(QUESTION).fill('99')
    await page.getByRole('button', { name: 'Send report' }).click()
    await expect(page.getByRole('alert')).toHaveText('The captcha answer is wrong or has expired')
    await answerCaptcha(page)
    await page.getByRole('button', { name: 'Send report' }).click()
    await expect(page.getByText('Your report was sent.')).toBeFocused()
    expectValue(await page.evaluate(() => 'isSamePage' in window)).toBe(true)
  })

  test.each(APPEARANCES)('is accessible in $colorScheme', async (appearance) => {
    const page = await site.visit(`/report?url=${encodeURIComponent(thread)}`, appearance)
    await expect(page.getByLabel('Post number')).toBeVisible()
    await expectAccessible(page)
  })
})

describe('the queue', () => {
  test('takes a report to gone everywhere in three taps on a phone', async () => {
    const paste = await createPaste('the worst paste')
    await report(paste)
    const page = await site.visit('/login', { viewport: PHONE, hasTouch: true })
    await site.logIn(page)
    await page.goto('/admin')
    await page.getByRole('link', { name: 'Queue' }).tap()
    const item = page.getByRole('article')
    while (!(await item.textContent())?.includes('the worst paste')) {
      const text = await item.textContent()
      await page.getByRole('button', { name: 'Later' }).click()
      await expect(item).not.toHaveText(text ?? '')
    }
    await page.getByRole('button', { name: 'Take down' }).tap()
    const started = Date.now()
    await page.getByRole('button', { name: 'Take down for good' }).tap()
    await expect.poll(() => status(`${paste}/raw`), { intervals: [20] }).toBe(410)
    expectValue(Date.now() - started).toBeLessThan(1000)
    expectValue(await status(paste)).toBe(410)
  })

  test('is worked through with one key per action', async () => {
    const [kept, deleted, erased] = [
      await createComment('dismiss me'),
      await createComment('delete me'),
      await createComment('erase me'),
    ]
    for (const id of [kept, deleted, erased]) await report(`${thread}#p${id}`)
    const page = await site.visit('/login')
    await site.logIn(page)
    await page.goto('/admin/queue')
    const item = page.getByRole('article')
    const keys: Record<string, string[]> = { 'dismiss me': ['x'], 'delete me': ['d'], 'erase me': ['t', 't'] }
    await expect(item).toBeVisible()
    for (let open = 1; open > 0; open = await item.count()) {
      const text = (await item.textContent()) ?? ''
      const [, wanted] = Object.entries(keys).find(([words]) => text.includes(words)) ?? [null, ['n']]
      for (const key of wanted) await page.keyboard.press(key)
      await expect
        .poll(async () => (await item.count()) === 0 || (await item.textContent({ timeout: 100 })) !== text)
        .toBe(true)
    }
    await expect(page.getByText('Nothing waits for a review.')).toBeVisible()
    const { comments } = (await readJson(await fetch(`${site.server.origin}${threads}`))).thread
    const contents = comments.map(({ content }: { content: string }) => content)
    expectValue(contents).toContain('dismiss me')
    for (const gone of ['delete me', 'erase me']) expectValue(contents).not.toContain(gone)
  })

  test.each(APPEARANCES)('is accessible in $colorScheme', async (appearance) => {
    await report(`${thread}#p${await createComment('to be judged')}`)
    const page = await site.visit('/login', appearance)
    await site.logIn(page)
    await page.goto('/admin/queue')
    await expect(page.getByRole('article')).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Take down' }).click()
    await expectAccessible(page)
  })
})

test('lets an admin take down an item from its link Report', async () => {
  const paste = await createPaste('seen by an admin')
  const page = await site.visit(paste, { viewport: DESKTOP })
  await site.logIn(page)
  await page.locator('main').getByRole('link', { name: 'Report' }).click()
  await page.getByRole('button', { name: 'Take down' }).click()
  await page.getByRole('button', { name: 'Take down for good' }).click()
  await expect(page.getByText('It is taken down everywhere.')).toBeVisible()
  const answer = await page.goto(paste)
  expectValue(answer?.status()).toBe(410)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('This was taken down')
})
