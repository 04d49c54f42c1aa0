import { eq } from 'drizzle-orm'
import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { openDatabase } from '#db/client.server.ts'
import { origin } from '#db/schema/index.ts'
import {
  type BrowserSite,
  DESKTOP,
  expect,
  expectAccessibleInAllLooks,
  PHONE,
  solveCaptcha,
  startBrowserSite,
} from '#tests/helpers/browser.ts'
import { isDeep, someOf } from '#tests/helpers/depth.ts'
import { repeatSpam } from '#tests/helpers/repeatedSpam.ts'
import { stillImage } from '#tests/helpers/sampleImages.ts'
import { createAdminClient, type SiteClient } from '#tests/helpers/siteClient.ts'

const SPAM_POSTERS = isDeep ? 20 : 5
const SPAM_POSTS = isDeep ? 500 : 50
const MAX_CLICKS = SPAM_POSTERS + 5
const POSTER = '192.0.2.1'

let site: BrowserSite
let client: SiteClient

beforeAll(async () => {
  // Behind a proxy, so that tests can post from several addresses.
  site = await startBrowserSite({ TRUST_PROXY: '127.0.0.1' })
  client = await createAdminClient(site.server.origin)
})
afterAll(() => site.close())

async function createThread(name: string, comments = 1) {
  const { path: boardPath, threads } = await client.createBoard(name)
  const image = new File([await stillImage(640, 480).png().toBuffer()], 'x.png', { type: 'image/png' })
  const { thread } = await client.post(threads, { title: 'A thread', content: 'opening', image }, POSTER)
  for (let n = 0; n < comments; n++)
    await client.post(`${threads}/${thread.id}/comments`, { content: `comment ${n}` }, POSTER)
  return {
    id: thread.id as number,
    comments: `${threads}/${thread.id}/comments`,
    boardPath,
    path: `${boardPath}/thread/${thread.id}`,
  }
}

const menuButton = (page: Page, what: string) => page.getByRole('button', { name: `Actions for ${what}`, exact: false })
const menu = (page: Page) => page.getByRole('region', { name: /^Actions for/ })

/** Opens the menu of a post and chooses an entry, as a person without a mouse does. */
async function chooseByKeyboard(page: Page, what: string, label: string): Promise<void> {
  await menuButton(page, what).focus()
  await page.keyboard.press('Enter')
  await expect(menu(page)).toBeVisible()
  const item = menu(page).getByRole('button', { name: label })
  for (let n = 0; n < 10 && !(await item.evaluate((element) => element === document.activeElement)); n++) {
    await page.keyboard.press('ArrowDown')
  }
  await page.keyboard.press('Enter')
}
async function chooseByTap(page: Page, what: string, label: string): Promise<void> {
  await menuButton(page, what).tap()
  const item = menu(page).getByRole('button', { name: label })
  expect((await item.boundingBox())?.height).toBeGreaterThanOrEqual(24)
  await item.tap()
}

describe.each(
  someOf([
    ['keyboard', { viewport: DESKTOP }, chooseByKeyboard],
    ['tap', { viewport: PHONE, hasTouch: true }, chooseByTap],
  ] as const),
)('the menu of a post by %s', (how, options, choose) => {
  test('locks, pins, covers, and deletes, which readers see at once', async () => {
    const { path, boardPath } = await createThread(`Menu by ${how}`)
    const page = await site.visit(path, options)
    await site.logIn(page)
    const reader = await page.context().browser()?.newPage({ baseURL: site.server.origin })
    if (!reader) throw new Error('No second page')
    await reader.goto(path)

    await choose(page, 'thread', 'Lock thread')
    await expect(reader.getByText('This thread is locked')).toBeVisible()
    await expect(reader.getByRole('button', { name: 'Comment', exact: true })).toHaveCount(0)
    await choose(page, 'thread', 'Pin thread')
    await expect(reader.getByText('Pinned', { exact: true })).toBeVisible()
    await choose(page, 'thread', 'Cover as spoiler')
    const image = reader.getByRole('img', { name: /Full size of No/ })
    const cover = reader.getByRole('checkbox', { name: /Show the spoiler image/ })
    await expect(cover).toBeVisible()
    await expect(image).toBeHidden()
    await cover.click()
    await expect(image).toBeVisible()
    await reader.goto(boardPath)
    await expect(reader.getByText('Pinned', { exact: true })).toBeVisible()
    await expect(reader.getByRole('img', { name: /Attached to/ })).toBeHidden()
    await reader.goto(path)

    await choose(page, 'thread', 'Unlock thread')
    await expect(reader.getByRole('button', { name: 'Comment', exact: true }).first()).toBeVisible()
    await choose(page, 'thread', 'Unpin thread')
    await expect(reader.getByText('Pinned', { exact: true })).toHaveCount(0)
    await choose(page, 'thread', 'Uncover image')
    await expect(image).toBeVisible()
    await choose(page, 'thread', 'Delete image')
    await expect(image).toHaveCount(0)
    await page.getByRole('button', { name: /^Delete comment No/ }).click()
    await page.getByRole('dialog').getByLabel('Spam').check()
    await expect(page.getByRole('dialog').getByLabel('Reason')).toHaveValue('Spam')
    await page.getByRole('dialog').getByLabel('Reason').fill(`Spam by ${how}`)
    // A click outside would lose what is typed.
    await page.mouse.click(3, 3)
    await page.getByRole('dialog').getByLabel('Reason').press('Enter')
    await expect(reader.getByText('No comments yet. Be the first to comment!')).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Comments (0)' })).toBeFocused()
    await reader.goto('/dtpchan/log')
    await expect(reader.getByText(`Spam by ${how}`)).toBeVisible()
    await reader.close()
  })
})

test('the button that hides a post covers nothing beside the buttons of moderators on a phone', async () => {
  const { path } = await createThread('Narrow')
  const page = await site.visit(path, { viewport: PHONE })
  await site.logIn(page)
  await menuButton(page, 'comment').focus()
  const hide = await page.getByRole('button', { name: /^Hide No/ }).boundingBox()
  const head = page.getByRole('article', { name: /^Comment/ }).locator('header')
  for (const part of await head.locator(':is(a, button, time, bdi):not([data-hide])').all()) {
    const box = await part.boundingBox()
    if (!box || !hide) throw new Error('A part of the head is not visible')
    // The number is a target of 24 px, higher than its text.
    const middle = box.y + box.height / 2
    const isBeside = box.x >= hide.x + hide.width || box.x + box.width <= hide.x
    expect(isBeside || middle < hide.y || middle > hide.y + hide.height).toBe(true)
  }
})

test('a poster whose origin is forgotten can be neither banned nor deleted, and that is no error', async () => {
  const { path, id } = await createThread('Forgotten', 0)
  const database = await openDatabase({ ...site.location, mode: 'command' })
  await database.db.delete(origin).where(eq(origin.itemId, String(id)))
  await database.close()
  const page = await site.visit(path)
  await site.logIn(page)
  await chooseByKeyboard(page, 'thread', 'Everything by this poster…')
  const dialog = page.getByRole('dialog', { name: 'Everything by this poster' })
  await expect(dialog.getByRole('status')).toHaveText('This site no longer knows where this post came from.')
  // The field that had the focus is gone.
  await expect(dialog.getByRole('status')).toBeFocused()
  await expect(dialog.getByRole('alert')).toHaveCount(0)
  await expect(dialog.getByRole('button')).toHaveText(['', 'Close'])
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await expect(dialog).toHaveCount(0)
})

test.runIf(isDeep)(
  `removes ${SPAM_POSTS} spam posts by ${SPAM_POSTERS} posters in at most ${MAX_CLICKS} clicks`,
  async () => {
    const { id, comments, path } = await createThread('Raided')
    for (let poster = 0; poster < SPAM_POSTERS; poster++) {
      await client.post(comments, { content: 'spam' }, `198.51.100.${poster}`)
    }
    const database = await openDatabase({ ...site.location, mode: 'command' })
    await repeatSpam(database.db, { content: 'spam', threadIds: [id], rounds: SPAM_POSTS / SPAM_POSTERS })
    await database.close()
    const page = await site.visit(path)
    await site.logIn(page)
    await page.evaluate(() => {
      let clicks = 0
      addEventListener(
        'click',
        (event) => event.isTrusted && document.body.setAttribute('data-clicks', String(++clicks)),
        true,
      )
    })
    await expect(page.getByRole('heading', { name: `Comments (${SPAM_POSTS + 1})` })).toBeVisible()
    const spam = page.getByRole('article').filter({ hasText: 'spam' })
    await menuButton(page, 'comment').nth(1).click()
    await menu(page).getByRole('button', { name: 'Select posts' }).click()
    for (let n = 1; n < SPAM_POSTERS; n++) await spam.nth(n).getByRole('checkbox').click()
    await page.getByRole('button', { name: 'Everything by them' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete all' }).click()
    await expect(page.getByText(`Deleted ${SPAM_POSTS} posts by ${SPAM_POSTERS} posters`)).toBeVisible({
      timeout: 120_000,
    })
    await expect(page.getByRole('heading', { name: 'Comments (1)' })).toBeVisible()
    expect(Number(await page.evaluate(() => document.body.getAttribute('data-clicks')))).toBeLessThanOrEqual(MAX_CLICKS)
  },
)

test.runIf(isDeep)('is accessible with open menu, dialog and selection', async () => {
  const { path, boardPath } = await createThread('Looks')
  const page = await site.visit(path)
  await site.logIn(page)
  await menuButton(page, 'thread').click()
  await expectAccessibleInAllLooks(page)
  await menu(page).getByRole('button', { name: 'Cover as spoiler' }).click()
  await expect(page.getByRole('checkbox', { name: /Show the spoiler image/ })).toBeVisible()
  await menuButton(page, 'thread').click()
  await menu(page).getByRole('button', { name: 'Lock thread' }).click()
  await expect(page.getByText('Locked', { exact: true })).toBeVisible()
  await menuButton(page, 'comment').click()
  await menu(page).getByRole('button', { name: 'Select posts' }).click()
  await expectAccessibleInAllLooks(page)
  await page.getByRole('button', { name: 'Everything by them' }).click()
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Delete all' })).toBeEnabled()
  await page.getByRole('group', { name: 'Delete their posts' }).getByLabel('Whole site').check()
  await page.getByRole('group', { name: 'Ban', exact: true }).getByLabel('Its network').check()
  await page
    .getByRole('group', { name: 'Ban from' })
    .getByLabel(/^\/looks/)
    .check()
  await page.getByLabel('1 day').check()
  await page.getByRole('button', { name: 'Delete all and ban' }).click()
  await expect(page.getByText('A reason is required')).toBeVisible()
  await expectAccessibleInAllLooks(page)
  await page.getByLabel('Reason').fill('Spam')
  const sent = page.waitForRequest(/removePoster/)
  await page.getByRole('button', { name: 'Delete all and ban' }).click()
  expect((await sent).postDataJSON()).toMatchObject({
    0: { json: { scope: 'site', width: 'host', deletePosts: true, ban: { scope: 'board', width: 'range' } } },
  })
  await expect(page.getByText(/^Deleted \d+ posts? by 1 poster$/)).toBeVisible()
  await page.goto(boardPath)
  await expectAccessibleInAllLooks(page)
})

test('lets authors delete their own posts, also after a reload, and nobody else', async () => {
  const { path } = await createThread('Own posts', 0)
  const page = await site.visit(path, { viewport: PHONE })
  await page.getByRole('button', { name: 'Comment', exact: true }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Content').fill('my own comment')
  await dialog.getByLabel('Username').fill('me')
  await solveCaptcha(page)
  await dialog.getByRole('button', { name: 'Post Comment' }).click()
  const own = page.getByRole('button', { name: /Delete comment No/ })
  await expect(own).toBeVisible()
  const other = await site.visit(path)
  await expect(other.getByText('my own comment')).toBeVisible()
  await expect(other.getByRole('button', { name: /Delete/ })).toHaveCount(0)
  await page.reload()
  await expect(page.getByRole('button', { name: /Delete thread/ })).toHaveCount(0)
  await own.click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('No comments yet. Be the first to comment!')).toBeVisible()
  await expect(other.getByText('my own comment')).toHaveCount(0)
})
