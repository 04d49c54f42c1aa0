import type { Page, Route } from 'playwright'
import { expect as expectValue, test } from 'vitest'
import { APPEARANCES, DESKTOP, expect, expectAccessible, PHONE } from '#tests/helpers/browser.ts'
import { createDeferred } from '#tests/helpers/deferred.ts'
import { someOf } from '#tests/helpers/depth.ts'
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
  report,
  site,
  startQueueSite,
  thread,
} from '#tests/helpers/moderationQueue.ts'
import { stillImage } from '#tests/helpers/sampleImages.ts'
import { runCommand } from '#tests/helpers/siteProcess.ts'

const KINDS = ['report', 'held post', 'appeal'] as const

startQueueSite()

test('says so and goes on if the moderator has lost the board of an item meanwhile', async () => {
  const lost = await client.createBoard('Lost')
  const moderators = (change: string) =>
    runCommand(site.location, ['boards', 'moderators', 'lost', change, MODERATOR.email])
  await moderators('add')
  await post(lost.threads, { title: 'Not theirs any more', content: 'doubtful, on another board' })
  await comment('doubtful here')
  const page = await openQueue({}, MODERATOR)
  await expect(item(page)).toContainText('doubtful, on another board')
  await moderators('remove')
  await button(page, 'Publish').click()
  await expect(page.getByRole('status').filter({ hasText: 'You are not allowed to do this' })).toBeVisible()
  await expect(item(page)).toContainText('doubtful here')
  await expect(page.getByRole('radio', { name: 'All 1' })).toBeChecked()
})

test('counts again after a count that failed', async () => {
  const page = await site.visit('/about')
  const counted = page.waitForResponse(/moderation\.waiting/)
  await site.logIn(page)
  await counted
  let failed = 0
  await page.route('**/trpc/moderation.waiting**', (route) => {
    failed++
    return route.abort()
  })
  await comment('doubtful and missed')
  // Without an event, a count follows only because the one before failed.
  await expect.poll(() => failed).toBeGreaterThan(1)
  await page.unroute('**/trpc/moderation.waiting**')
  const chip = page.getByRole('banner').getByRole('link', { name: /^admin(?!@)/ })
  await expect(chip).toHaveAttribute('data-waiting', '1')
})

test('counts again after the first count failed', async () => {
  await comment('doubtful and counted late')
  const page = await site.visit('/about')
  await page.clock.install()
  let failed = 0
  await page.route('**/trpc/moderation.waiting**', (route) => {
    failed++
    return route.abort()
  })
  await site.logIn(page)
  await expect.poll(() => failed).toBe(1)
  await page.unroute('**/trpc/moderation.waiting**')
  const chip = page.getByRole('banner').getByRole('link', { name: /^admin(?!@)/ })
  await page.clock.fastForward('00:31')
  await expect(chip).toHaveAttribute('data-waiting', '1')
})

test('shows what came while an older answer was on its way', async () => {
  await comment('doubtful first')
  const page = await openQueue()
  await expect(item(page)).toContainText('doubtful first')
  const read = createDeferred()
  const sent = createDeferred()
  // The server has read the list, but its answer is late.
  const delay = async (route: Route) => {
    const response = await route.fetch()
    read.resolve()
    await sent.promise
    await route.fulfill({ response })
  }
  await page.route('**/trpc/moderation.queue**', delay, { times: 1 })
  await comment('doubtful second')
  await read.promise
  await comment('doubtful third')
  const chip = page.getByRole('banner').getByRole('link', { name: /^admin(?!@)/ })
  await expect(chip).toHaveAttribute('data-waiting', '3')
  sent.resolve()
  await expect(page.getByRole('radio', { name: 'All 3' })).toBeChecked()
})

test('keeps the message and the button of a queue that did not load while it tries again', async () => {
  await comment('doubtful, and late')
  const page = await site.visit('/about')
  await site.logIn(page)
  await page.route(/moderation\.queue/, (route) => route.abort())
  await page.goto('/admin/queue')
  await expect(page.getByRole('alert')).toHaveText('Failed to load the queue')
  await page.unroute(/moderation\.queue/)
  const released = createDeferred()
  await page.route(/moderation\.queue/, async (route) => {
    await released.promise
    await route.continue()
  })
  const asked = page.waitForRequest(/moderation\.queue/)
  await page.getByRole('button', { name: 'Try again' }).click()
  await asked
  await expect(page.getByRole('button', { name: 'Try again' })).toBeDisabled()
  await expect(page.getByRole('alert')).toHaveText('Failed to load the queue')
  released.resolve()
  await expect(item(page)).toContainText('doubtful, and late')
  await expect(page.getByRole('alert')).toHaveCount(0)
})

test.each(someOf(APPEARANCES))('is accessible, $colorScheme at $viewport.width px', async (look) => {
  const image = new File([new Uint8Array(await stillImage(640, 480).png().toBuffer())], 'x.png', { type: 'image/png' })
  const bad = await comment(`>>${thread.id}\nbad words`, { image, links: '["https://a.example/"]' })
  await report(`${thread.path}#p${bad}`, 'harassment', 'He means me.')
  await comment('doubtful words', { image })
  await comment('more doubtful words')
  await appeal('Please.')
  const page = await openQueue({ ...look, hasTouch: look.viewport === PHONE })
  for (const kind of KINDS) {
    await expect(item(page).getByText(kind, { exact: false }).first()).toBeVisible()
    await expectAccessible(page)
    if (look.viewport === PHONE) await expectThumbSized(page)
    if (kind === 'appeal') break
    await page.getByRole('button', { name: 'Show image' }).click()
    const picture = page.getByRole('img', { name: /Image of No/ })
    await expect.poll(() => picture.evaluate((shown: HTMLImageElement) => shown.naturalWidth)).toBeGreaterThan(0)
    await button(page, kind === 'report' ? 'Take down' : 'Refuse all 2 alike').click()
    await expectAccessible(page)
    await button(page, 'Cancel').click()
    await button(page, 'Later').click()
    if (kind === 'held post') await button(page, 'Later').click()
  }
})

async function expectThumbSized(page: Page): Promise<void> {
  const buttons = await page.getByRole('region', { name: 'Actions' }).getByRole('button').all()
  for (const one of buttons) expectValue((await one.boundingBox())?.height).toBeGreaterThanOrEqual(40)
}

test('counts what waits in the header, the menu and the admin area, and follows changes without a reload', async () => {
  await comment('doubtful and counted')
  const page = await site.visit('/about')
  await site.logIn(page)
  const chip = page.getByRole('banner').getByRole('link', { name: /^admin(?!@)/ })
  await expect(chip).toHaveAttribute('data-waiting', '1')
  await report(`${thread.path}#p${await comment('reported and counted')}`)
  await expect(chip).toHaveAttribute('data-waiting', '2')
  await expect(chip).toHaveAccessibleDescription('waiting: 2')
  await chip.click()
  const list = page.getByRole('main').getByRole('list', { name: 'Waiting for you' })
  await expect(list.getByRole('listitem')).toHaveCount(2)
  await expect(list.getByRole('listitem').first()).toContainText('doubtful and counted')
  const queue = page.getByRole('navigation', { name: 'Admin' }).getByRole('link', { name: /^Queue/ })
  await expect(queue).toHaveAttribute('data-waiting', '2')
  await list.getByRole('link', { name: /reported and counted/ }).click()
  await expect(item(page)).toContainText('reported and counted')
  await button(page, 'Dismiss').click()
  await expect(item(page)).toContainText('doubtful and counted')
  await expect(chip).toHaveAttribute('data-waiting', '1')
  await page.setViewportSize(PHONE)
  await page.getByRole('button', { name: 'Menu', exact: true }).click()
  await expect(page.getByRole('dialog', { name: 'Menu' }).getByRole('link', { name: /^admin(?!@)/ })).toHaveAttribute(
    'data-waiting',
    '1',
  )
  await page.keyboard.press('Escape')
  await button(page, 'Refuse').click()
  await expect(page.getByText(EMPTY)).toBeVisible()
  await page.setViewportSize(DESKTOP)
  await expect(chip).not.toHaveAttribute('data-waiting')
})

test('leads moderators from a chip to the queue of their boards, and shows visitors and members none', async () => {
  await comment('doubtful on their board')
  await report(await createPaste('not theirs'))
  const page = await site.visit('/about')
  await expect(page.getByRole('banner').locator('a[href^="/admin"]')).toHaveCount(0)
  await site.logIn(page, MODERATOR.email, MODERATOR.password)
  const chip = page.getByRole('banner').getByRole('link', { name: /^moderator/ })
  await expect(chip).toHaveAttribute('data-waiting', '1')
  await chip.click()
  await expect(item(page)).toContainText('doubtful on their board')
  const html = await (await fetch(`${site.server.origin}/about`)).text()
  expectValue(html).not.toContain('/admin')
})

test.each(someOf(['de-DE', 'en-GB', 'es-ES']))(
  '%s: shows the text first and all actions in one row on a phone',
  async (locale) => {
    const long = 'Buy cheap watches now. '.repeat(12)
    await report(`${thread.path}#p${await comment(long)}`)
    await comment(`doubtful ${long}`)
    await comment(`doubtful ${long} again`)
    const page = await site.visit('/about', { viewport: PHONE, locale })
    await site.logIn(page)
    await page.goto('/admin/queue')
    const actions = page.getByRole('main').locator('section').last().getByRole('button')
    for (const _item of ['report', 'held']) {
      await expect(actions.first()).toBeEnabled()
      const text = await item(page).getByText('Buy cheap watches').first().boundingBox()
      expectValue(text?.y).toBeLessThan(0.6 * PHONE.height)
      const boxes = await actions.evaluateAll((buttons) =>
        buttons.map((one) => ({
          top: one.getBoundingClientRect().top,
          isCut: one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight,
        })),
      )
      expectValue(boxes).toHaveLength(5)
      expectValue(new Set(boxes.map(({ top }) => top)).size).toBe(1)
      expectValue(boxes.filter(({ isCut }) => isCut)).toEqual([])
      await actions.last().click()
      await expect(item(page)).toContainText('doubtful')
    }
    await page.close()
  },
)
