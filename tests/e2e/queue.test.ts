import { expect as expectValue, test } from 'vitest'
import { expect, PHONE } from '#tests/helpers/browser.ts'
import {
  appeal,
  button,
  client,
  comment,
  createPaste,
  EMPTY,
  item,
  MODERATOR,
  openQueue,
  post,
  readQueue,
  report,
  site,
  startQueueSite,
  status,
  thread,
} from '#tests/helpers/moderationQueue.ts'

startQueueSite()

test('takes a report to gone everywhere in three taps on a phone', async () => {
  await report(`${thread.path}#p${await comment('spam that can wait')}`)
  const paste = await createPaste('the worst paste')
  await report(paste, 'illegal')
  const page = await site.visit('/about', { viewport: PHONE, hasTouch: true, isMobile: true })
  await site.logIn(page)
  await page.goto('/admin')
  await page.evaluate(() => {
    let taps = 0
    const count = ({ isTrusted }: Event) => {
      if (isTrusted) document.body.dataset.taps = String(++taps)
    }
    addEventListener('click', count, true)
  })
  await page.getByRole('navigation', { name: 'Admin' }).getByRole('link', { name: 'Queue' }).tap()
  await expect(item(page)).toContainText('the worst paste')
  await button(page, 'Take down').tap()
  await button(page, 'Take down for good').tap()
  await expect.poll(() => status(`${paste}/raw`), { intervals: [20] }).toBe(410)
  await expect(page.locator('body')).toHaveAttribute('data-taps', '3')
  expectValue(await status(paste)).toBe(410)
  await expect(item(page)).toContainText('spam that can wait')
})

test('says so and goes on if another moderator was faster, and keeps the item if an action fails', async () => {
  await report(`${thread.path}#p${await comment('decided elsewhere')}`)
  await comment('doubtful orphan')
  const page = await openQueue()
  await expect(item(page)).toContainText('decided elsewhere')
  const [{ report: open }] = (await readQueue()).items
  await client.call('POST', `/api/moderation/reports/${open.reportId}`, { action: 'dismiss' })
  await button(page, 'Delete').click()
  await expect(page.getByRole('status').filter({ hasText: 'This report is already closed' })).toBeVisible()
  await expect(item(page)).toContainText('doubtful orphan')
  await page.route('**/trpc/moderation.held.approve*', (route) => route.abort())
  await button(page, 'Publish').click()
  await expect(page.getByRole('alert')).toBeVisible()
  await expect(item(page)).toContainText('doubtful orphan')
  await page.unroute('**/trpc/moderation.held.approve*')
  await button(page, 'Publish').click()
  await expect(page.getByText(EMPTY)).toBeVisible()
})

test('shows moderators the items of their boards', async () => {
  const other = await client.createBoard('Elsewhere')
  await post(other.threads, { title: 'Not theirs', content: 'doubtful elsewhere' })
  await report(await createPaste('for admins'))
  await appeal('from the whole site', null)
  await comment('doubtful here')
  await appeal('from their board')
  const page = await openQueue({}, MODERATOR)
  await expect(page.getByRole('radio', { name: 'All 2' })).toBeChecked()
  await expect(item(page)).toContainText('doubtful here')
  await button(page, 'Publish').click()
  await expect(item(page)).toContainText('from their board')
  await button(page, 'Lift the ban').click()
  await expect(page.getByText(EMPTY)).toBeVisible()
})

test('says that the queue could not be loaded after decisions, and goes on without what was decided', async () => {
  await comment('doubtful, and decided')
  await comment('doubtful, too')
  const page = await openQueue()
  await expect(item(page)).toContainText('doubtful, and decided')
  await page.setViewportSize(PHONE)
  // Events load the queue, too: it fails until the visitor tries again, or the button would go before it is pressed.
  const hasTriedAgain = () => page.evaluate(() => 'again' in document.body.dataset)
  await page.route('**/trpc/moderation.queue**', async (route) =>
    (await hasTriedAgain()) ? route.continue() : route.abort(),
  )
  await button(page, 'Refuse').click()
  await expect(page.getByRole('alert')).toHaveText('Failed to load the queue')
  const [bar, message] = await Promise.all([
    page.getByRole('banner').boundingBox(),
    page.getByRole('alert').boundingBox(),
  ])
  expectValue(message?.y).toBeGreaterThan((bar?.y ?? 0) + (bar?.height ?? 0))
  await expect(item(page)).toContainText('doubtful, too')
  await button(page, 'Refuse').click()
  await expect(item(page)).toHaveCount(0)
  await expect(page.getByText(EMPTY)).toHaveCount(0)
  const again = page.getByRole('button', { name: 'Try again' })
  await again.evaluate((element) => {
    element.addEventListener('click', () => Object.assign(document.body.dataset, { again: '' }), { capture: true })
  })
  await again.click()
  await expect(page.getByText(EMPTY)).toBeVisible()
  await expect(page.getByRole('radio', { name: 'All 0' })).toBeChecked()
  await expect(page.getByRole('alert')).toHaveCount(0)
  // The button that had the focus is gone.
  await expect(page.locator('body')).not.toBeFocused()
})
