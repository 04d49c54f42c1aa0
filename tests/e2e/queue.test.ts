import type { Page, Route } from 'playwright'
import { afterAll, beforeAll, beforeEach, describe, expect as expectValue, test } from 'vitest'
import {
  APPEARANCES,
  type BrowserSite,
  DESKTOP,
  expect,
  expectAccessible,
  PHONE,
  startBrowserSite,
} from '#tests/helpers/browser.ts'
import { createDeferred } from '#tests/helpers/deferred.ts'
import { isDeep, someOf } from '#tests/helpers/depth.ts'
import { key, player } from '#tests/helpers/player.ts'
import { stillImage } from '#tests/helpers/sampleImages.ts'
import { createAdminClient, type SiteClient } from '#tests/helpers/siteClient.ts'
import { ADMIN, runCommand } from '#tests/helpers/siteProcess.ts'

const MODERATOR = { email: 'mira@example.org', password: 'moderators password' }
const KINDS = ['report', 'held post', 'appeal'] as const
const EMPTY = 'Nothing waits for a review.'

let site: BrowserSite
let client: SiteClient
let threads: string
let thread: { id: number; path: string }
let posters = 0

beforeAll(async () => {
  // Behind a proxy, so that tests can post from several addresses.
  site = await startBrowserSite({ TRUST_PROXY: '127.0.0.1' })
  client = await createAdminClient(site.server.origin)
  threads = (await client.createBoard('Watched')).threads
  const { id } = (await post(threads, { title: 'A good thread', content: 'The opening' })).thread
  thread = { id, path: `/dtpchan/board/watched/thread/${id}` }
  const held = { kind: 'literal', value: 'doubtful', fields: ['post'], effect: 'hold' }
  await client.call('POST', '/api/moderation/filters', held)
  await runCommand(site.location, ['users', 'add', MODERATOR.email], `${MODERATOR.password}\n`)
  await runCommand(site.location, ['boards', 'moderators', 'watched', 'add', MODERATOR.email])
})
afterAll(() => site.close())

beforeEach(async () => {
  const { items } = await readQueue()
  for (const { kind, report, post, ban } of items) {
    if (kind === 'report') {
      await client.call('POST', `/api/moderation/reports/${report.reportId}`, { action: 'dismiss' })
    } else if (kind === 'held') await client.call('POST', `/api/moderation/held/${post.id}/refuse`, {})
    else await client.call('POST', `/api/moderation/bans/${ban.id}/lift`, {})
  }
})

const readQueue = () => client.call('GET', '/api/moderation/queue')
const newAddress = () => `192.0.2.${++posters}`

const post = (path: string, fields: Record<string, string | Blob>, from = newAddress()) =>
  client.post(path, fields, from)

const comment = async (content: string, fields: Record<string, string | Blob> = {}, from = newAddress()) =>
  (await post(`${threads}/${thread.id}/comments`, { content, ...fields }, from)).comment.id as number

const report = (url: string, reason = 'spam', text = 'Look at this.') =>
  post('/api/moderation/reports', { url, reason, text })

const sendPaste = (content: string, from?: string) =>
  client.call('POST', '/api/paste', { content, expiryHours: 1 }, from)
const createPaste = async (content: string, from?: string) => new URL((await sendPaste(content, from)).url).pathname

/** Bans the poster of a new post, who appeals. */
async function appeal(text: string, boardId: string | null = 'watched'): Promise<void> {
  const from = newAddress()
  const itemId = String(await comment(`before the ban: ${text}`, {}, from))
  const endsAt = new Date(Date.now() + 86_400_000)
  const ban = { kind: 'post', itemId, boardId, width: 'host', reason: 'Advertising', endsAt }
  await client.call('POST', '/api/moderation/bans', ban)
  const refused = await post(threads, { title: 'Again', content: 'x' }, from)
  await client.call('POST', '/api/moderation/appeals', { appealToken: refused.ban.appealToken, text }, from)
}

async function openQueue(options = {}, user = ADMIN): Promise<Page> {
  const page = await site.visit('/about', options)
  await site.logIn(page, user.email, user.password)
  await page.goto('/admin/queue')
  return page
}

const item = (page: Page) => page.getByRole('article')
const button = (page: Page, name: string) =>
  page.getByRole('region', { name: 'Actions' }).getByRole('button', { name, exact: true })

/** Presses a key when the item takes actions. */
async function press(page: Page, key: string, name: string): Promise<void> {
  await expect(button(page, name)).toBeEnabled()
  await expect(button(page, name)).toHaveAttribute('aria-keyshortcuts', key)
  await page.keyboard.press(key)
}

const contents = async () =>
  (await client.call('GET', `${threads}/${thread.id}`)).thread.comments.map(
    ({ content }: { content: string }) => content,
  )
const status = async (path: string) => (await fetch(`${site.server.origin}${path}`)).status

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

test.runIf(isDeep)('is worked through by keyboard alone, with one key per action', async () => {
  for (const [words, reason] of [
    ['erase me', 'illegal'],
    ['dismiss me', 'spam'],
    ['delete me', 'spam'],
  ] as const) {
    await report(`${thread.path}#p${await comment(words)}`, reason)
  }
  await comment('doubtful, but good')
  await comment('doubtful and bad')
  await appeal('lift it')
  await appeal('keep it')
  const page = await openQueue()
  await expect(page.getByRole('radio', { name: 'All 7' })).toBeChecked()
  const steps = [
    ['erase me', 't', 'Take down', 'Taken down everywhere'],
    ['dismiss me', 'x', 'Dismiss', 'Dismissed'],
    ['delete me', 'd', 'Delete', 'Deleted'],
    ['doubtful, but good', 'a', 'Publish', 'published'],
    ['doubtful and bad', 'r', 'Refuse', 'refused'],
    ['lift it', 'l', 'Lift the ban', 'Ban lifted'],
    ['keep it', 'k', 'Keep the ban', 'Ban kept'],
  ] as const
  for (const [words, key, name, done] of steps) {
    await expect(item(page)).toContainText(words)
    if (words !== 'erase me') await expect(page.getByRole('group', { name: 'Current item' })).toBeFocused()
    await press(page, key, name)
    if (key === 't') await press(page, 't', 'Take down for good')
    await expect(page.getByRole('status').filter({ hasText: done })).toBeVisible()
  }
  await expect(page.getByText(EMPTY)).toBeVisible()
  await expect(page.getByRole('radio', { name: 'All 0' })).toBeChecked()
  const left = await contents()
  expectValue(left).toEqual(expectValue.arrayContaining(['dismiss me', 'doubtful, but good']))
  for (const gone of ['erase me', 'delete me', 'doubtful and bad']) expectValue(left).not.toContain(gone)
})

test.runIf(isDeep)('puts items off, filters by kind, and shows new items without a reload', async () => {
  await report(`${thread.path}#p${await comment('first report')}`)
  await comment('doubtful waits')
  const page = await openQueue()
  await expect(item(page)).toContainText('first report')
  await page.keyboard.press('n')
  await expect(item(page)).toContainText('doubtful waits')
  await button(page, 'Later').click()
  await expect(page.getByText('You put off the rest for later.')).toBeVisible()
  await page.getByRole('button', { name: 'Look again' }).click()
  await expect(item(page)).toContainText('first report')

  await page.getByRole('radio', { name: 'Held 1' }).check()
  await expect(item(page)).toContainText('doubtful waits')
  await page.getByRole('radio', { name: 'Appeals 0' }).check()
  await expect(page.getByText(EMPTY)).toBeVisible()
  await appeal('I just came')
  await expect(item(page)).toContainText('I just came')
  await page.getByRole('radio', { name: 'All 3' }).check()
  const next = page.getByRole('complementary', { name: 'Next' })
  await next.getByRole('button', { name: /I just came/ }).click()
  await expect(item(page)).toContainText('Ban of')
})

test.runIf(isDeep)('names the reasons once, and which of them a text belongs to', async () => {
  const target = `${thread.path}#p${await comment('reported thrice')}`
  for (const text of ['', 'Look there.']) await report(target, 'spam', text)
  const page = await openQueue()
  await expect(item(page).locator('header')).toContainText('Spam or advertising × 2')
  await expect(item(page).getByText('Spam or advertising')).toHaveCount(1)
  await expect(item(page).getByRole('list', { name: 'Reported as' }).getByRole('listitem')).toHaveText([
    /^Look there\./,
  ])
  await report(target, 'harassment', 'He means me.')
  const explained = item(page).getByRole('listitem').filter({ hasText: 'He means me.' })
  await expect(explained).toContainText('Harassment or threats')
  await button(page, 'Dismiss').click()
  await expect(page.getByText(EMPTY)).toBeVisible()
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

test.runIf(isDeep)('letters do nothing while shortcuts are off', async () => {
  await comment('doubtful letter')
  const page = await openQueue()
  await expect(button(page, 'Refuse')).toBeEnabled()
  await key(page, 'Maximise').click()
  await player(page).getByRole('switch', { name: 'Shortcuts' }).click()
  await key(page, 'Restore').click()
  await expect(button(page, 'Refuse')).not.toHaveAttribute('aria-keyshortcuts')
  await page.keyboard.press('r')
  await page.keyboard.press('n')
  await expect(item(page)).toContainText('doubtful letter')
  await button(page, 'Refuse').click()
  await expect(page.getByText(EMPTY)).toBeVisible()
})

test.runIf(isDeep)('a double tap decides only one item', async () => {
  for (const words of ['doubtful one', 'doubtful two']) await comment(words)
  const page = await openQueue({ viewport: PHONE, hasTouch: true })
  await expect(item(page)).toContainText('doubtful one')
  // Taps the next item as soon as it is there.
  await page.evaluate(() => {
    const observer = new MutationObserver(() => {
      if (!document.querySelector('article')?.textContent?.includes('doubtful two')) return
      observer.disconnect()
      document.querySelector<HTMLElement>('[aria-keyshortcuts="r"]')?.click()
      document.body.setAttribute('data-tapped', '')
    })
    observer.observe(document.body, { subtree: true, childList: true })
  })
  await button(page, 'Refuse').tap()
  await expect(page.locator('body[data-tapped]')).toBeVisible()
  await expect(button(page, 'Refuse')).toBeEnabled()
  await expect(item(page)).toContainText('doubtful two')
  await button(page, 'Refuse').tap()
  await expect(page.getByText(EMPTY)).toBeVisible()
})

describe('delete all and ban', () => {
  test.runIf(isDeep)('closes the reports and held posts of the poster, by keyboard', async () => {
    const from = newAddress()
    for (const words of ['spam one', 'spam two']) await report(`${thread.path}#p${await comment(words, {}, from)}`)
    await comment('doubtful spam', {}, from)
    await comment('doubtful stranger')
    const page = await openQueue()
    await expect(item(page)).toContainText('spam one')
    await press(page, 'b', 'Delete and ban…')
    const dialog = page.getByRole('dialog', { name: 'Everything by this poster' })
    await expect(dialog.getByLabel('Reason')).toHaveValue('Spam or advertising')
    await expect(dialog.getByRole('radio', { name: /On \/watched\/ 3/ })).toBeChecked()
    // Keys do not act while the dialog is open.
    await page.keyboard.press('x')
    await dialog.getByLabel('Reason').press('Enter')
    await expect(dialog).toHaveCount(0)
    await expect(item(page)).toContainText('doubtful stranger')
    await expect(page.getByRole('group', { name: 'Current item' })).toBeFocused()
    await expect(page.getByRole('radio', { name: 'All 1' })).toBeChecked()
    const refused = await post(threads, { title: 'Again', content: 'x' }, from)
    expectValue(refused.ban.reason).toBe('Spam or advertising')
  })

  test.runIf(isDeep)('leaves a report of illegal content open, to be taken down', async () => {
    await report(`${thread.path}#p${await comment('illegal words')}`, 'illegal')
    const page = await openQueue({ viewport: PHONE, hasTouch: true })
    await button(page, 'Delete and ban…').tap()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete all and ban' }).tap()
    await expect(item(page)).toContainText('Removed.')
    await expect(item(page)).toContainText('illegal words')
    await expect(button(page, 'Delete')).toHaveCount(0)
    await button(page, 'Take down').tap()
    await button(page, 'Take down for good').tap()
    await expect(page.getByText(EMPTY)).toBeVisible()
  })
})

test.runIf(isDeep)('bans the poster of a paste and of an image from the site, and then deletes them', async () => {
  const from = newAddress()
  const paste = await createPaste('Buy now!', from)
  const image = new File([new Uint8Array(await stillImage().png().toBuffer())], 'x.png', { type: 'image/png' })
  const shared = await client.post('/api/image-share', { image, expiryHours: '1' }, newAddress())
  const share = new URL(shared.url).pathname
  const page = await openQueue()
  for (const path of [paste, share]) {
    await report(path)
    await press(page, 'b', 'Ban…')
    const dialog = page.getByRole('dialog', { name: 'Ban the poster' })
    await dialog.getByRole('textbox').fill('')
    await dialog.getByRole('button', { name: 'Ban' }).click()
    await expect(dialog.getByText('A reason is required')).toBeVisible()
    await dialog.getByRole('radio', { name: '30 days' }).check()
    await dialog.getByRole('textbox').fill('Advertising')
    await dialog.getByRole('textbox').press('Enter')
    await expect(page.getByRole('status').filter({ hasText: 'Banned the poster' })).toBeVisible()
    await expect(dialog).toBeHidden()
    await press(page, 'd', 'Delete')
    await expect(page.getByText(EMPTY)).toBeVisible()
    expectValue(await status(path)).toBe(404)
  }
  const { ban } = await sendPaste('Buy again!', from)
  expectValue(ban.reason).toBe('Advertising')
  expectValue(Date.parse(ban.endsAt) - Date.now()).toBeGreaterThan(29 * 86_400_000)
})

test.runIf(isDeep)('refuses all posts that are held for the same reason, after a question', async () => {
  for (let n = 0; n < 3; n++) await comment(`doubtful ${n}`)
  const page = await openQueue({ viewport: PHONE, hasTouch: true })
  await button(page, 'Refuse all 3 alike').tap()
  await expect(page.getByText('Refuses all 3 posts held for')).toBeVisible()
  await button(page, 'Cancel').tap()
  await button(page, 'Refuse all 3 alike').tap()
  await button(page, 'Refuse all 3').tap()
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

test.runIf(isDeep)('says so and goes on if the moderator has lost the board of an item meanwhile', async () => {
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

test.runIf(isDeep)('counts again after a count that failed', async () => {
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

test.runIf(isDeep)('counts again after the first count failed', async () => {
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

test.runIf(isDeep)('shows what came while an older answer was on its way', async () => {
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

test.runIf(isDeep)('keeps the message and the button of a queue that did not load while it tries again', async () => {
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

test('says that the queue could not be loaded after decisions, and goes on without what was decided', async () => {
  await comment('doubtful, and decided')
  await comment('doubtful, too')
  const page = await openQueue()
  await expect(item(page)).toContainText('doubtful, and decided')
  await page.setViewportSize(PHONE)
  await page.route('**/trpc/moderation.queue**', (route) => route.abort())
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
  await page.unroute('**/trpc/moderation.queue**')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText(EMPTY)).toBeVisible()
  await expect(page.getByRole('radio', { name: 'All 0' })).toBeChecked()
  await expect(page.getByRole('alert')).toHaveCount(0)
  // The button that had the focus is gone.
  await expect(page.locator('body')).not.toBeFocused()
})

test.runIf(isDeep).each(someOf(APPEARANCES))('is accessible, $colorScheme at $viewport.width px', async (look) => {
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

test.runIf(isDeep)(
  'counts what waits in the header, the menu and the admin area, and follows changes without a reload',
  async () => {
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
  },
)

test.runIf(isDeep)(
  'leads moderators from a chip to the queue of their boards, and shows visitors and members none',
  async () => {
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
  },
)

test.runIf(isDeep).each(someOf(['de-DE', 'en-GB', 'es-ES']))(
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
