import { afterAll, beforeAll, expect as expectValue, test } from 'vitest'
import {
  APPEARANCES,
  type BrowserSite,
  expect,
  expectAccessible,
  PHONE,
  startBrowserSite,
} from '#tests/helpers/browser.ts'
import { isDeep, someOf } from '#tests/helpers/depth.ts'
import { postForm } from '#tests/helpers/siteClient.ts'
import { seed } from '#tests/helpers/siteProcess.ts'
import { visitStrictly } from '#tests/helpers/strictBrowser.ts'

const BOARD = '/dtpchan/board/technology'
const THREADS = '/api/dtpchan/boards/technology/threads'
let site: BrowserSite
let threadId: number
let commentId: number

beforeAll(async () => {
  site = await startBrowserSite()
  const { origin } = site.server
  await seed(site.location, '--threads 2 --comments 2')
  const { thread } = await postForm(origin, THREADS, { title: 'Floppy drives', content: 'Which one is loudest?' })
  threadId = thread.id
  const comment = { content: 'My floppy drive <b>plays</b> music', author: 'ferrite' }
  commentId = (await postForm(origin, `${THREADS}/${threadId}/comments`, comment)).comment.id
})
afterAll(() => site.close())

test.each(someOf(APPEARANCES))('a board leads to its found posts ($colorScheme)', async (appearance) => {
  const page = await site.visit(BOARD, appearance)
  const field = page.getByRole('searchbox', { name: 'Search /technology/' })
  await expect(field).toHaveAttribute('data-search-field', '')
  await field.fill('"floppy drive"')
  await field.press('Enter')
  await expect(page).toHaveURL('/search?q=%22floppy+drive%22&board=technology')
  await expect(page.getByRole('searchbox')).toHaveValue('"floppy drive"')
  await expect(page.getByRole('combobox', { name: 'Board' })).toHaveValue('technology')
  const hit = page.getByRole('article')
  await expect(hit).toHaveCount(1)
  await expect(hit.getByText('My floppy drive <b>plays</b> music')).toBeVisible()
  await expectAccessible(page)

  await page.getByRole('searchbox').fill('floppy')
  await page.getByRole('combobox', { name: 'Order' }).selectOption('date')
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await expect(hit).toHaveCount(2)
  await expect(hit.locator('mark')).toHaveText(['Floppy', 'floppy', 'Floppy'])
  await hit.first().getByRole('link', { name: 'Floppy drives' }).click()
  await expect(page).toHaveURL(`${BOARD}/thread/${threadId}#p${commentId}`)
  // No page was loaded as a whole, so music would have continued.
  expectValue(await page.evaluate(() => performance.getEntriesByType('navigation').length)).toBe(1)
})

test.runIf(isDeep)('folds the filters below a search that has none', async () => {
  const page = await site.visit('/search', { viewport: PHONE })
  const board = page.getByRole('combobox', { name: 'Board' })
  await expect(board).toBeVisible()
  await page.getByRole('searchbox').fill('floppy')
  await page.getByRole('searchbox').press('Enter')
  await expect(page.getByRole('article').first()).toBeInViewport()
  await expect(board).toBeHidden()
  await page.getByText('Narrow down').click()
  await board.selectOption('technology')
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await expect(page).toHaveURL('/search?q=floppy&board=technology')
  await expect(board).toHaveValue('technology')
})

test('works without script, and says what is wrong', async () => {
  const page = await visitStrictly(site, '/dtpchan')
  await page.getByRole('searchbox', { name: 'Search all boards' }).fill('floppy -music')
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await expect(page.locator('mark')).toHaveText(['Floppy'])
  await page.getByRole('searchbox').fill('-floppy')
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await expect(page.getByRole('main').getByRole('alert')).toHaveText(/^Add a word or a nick to find/)
  await expect(page.getByText('What you can write')).toBeVisible()
  await page.getByRole('searchbox').fill('nosuchword')
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await expect(page.getByText('No posts found.')).toBeVisible()
})
