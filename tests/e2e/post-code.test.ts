import type { Page } from 'playwright'
import { afterAll, beforeAll, expect as expectValue, test } from 'vitest'
import { type BrowserSite, expect, expectAccessibleInAllLooks, startBrowserSite } from '#tests/helpers/browser.ts'
import { isDeep } from '#tests/helpers/depth.ts'
import { createBoardWithThread, createSiteClient, postForm } from '#tests/helpers/siteClient.ts'
import { visitStrictly } from '#tests/helpers/strictBrowser.ts'

const CODE = `def answer():\n    # a comment\n    return "${'x'.repeat(200)}" + >>1`

let site: BrowserSite
let path: string
let comments: string
let commentId: number
beforeAll(async () => {
  site = await startBrowserSite()
  const { origin } = site.server
  const { threads, threadId } = await createBoardWithThread(origin, 'Code')
  comments = `${threads}/${threadId}/comments`
  const content = `Run \`make\` first.\nThen [spoiler]wait[/spoiler]:\n\`\`\`python\n${CODE}\n\`\`\``
  commentId = (await postForm(origin, comments, { content })).comment.id
  path = `/dtpchan/board/code/thread/${threadId}`
})
afterAll(() => site.close())

const block = (page: Page, id = commentId) => page.locator(`#p${id} figure`)
/** Selects the text of a post from its first character. */
const select = (page: Page, id: number) =>
  page.evaluate((postId) => {
    const text = document.querySelector(`#p${postId} p`)?.parentElement
    if (text) getSelection()?.setBaseAndExtent(text, 0, text, 1)
  }, id)

test('shows code with colours without script', async () => {
  const page = await visitStrictly(site, path)
  await page.waitForLoadState()
  await expect(page.locator(`#p${commentId} p code`)).toHaveText('make')
  await expect(block(page).locator('figcaption')).toHaveText('python')
  expectValue(await block(page).locator('code').textContent()).toBe(CODE)
  const colours = await block(page)
    .locator('code, code span')
    .evaluateAll((parts) => parts.map((part) => getComputedStyle(part).color))
  expectValue(new Set(colours).size).toBeGreaterThan(3)
})

test.runIf(isDeep).each([true, false])('shows a card of an own item; with script: %s', async (javaScriptEnabled) => {
  const { origin } = site.server
  const { url } = await createSiteClient(origin).call('POST', '/api/paste', { content: 'A text', expiryHours: 1 })
  const { comment } = await postForm(origin, comments, { content: `A list: ${url}` })
  // A page that changes often is rendered at most twice a second.
  await expect.poll(async () => (await fetch(origin + path)).text()).toContain(` id=p${comment.id} `)
  const page = javaScriptEnabled ? await site.visit(path) : await visitStrictly(site, path)
  const card = page.locator(`#p${comment.id} li`).getByRole('link')
  await expect(card).toContainText('Paste')
  await expect(card).toHaveAttribute('href', new URL(url).pathname)
  if (javaScriptEnabled) await expectAccessibleInAllLooks(page)
})

test('copies code, scrolls it by keyboard, and is accessible in all looks', async () => {
  const page = await site.visit(path, { permissions: ['clipboard-read', 'clipboard-write'] })
  await block(page).getByRole('button', { name: 'Copy code' }).click()
  await expect(block(page).getByRole('status')).toHaveText('Copied!')
  expectValue(await page.evaluate(() => navigator.clipboard.readText())).toBe(CODE)
  const code = block(page).locator('pre')
  await code.focus()
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => code.evaluate((element) => element.scrollLeft)).toBeGreaterThan(0)
  // Spoilers open once the page is hydrated, as its local times tell.
  await page.locator('article time[title]').first().waitFor()
  await page.getByRole('button', { name: 'Spoiler' }).press('Enter')
  await expect(page.getByText('wait', { exact: true })).toBeVisible()
  // The colours of a new post come with its event.
  const { comment } = await postForm(site.server.origin, comments, { content: '```js\nlet a = "b"\n```' })
  await expect(block(page, comment.id).locator('pre span').first()).toHaveText('let')
  await expect(block(page, comment.id).getByRole('button', { name: 'Copy code' })).toBeVisible()
  await expectAccessibleInAllLooks(page)
})

test('quotes selected text with the button and with a key', async () => {
  const page = await site.visit(path)
  await page.locator('html[data-reading]').waitFor({ state: 'attached' })
  await select(page, commentId)
  await page.getByRole('button', { name: `Quote from No. ${commentId}` }).click()
  const content = page.getByRole('textbox', { name: 'Content' })
  // The spoiler stays one, and the code stays literal.
  const quoted = `>>${commentId}\n>Run \`make\` first.\n>Then [spoiler]wait[/spoiler]:\n`
  await expect(content).toHaveValue(quoted)
  await content.pressSequentially('I agree')
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await select(page, commentId)
  await page.keyboard.press('q')
  await expect(content).toHaveValue(`${quoted}I agree`)
})

test('quotes code without its label and button, and a part of a spoiler as a spoiler', async () => {
  const text = 'See [spoiler]all of it[/spoiler]\n```js\n  let a = ">>1"\n\n[spoiler]b[/spoiler]\n```\n>5'
  const { comment } = await postForm(site.server.origin, comments, { content: text })
  const page = await site.visit(path)
  await page.locator('html[data-reading]').waitFor({ state: 'attached' })
  await expect(block(page, comment.id).getByRole('button', { name: 'Copy code' })).toBeVisible()
  await page.evaluate((id) => {
    const post = document.querySelector(`#p${id}`)
    const hidden = [...(post?.querySelectorAll('p span') ?? [])].findLast((one) => one.textContent === 'all of it')
    const last = [...(post?.querySelectorAll('p') ?? [])].at(-1)
    const [from, to] = [hidden?.firstChild, last?.firstChild]
    if (from && to) getSelection()?.setBaseAndExtent(from, 7, to, 2)
  }, comment.id)
  await page.keyboard.press('q')
  await expect(page.getByRole('textbox', { name: 'Content' })).toHaveValue(
    `>>${comment.id}\n>[spoiler]it[/spoiler]\n>  \`let a = ">>1"\`\n>\`[spoiler]b[/spoiler]\`\n> >5\n`,
  )
})

test.runIf(isDeep)('offers to quote a text that was selected before the code for it loaded', async () => {
  const page = await site.visit('/robots.txt')
  await page.addInitScript(() => {
    Object.assign(window, { requestIdleCallback: (run: () => void) => addEventListener('idle', run) })
  })
  await page.goto(path)
  await select(page, commentId)
  await page.evaluate(() => dispatchEvent(new Event('idle')))
  await expect(page.getByRole('button', { name: `Quote from No. ${commentId}` })).toBeVisible()
})
