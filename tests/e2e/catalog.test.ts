import type { Locator, Page } from 'playwright'
import { afterAll, beforeAll, expect as expectValue, test } from 'vitest'
import { BOARDS } from '#tests/helpers/apiCalls.ts'
import {
  type BrowserSite,
  DESKTOP,
  expect,
  expectAccessible,
  MODULES,
  PHONE,
  startBrowserSite,
} from '#tests/helpers/browser.ts'
import { isDeep } from '#tests/helpers/depth.ts'
import { stillImage } from '#tests/helpers/sampleImages.ts'
import { createAdminClient, type SiteClient } from '#tests/helpers/siteClient.ts'

const BOARD = '/dtpchan/board/cats'

let site: BrowserSite
let client: SiteClient
beforeAll(async () => {
  site = await startBrowserSite()
  client = await createAdminClient(site.server.origin)
  for (const name of ['Cats', 'Dogs']) await client.createBoard(name)
  const picture = new Blob([new Uint8Array(await stillImage(320, 480).png().toBuffer())], { type: 'image/png' })
  await postThread('cats', { title: 'Sleeping cats', content: 'Where they sleep', image: picture })
  await postThread('cats', { title: 'Hungry', content: 'What cats eat' })
  await postThread('cats', { title: 'Loud', content: 'Why they shout' })
  await postThread('dogs', { title: 'Walks', content: 'How far' })
})
afterAll(() => site.close())

const postThread = (boardId: string, fields: Record<string, string | Blob>) =>
  client.post(`${BOARDS}/${boardId}/threads`, fields)
const cards = (page: Page) => page.getByRole('article')
const titles = (page: Page) => cards(page).getByRole('heading')

async function middleOf(part: Locator): Promise<number> {
  const box = await part.boundingBox()
  return Math.round((box?.y ?? 0) + (box?.height ?? 0) / 2)
}

test('finds threads in the catalog by typing, in three orders, and follows new threads', async () => {
  const page = await site.visit(BOARD)
  await page.getByRole('link', { name: 'Catalog' }).click()
  // The cards of the board have the same titles.
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Catalog')
  await expect(titles(page)).toHaveText(['Loud', 'Hungry', 'Sleeping cats'])
  await expectAccessible(page)
  const foot = cards(page).last().locator('footer')
  // Fonts that load late move both.
  await expect
    .poll(async () => (await middleOf(foot.locator('.stat'))) - (await middleOf(foot.locator('.time'))))
    .toBe(0)
  const filter = page.getByRole('searchbox', { name: 'Filter threads' })
  await filter.fill('cats')
  await expect(titles(page)).toHaveText(['Hungry', 'Sleeping cats'])
  await expect(page.getByRole('main').getByRole('status').filter({ hasText: 'of' })).toHaveText('2 of 3 threads')
  await page.getByRole('link', { name: 'Newest' }).click()
  await expect(page).toHaveURL(`${BOARD}/catalog?sort=created&filter=cats`)
  await expect(filter).toHaveValue('cats')
  await filter.fill('no such thread')
  await page.getByRole('button', { name: 'Show all threads' }).click()
  await expect(cards(page)).toHaveCount(3)

  await postThread('cats', { title: 'Fourth', content: 'text' })
  await page.getByRole('button', { name: 'Show 1 new thread' }).click()
  await expect(titles(page).first()).toHaveText('Fourth')
  await page.getByRole('link', { name: 'Sleeping cats' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sleeping cats')
})

test.runIf(isDeep)('keeps the order that a visitor chooses right after typing a filter', async () => {
  const page = await site.visit(`${BOARD}/catalog`)
  // The URL of the filter is due between the change of the URL and the rendering of the next page.
  await page.evaluate(() => {
    const [start, push] = [setTimeout, history.pushState]
    let due = () => {}
    window.setTimeout = ((run: () => void, ms: number) => {
      if (ms !== 250) return start(run, ms)
      due = run
    }) as typeof setTimeout
    history.pushState = (...args) => {
      push.apply(history, args)
      due()
    }
  })
  await page.getByRole('searchbox', { name: 'Filter threads' }).fill('cats')
  await page.getByRole('link', { name: 'Newest' }).click()
  await expect(page.getByRole('link', { name: 'Newest' })).toHaveAttribute('aria-current', 'true')
  await expect(page).toHaveURL(`${BOARD}/catalog?sort=created&filter=cats`)
})

test.runIf(isDeep)('lets moderators act in the catalog', async () => {
  const page = await site.visit(`${BOARD}/catalog`, { viewport: PHONE })
  await site.logIn(page)
  const card = page.getByRole('article', { name: 'Loud' })
  await card.getByRole('button', { name: /^Actions for thread/ }).click()
  await page.getByRole('button', { name: 'Pin thread' }).click()
  await expect(card.getByText('Pinned')).toBeVisible()
  await expect(titles(page).first()).toHaveText('Loud')
  await expectAccessible(page)
  await card.getByRole('button', { name: /^Delete thread/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(card).toHaveCount(0)
})

test.runIf(isDeep)('shows more of the text of threads without a picture, and no count of zero', async () => {
  const picture = new Blob([new Uint8Array(await stillImage(320, 240).png().toBuffer())], { type: 'image/png' })
  const content = 'Cats sleep on everything that is warm. '.repeat(8)
  await postThread('dogs', { title: 'Drawn', content, image: picture })
  await postThread('dogs', { title: 'Written', content })
  const page = await site.visit('/dtpchan/board/dogs/catalog')
  const card = (name: string) => page.getByRole('article', { name })
  const countLines = (name: string) =>
    card(name)
      .getByText(/^Cats sleep/)
      .evaluate((text) => Math.round(text.clientHeight / Number.parseFloat(getComputedStyle(text).lineHeight)))
  expectValue(await countLines('Written')).toBeGreaterThan(await countLines('Drawn'))
  await expect(card('Drawn').locator('footer')).toContainText('1')
  await expect(card('Written').locator('footer')).not.toContainText(/\d/)
})

test.runIf(isDeep)('keeps the focus in the catalog when the reader hides a thread, by key or button', async () => {
  await client.createBoard('Birds')
  for (const title of ['Ravens', 'Owls', 'Gulls']) await postThread('birds', { title, content: 'text' })
  const page = await site.visit('/dtpchan/board/birds/catalog')
  const hide = async (title: string) => {
    await expect(page.locator('html[data-reading]')).toBeAttached()
    await page.getByRole('link', { name: title }).focus()
    await page.keyboard.press('x')
    await expect(page.getByRole('article', { name: title })).toHaveCount(0)
  }
  await hide('Owls')
  await expect(page.getByRole('article', { name: 'Ravens' })).toBeFocused()
  // The hidden thread is between these two.
  await page.getByRole('article', { name: 'Gulls' }).hover()
  await page.getByRole('button', { name: /^Hide No/ }).click()
  await expect(page.getByRole('article', { name: 'Gulls' })).toHaveCount(0)
  await expect(page.getByRole('article', { name: 'Ravens' })).toBeFocused()
  await page.getByRole('searchbox', { name: 'Filter threads' }).fill('ravens')
  await postThread('birds', { title: 'Herons', content: 'text' })
  await postThread('birds', { title: 'Young ravens', content: 'text' })
  await expect(page.locator('[data-waits]')).toHaveCount(2)
  await page.getByRole('button', { name: 'Show 1 new thread' }).click()
  await expect(page.getByRole('article', { name: 'Young ravens' })).toBeFocused()
})

test.runIf(isDeep).each(['/catalog', ''])(
  'counts only new threads that the reader does not hide: board%s',
  async (list) => {
    const { id, path } = await client.createBoard('Snakes')
    await postThread(id, { title: 'Cobra', content: 'text' })
    const page = await site.visit(`${path}${list}`)
    const filters = [{ kind: 'words', value: 'adder', boardId: null }]
    await page.evaluate(
      (value) => localStorage.setItem('dtpchan_filters', value),
      JSON.stringify({ hidden: [], filters }),
    )
    await page.reload()
    for (const title of ['Adder', 'Boa']) await postThread(id, { title, content: 'text' })
    await expect(page.locator('[data-waits]')).toHaveCount(2)
    await page.getByRole('button', { name: 'Show 1 new thread' }).click()
    await expect(page.getByRole('article', { name: 'Boa' })).toBeFocused()
    await expect(page.getByRole('link', { name: 'Adder' })).toBeHidden()
  },
)

test.runIf(isDeep)('shows the threads of the page that the visitor goes to', async () => {
  await client.createBoard('Fish')
  for (const title of ['Cod', 'Eel']) await postThread('fish', { title, content: 'text' })
  const { threads } = await client.call('GET', '/api/dtpchan/threads')
  const [{ id, lastActivity }] = threads
  const page = await site.visit('/dtpchan')
  await page.getByRole('link', { name: 'All threads' }).click()
  await expect(titles(page).first()).toHaveText('Eel')
  const goTo = (path: string) =>
    page.evaluate((href) => {
      const link = Object.assign(document.createElement('a'), { href })
      document.querySelector('main')?.append(link)
      link.click()
      link.remove()
    }, path)
  await goTo(`/dtpchan/all?cursor=${new Date(lastActivity).getTime()}-${id}`)
  await expect(titles(page).first()).toHaveText('Cod')
  await expect(page.getByRole('article', { name: 'Cod' }).locator('time').first()).toHaveText(/^today/)

  const goAgain = async (list: string, title: string) => {
    await postThread('fish', { title, content: 'text' })
    await expect(page.getByRole('button', { name: 'Show 1 new thread' })).toBeVisible()
    await goTo(list)
    await expect(titles(page).first()).toHaveText(title)
  }
  await goTo('/dtpchan/board/fish')
  await expect(titles(page)).toHaveText(['Eel', 'Cod'])
  await goAgain('/dtpchan/board/fish', 'Tuna')
  await goTo('/dtpchan/board/fish/catalog')
  await expect(page.locator('.tile')).toHaveCount(3)
  await goAgain('/dtpchan/board/fish/catalog', 'Bass')
})

test('a board is described in sentences, also if its description has no full stop', async () => {
  const page = await site.visit('/dtpchan/board/dogs')
  const description = page.locator('meta[name=description]')
  await expect(description).toHaveAttribute('content', /^All about Dogs\. A board on DTPChan\. /)
})

test('hides boards on the page of all boards, also before scripts run', async () => {
  const page = await site.visit('/dtpchan')
  await page.getByRole('link', { name: 'All threads' }).click()
  const dogs = page.getByRole('article', { name: 'Walks' })
  await expect(dogs.getByRole('link', { name: '/dogs/' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('checkbox', { name: '/dogs/' }).uncheck()
  await expect(dogs).toHaveCount(0)
  await page.reload()
  await expect(page.getByRole('checkbox', { name: '/dogs/' })).not.toBeChecked()
  await expect(dogs).toHaveCount(0)

  await page.route(MODULES, (route) => route.abort())
  await page.goto('/dtpchan/all', { waitUntil: 'commit' })
  await expect(page.getByRole('article', { name: 'Sleeping cats' })).toBeVisible()
  await expect(page.locator('[data-board=dogs]').first()).toBeHidden()
  await page.unroute(MODULES)
  await page.goto('/dtpchan/all')
  const other = await page.context().newPage()
  await other.goto('/dtpchan/all')
  await expect(other.getByRole('checkbox', { name: '/dogs/' })).toBeEnabled()
  await page.getByRole('checkbox', { name: '/dogs/' }).check()
  await expect(dogs).toBeVisible()
  await expect(other.getByRole('article', { name: 'Walks' })).toBeVisible()
})

test('hides threads on the page of all boards that a filter of their board hides', async () => {
  const page = await site.visit('/dtpchan/all')
  const filters = [
    { kind: 'words', value: 'walks', boardId: 'dogs' },
    { kind: 'words', value: 'far', boardId: 'cats' },
  ]
  const stored = JSON.stringify({ hidden: [], filters })
  await page.evaluate((value) => localStorage.setItem('dtpchan_filters', value), stored)
  await page.reload()
  await expect(page.getByText(/^Hidden post No/)).toHaveText([/walks/])
})

test('closes an open thread when it is archived, and lists it in the archive', async () => {
  const { thread } = await postThread('dogs', { title: 'Old', content: 'text' })
  await postThread('dogs', { title: 'New', content: 'text' })
  const page = await site.visit(`/dtpchan/board/dogs/thread/${thread.id}`, { viewport: DESKTOP })
  await expect(page.getByRole('button', { name: 'Comment', exact: true }).first()).toBeVisible()
  const change = { name: 'Dogs', description: 'All about Dogs', rules: '', threadLimit: 1 }
  await client.call('POST', '/trpc/board.change', { json: { boardId: 'dogs', ...change } })
  await client.call('POST', '/trpc/site.operations.runJob', { json: { name: 'thread-archive' } })
  await expect(page.getByText('This thread is archived. It takes no new comments.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Comment', exact: true })).toHaveCount(0)
  await page.goto('/dtpchan/board/dogs')
  await page.getByRole('link', { name: 'Archive', exact: true }).last().click()
  await expect(page.getByRole('main').getByRole('listitem').filter({ hasText: 'Old' })).toContainText('0 replies')
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Old', exact: true }).click()
  await expect(page.getByText('Archived', { exact: true })).toBeVisible()
})
