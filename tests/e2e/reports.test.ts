import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect as expectValue, test } from 'vitest'
import { solveQuestion } from '#tests/helpers/apiCalls.ts'
import { type BrowserSite, DESKTOP, expect, PHONE, startBrowserSite } from '#tests/helpers/browser.ts'
import { isDeep } from '#tests/helpers/depth.ts'
import { pressOn, tabTo } from '#tests/helpers/keyboard.ts'
import { createBoardWithThread, type SiteClient } from '#tests/helpers/siteClient.ts'

const QUESTION = /^What is \d+ [+−×] \d+\?$/
let site: BrowserSite
let client: SiteClient
let threads: string
let thread: string

beforeAll(async () => {
  site = await startBrowserSite({ ABUSE_CONTACT: 'abuse@example.org' })
  const made = await createBoardWithThread(site.server.origin, 'Watched')
  threads = `${made.threads}/${made.threadId}`
  thread = made.path
  client = made.client
})
afterAll(() => site.close())

const createComment = async (content: string): Promise<number> =>
  (await client.post(`${threads}/comments`, { content })).comment.id

const createPaste = async (content: string): Promise<string> => {
  const { url } = await client.call('POST', '/api/paste', { content, expiryHours: 1 })
  return new URL(url).pathname
}

const solveShownCaptcha = async (page: Page): Promise<string> =>
  String(solveQuestion((await page.getByText(QUESTION).textContent()) ?? ''))

const answerCaptcha = async (page: Page): Promise<void> => page.getByLabel(QUESTION).fill(await solveShownCaptcha(page))

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
    await expect(page.getByRole('alert')).toHaveText('Wrong or expired answer. Your text is safe; solve the new one.')
    await expect(page.getByLabel('Details')).toHaveValue('He means me.')
    await expect(page.getByLabel('Reason')).toHaveValue('harassment')
    await answerCaptcha(page)
    await page.getByRole('button', { name: 'Send report' }).click()
    await expect(page.getByText('Your report was sent.')).toBeVisible()
    await expect(page.getByRole('link', { name: 'abuse@example.org' })).toBeVisible()
    for (const unknown of ['999999999', '0', '%00', 'x'.repeat(3000)]) {
      const answer = await page.goto(`/report?post=${unknown}`, { waitUntil: 'commit' })
      expectValue(answer?.status()).toBe(200)
      await expect(page.getByLabel('URL')).toHaveValue('')
    }
  })

  test('keeps the page, and so the music, with script, by keyboard alone', async () => {
    const page = await site.visit(await createPaste('a bad paste'))
    await page.evaluate(() => Object.assign(window, { isSamePage: true }))
    await pressOn(page.locator('main').getByRole('link', { name: 'Report' }))
    await tabTo(page.getByLabel('Reason'))
    await page.keyboard.type('Spam')
    await expect(page.getByLabel('Reason')).toHaveValue('spam')
    await tabTo(page.getByLabel(QUESTION))
    await page.keyboard.type('99')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('alert')).toHaveText('Wrong or expired answer. Your text is safe; solve the new one.')
    await expect(page.getByLabel(QUESTION)).toHaveValue('')
    await tabTo(page.getByLabel(QUESTION), 'Shift+Tab')
    await page.keyboard.type(await solveShownCaptcha(page))
    await pressOn(page.getByRole('button', { name: 'Send report' }))
    await expect(page.getByText('Your report was sent.')).toBeFocused()
    expectValue(await page.evaluate(() => 'isSamePage' in window)).toBe(true)
  })
})

test.runIf(isDeep)('lets an admin take down an item from its link Report', async () => {
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
