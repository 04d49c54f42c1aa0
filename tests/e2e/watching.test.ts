import type { Page } from 'playwright'
import { afterAll, beforeAll, expect as expectValue, test } from 'vitest'
import { type BrowserSite, expect, expectAccessible, PHONE, startBrowserSite } from '#tests/helpers/browser.ts'
import { isDeep } from '#tests/helpers/depth.ts'
import { createPushKeys } from '#tests/helpers/pushKeys.ts'
import { createBoardWithThread, postForm } from '#tests/helpers/siteClient.ts'
import { fillPost, solve } from '#tests/helpers/states/state.ts'

let site: BrowserSite
let path: string
let comments: string
let threadId: number
beforeAll(async () => {
  // Allows the endpoint of the replaced push service.
  site = await startBrowserSite({ ALLOW_PRIVATE_NETWORK: 'on' })
  const created = await createBoardWithThread(site.server.origin, 'Watching')
  threadId = created.threadId
  comments = `${created.threads}/${threadId}/comments`
  path = `/dtpchan/board/watching/thread/${threadId}`
})
afterAll(() => site.close())

/** Posts as another visitor. */
const postElsewhere = async (content: string): Promise<number> =>
  (await postForm(site.server.origin, comments, { content })).comment.id
const menu = (page: Page) => page.getByRole('banner').getByRole('button', { name: /^Watched threads/ })
const panel = (page: Page) => page.getByRole('region', { name: 'Watched threads' })
const after = (page: Page, selector: string) =>
  page.locator(selector).evaluate((element) => getComputedStyle(element, '::after').content)

test.runIf(isDeep)('shows in a tab that was open before what another tab posted and follows', async () => {
  const shared = await createBoardWithThread(site.server.origin, 'Shared')
  const page = await site.visit(shared.path)
  const other = await page.context().newPage()
  await other.goto(shared.path)
  await other.locator('html[data-reading]').waitFor({ state: 'attached' })
  await page.bringToFront()
  await page.getByRole('button', { name: 'Comment', exact: true }).first().click()
  await fillPost(page, await solve(page))
  await page.getByRole('dialog').getByRole('button', { name: 'Post Comment' }).click()
  const { id } = await page
    .waitForFunction(() => JSON.parse(localStorage.dtpchan_own_posts ?? '[]')[0])
    .then((found) => found.jsonValue())
  await other.bringToFront()
  await expect(other.getByRole('button', { name: `Delete comment No. ${id}` })).toBeVisible()
  await expect(menu(other)).toBeVisible()
})

test('marks own posts and replies to them, and counts replies until they are seen', async () => {
  const page = await site.visit(path)
  await page.getByRole('button', { name: 'Comment', exact: true }).first().click()
  await fillPost(page, await solve(page))
  await page.getByRole('dialog').getByRole('button', { name: 'Post Comment' }).click()
  await expect(page.locator('article[id^=p]')).toHaveCount(2)
  const own = page.locator('article[id^=p]').last()
  const ownId = Number((await own.getAttribute('id'))?.slice(1))
  await expect.poll(() => after(page, `#p${ownId} header bdi`)).toBe('" (You)"')
  expectValue(await after(page, `#p${threadId} header bdi`)).toBe('none')

  // Fills the page, so that the reply is out of view.
  await postElsewhere('long text\n\n'.repeat(80))
  const replyId = await postElsewhere(`>>${ownId} a reply`)
  await expect(page).toHaveTitle(/^\(1\) /)
  await expect.poll(() => after(page, `#p${replyId} a[href$="#p${ownId}"] >> nth=0`)).toBe('" (You)"')
  const line = page.locator(`#p${replyId} > div > div`).first()
  await expect.poll(() => line.evaluate((element) => getComputedStyle(element, '::before').content)).toBe('""')
  await expect(menu(page)).toHaveAccessibleName(/1 reply/)

  await page.goto('/about')
  await expect(page).toHaveTitle(/^\(1\) /)
  // A navigation sets a title in the task in which the count is shown again.
  await page.evaluate(() => {
    document.title = 'Another page'
    dispatchEvent(new StorageEvent('storage', { key: null }))
  })
  await expect(page).toHaveTitle('(1) Another page')
  await menu(page).click()
  await expectAccessible(page)
  await panel(page)
    .getByRole('link', { name: `>>${replyId}` })
    .click()
  await expect(page.locator(`#p${replyId}`)).toBeInViewport()
  await expect(page).toHaveTitle(/^(?!\()/)
  await expect(menu(page)).toHaveAccessibleName('Watched threads')
})

test('watches a thread, links to the first unread post, and forgets the thread', async () => {
  const page = await site.visit(path, { viewport: PHONE, colorScheme: 'light' })
  await page.getByRole('button', { name: 'Watch', exact: true }).click()
  // Unread is what was not on screen yet.
  await expect(menu(page)).toHaveAccessibleName(/1 thread with new posts/)
  await page.locator('article[id^=p]').last().scrollIntoViewIfNeeded()
  await expect(menu(page)).toHaveAccessibleName('Watched threads')
  await expect(page.getByRole('button', { name: 'Watching', exact: true })).toHaveAttribute('aria-pressed', 'true')
  await page.goto('/about')
  await menu(page).waitFor()
  const followed = page.waitForRequest((request) => request.url().includes(`thread%3A${threadId}`))
  await page.reload()
  await followed
  const first = await postElsewhere('new here')
  await postElsewhere('and another one')
  await expect(menu(page)).toHaveAccessibleName(/1 thread with new posts/)
  await menu(page).click()
  await expect(panel(page)).toContainText('2 new')
  await expectAccessible(page)
  const link = panel(page).getByRole('link', { name: /watching/ })
  await expect(link).toHaveAttribute('href', `${path}#p${first}`)
  await link.click()
  await expect(page.locator(`#p${first}`)).toBeInViewport()
  await expect(menu(page)).toHaveAccessibleName('Watched threads')

  await menu(page).click()
  await panel(page)
    .getByRole('button', { name: /^Stop watching/ })
    .click()
  await expect(panel(page)).toContainText('Press “Watch” in a thread')
  await expect(page.getByRole('button', { name: 'Watch', exact: true })).toBeVisible()
})

test('turns alerts on for the watched threads, says what the server then knows, and turns them off', async () => {
  const page = await site.visit('/robots.txt', { serviceWorkers: 'allow', permissions: ['notifications'] })
  const { keys } = createPushKeys()
  // Replaces the push service, which Chromium has only in windows that are not private.
  await page.addInitScript(
    (fields) => {
      const subscription = {
        ...fields,
        toJSON: () => fields,
        unsubscribe: async () => localStorage.removeItem('pushed'),
      } as unknown as PushSubscription
      PushManager.prototype.getSubscription = async () => (localStorage.getItem('pushed') ? subscription : null)
      PushManager.prototype.subscribe = async () => {
        localStorage.setItem('pushed', 'yes')
        return subscription
      }
    },
    { endpoint: 'https://push.example/1', keys },
  )
  await page.goto(path)
  await page.getByRole('button', { name: 'Watch', exact: true }).click()
  await menu(page).click()
  const alerts = panel(page).getByLabel(/^Notify me even when this site isn’t open/)
  await expect(panel(page)).toContainText(
    'The server then knows which posts and watched threads belong to this browser',
  )
  const saved = page.waitForRequest(/board\.watching\.save/)
  await alerts.click()
  const { threads, posts } = (await saved).postDataJSON().json
  expectValue([threads.map(({ id }: { id: number }) => id), posts]).toEqual([[threadId], []])
  await expect(alerts).toBeChecked()
  const deleted = page.waitForResponse(/board\.watching\.delete/)
  await alerts.click()
  expectValue((await deleted).status()).toBe(200)
  await expect(alerts).not.toBeChecked()
})
