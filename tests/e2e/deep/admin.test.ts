import { TOTP } from 'otpauth'
import type { Page } from 'playwright'
import { afterAll, beforeAll, expect as expectValue, test } from 'vitest'
import { listSections } from '#src/features/admin/sections.ts'
import {
  type BrowserSite,
  expect,
  expectAccessible,
  expectAccessibleInAllLooks,
  PHONE,
  startBrowserSite,
} from '#tests/helpers/browser.ts'
import { expectVisibleFocus, pressOn, tabTo } from '#tests/helpers/keyboard.ts'
import { createAdminClient, createSiteClient, type SiteClient } from '#tests/helpers/siteClient.ts'
import { runCommand } from '#tests/helpers/siteProcess.ts'

const MEMBER = { email: 'member@example.org', password: 'a good password' }
const isInside = ({ href }: { href: string }) => href.startsWith('/admin')

let site: BrowserSite
let client: SiteClient
beforeAll(async () => {
  site = await startBrowserSite({ NEWS_FEEDS: 'http://127.0.0.1:9/feed', LOG_LEVEL: 'error' })
  for (const args of [
    ['users', 'add', MEMBER.email],
    ['seed', '--board', 'tech', '--threads', '3', '--comments', '5', '--pictures', '1'],
    ['seed', '--board', 'radio', '--threads', '1', '--comments', '1', '--pictures', '0'],
  ]) {
    const { code, output } = await runCommand(site.location, args, `${MEMBER.password}\n`)
    expectValue(code, output).toBe(0)
  }
  client = await createAdminClient(site.server.origin)
  await createModerationContent()
})
afterAll(() => site.close())

/** Fills the pages of moderation, with texts that are long enough to break a layout. */
async function createModerationContent(): Promise<void> {
  const long = 'Donaudampfschifffahrtsgesellschaft'.repeat(3)
  await client.call('POST', '/api/moderation/filters', {
    kind: 'literal',
    value: `held ${long}`,
    fields: ['post'],
    effect: 'hold',
    message: long,
  })
  const threads = '/api/dtpchan/boards/tech/threads'
  const { thread } = await client.post(threads, { title: 'Title', content: 'Text' })
  await client.post(`${threads}/${thread.id}/comments`, { content: `held ${long}` })
  const url = `/dtpchan/board/tech/thread/${thread.id}`
  await client.post('/api/moderation/reports', { url, reason: 'spam', text: long })
  const endsAt = new Date(Date.now() + 86_400_000)
  const ban = { kind: 'post', itemId: thread.id, boardId: 'radio', width: 'host', reason: long, endsAt }
  expectValue(await client.call('POST', '/api/moderation/bans', ban)).toMatchObject({ success: true })
}

async function openAsAdmin(path: string, look = {}): Promise<Page> {
  const page = await site.visit('/about', look)
  await site.logIn(page)
  await page.goto(path)
  return page
}
const main = (page: Page) => page.getByRole('main')
const row = (page: Page, text: string) => main(page).getByRole('listitem').filter({ hasText: text })
const button = (page: Page, name: string) => main(page).getByRole('button', { name, exact: true })
const dialog = (page: Page) => page.getByRole('dialog')

test.each(listSections().filter(isInside))('serves the same unindexed HTML of $href to everyone', async (section) => {
  const { href: path, label } = section
  const [asGuest, asUser] = await Promise.all([
    fetch(`${site.server.origin}${path}`),
    fetch(`${site.server.origin}${path}`, { headers: { authorization: 'Bearer x' } }),
  ])
  const html = await asGuest.text()
  expectValue(asGuest.status).toBe(200)
  expectValue(asGuest.headers.get('cache-control')).toBe('no-cache')
  expectValue(html).toContain('content="noindex')
  expectValue(html).toContain(`${label}</h1>`)
  expectValue(html).not.toContain('admin@example.org')
  expectValue(await asUser.text()).toBe(html)
})

test('asks visitors to log in and returns them to the page', async () => {
  const page = await site.visit('/admin/jobs')
  await expect(main(page)).toContainText('Log in as an admin or moderator')
  await expectAccessible(page)
  await main(page).getByRole('link', { name: 'Login' }).click()
  await page.getByLabel('Email').fill('admin@example.org')
  await page.getByLabel('Password').fill('administrator')
  await page.getByRole('button', { name: 'Login' }).click()
  await page.waitForURL('**/admin/jobs')
  await expect(row(page, 'captchas')).toBeVisible()
})

test('refuses members, and shows moderators that they need another section', async () => {
  const page = await site.visit('/about')
  await site.logIn(page, MEMBER.email, MEMBER.password)
  await page.goto('/admin/users')
  await expect(main(page)).toContainText('You are not allowed to do this')
  await expect(main(page).getByRole('button')).toHaveCount(0)
  await expectAccessible(page)

  await runCommand(site.location, ['boards', 'moderators', 'tech', 'add', MEMBER.email], '')
  await page.goto('/account')
  await page.getByRole('link', { name: 'Moderation', exact: true }).click()
  await expect(main(page)).toContainText('Only admins may open this page')
  await expectAccessible(page)
  await runCommand(site.location, ['boards', 'moderators', 'tech', 'remove', MEMBER.email], '')
})

test('no page has an axe violation or scrolls sideways, in both themes at 1440 and 390 px', async () => {
  const page = await openAsAdmin('/admin')
  for (const { href, label } of listSections().filter(isInside)) {
    await page
      .getByRole('navigation', { name: 'Admin' })
      .getByRole('link', { name: new RegExp(`^${label}\\s*\\d*$`) })
      .click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(label)
    await expect(main(page).getByText('Loading…')).toHaveCount(0)
    expectValue(new URL(page.url()).pathname).toBe(href)
    await expectAccessibleInAllLooks(page)
  }
  for (const { href } of listSections().filter((section) => !isInside(section))) {
    await page.goto(href)
    await expectAccessibleInAllLooks(page)
  }
})

test('adds, changes and removes a user by keyboard alone', async () => {
  const page = await openAsAdmin('/admin/users', { viewport: PHONE })
  const email = 'new@example.org'
  await pressOn(button(page, 'Add User'))
  await expectVisibleFocus(dialog(page).getByLabel('Email'))
  await page.keyboard.press('Enter')
  await expect(dialog(page).getByRole('alert')).toHaveText('Invalid email address')
  await expectAccessibleInAllLooks(page)
  await page.setViewportSize(PHONE)
  await expectVisibleFocus(dialog(page).getByLabel('Email'))
  await page.keyboard.type(email)
  await page.keyboard.press('Enter')
  const generated = page.getByRole('dialog', { name: 'Generated password' })
  const password = await generated.getByLabel('Password').inputValue()
  expectValue(password).toMatch(/^[\w-]{16}$/)
  await page.keyboard.press('Escape')
  await expect(generated).toBeVisible()
  await pressOn(generated.getByRole('button', { name: 'Done' }))
  await expectVisibleFocus(button(page, 'Add User'))
  await expect(row(page, email)).toContainText('member')

  await addSecondFactor(email, password)
  await page.reload()
  const inRow = (name: string) => row(page, email).getByRole('button', { name, exact: true })
  await pressOn(inRow('Reset second factor'))
  await expect(dialog(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await expectVisibleFocus(inRow('Reset second factor'))
  await page.keyboard.press('Enter')
  await pressOn(dialog(page).getByRole('button', { name: 'Reset' }))
  await expect(row(page, email)).not.toContainText('Second factor')
  await createSiteClient(site.server.origin).logIn({ email, password })
  await page.reload()
  await pressOn(inRow('End sessions'), 'Space')
  await expect(page.getByText(`Sessions of ${email} ended`)).toBeVisible()
  await pressOn(inRow('Make admin'))
  await expectVisibleFocus(inRow('Make member'))
  await pressOn(inRow('Remove'))
  await pressOn(dialog(page).getByRole('button', { name: 'Remove' }))
  await expect(row(page, email)).toHaveCount(0)
  await expect(main(page).getByRole('listitem').and(page.locator(':focus'))).toHaveCount(1)
})

async function addSecondFactor(email: string, password: string): Promise<void> {
  const own = createSiteClient(site.server.origin)
  await own.logIn({ email, password })
  const started = await own.call('POST', '/trpc/auth.startTotp', { json: { currentPassword: password } })
  const { setup, secret } = started.result.data.json
  const code = new TOTP({ secret }).generate()
  const { result } = await own.call('POST', '/trpc/auth.confirmTotp', { json: { setup, code } })
  expectValue(result.data.json).toBeTruthy()
}

test('edits the rules, the moderators and the order of boards by keyboard alone', async () => {
  const page = await openAsAdmin('/admin/boards')
  const inRow = (name: string) => row(page, '/tech/').getByRole('button', { name, exact: true })
  for (const name of ['Moderators', 'Delete', 'Edit']) {
    await pressOn(inRow(name))
    await expect(dialog(page)).toBeVisible()
    await expectAccessibleInAllLooks(page)
    await page.keyboard.press('Escape')
    await expectVisibleFocus(inRow(name))
  }
  await page.keyboard.press('Enter')
  await tabTo(dialog(page).getByLabel('Posting rules'))
  await page.keyboard.type('Be kind.')
  await page.keyboard.press('Enter')
  await page.keyboard.type('No spam.')
  await pressOn(dialog(page).getByRole('button', { name: 'Save' }))
  await expect(row(page, '/tech/')).toContainText('2 lines')
  await expectVisibleFocus(inRow('Edit'))
  await tabTo(button(page, 'Move /radio/ up'), 'Shift+Tab')
  await page.keyboard.press('Space')
  await expect(page.getByRole('list', { name: 'Boards' }).getByRole('listitem').first()).toContainText('/radio/')

  await page.goto('/dtpchan')
  await expect(main(page).getByRole('article').first()).toContainText('/radio/')
  await page.goto('/dtpchan/board/tech')
  await page.getByRole('button', { name: 'Create Thread' }).first().click()
  await expect(page.getByRole('dialog', { name: 'Create Thread' }).getByText('No spam.')).toBeVisible()
  await expectAccessible(page)
})

test('no longer lists a user whom another admin has removed, once an action fails', async () => {
  await runCommand(site.location, ['users', 'add', 'gone@example.org'], `${MEMBER.password}\n`)
  const page = await openAsAdmin('/admin/users')
  const makeAdmin = row(page, 'gone@example.org').getByRole('button', { name: 'Make admin' })
  await expect(makeAdmin).toBeVisible()
  await runCommand(site.location, ['users', 'remove', 'gone@example.org'], '')
  await makeAdmin.click()
  await expect(main(page).getByRole('alert')).toContainText('gone@example.org')
  await expect(main(page).getByRole('listitem').filter({ hasText: 'gone@example.org' })).toHaveCount(0)
})

test('keeps a typed moderator while another one is removed', async () => {
  const { id } = await client.createBoard('Moderated')
  await runCommand(site.location, ['boards', 'moderators', id, 'add', MEMBER.email], '')
  const page = await openAsAdmin('/admin/boards')
  await row(page, `/${id}/`).getByRole('button', { name: 'Moderators', exact: true }).click()
  await dialog(page).getByLabel('Email').fill('typed@example.org')
  await dialog(page)
    .getByRole('button', { name: `Remove ${MEMBER.email}` })
    .click()
  await expect(dialog(page).getByText(MEMBER.email, { exact: true })).toHaveCount(0)
  await expect(dialog(page).getByLabel('Email')).toHaveValue('typed@example.org')
})

test('keeps what another admin changed on a board while its list was open', async () => {
  const { id } = await client.createBoard('Shared')
  const page = await openAsAdmin('/admin/boards')
  await expect(row(page, '/shared/')).toBeVisible()
  const changed = { name: 'Shared', description: 'By another admin', rules: 'Be kind.' }
  await client.call('PUT', `/api/dtpchan/boards/${id}`, changed)
  await row(page, '/shared/').getByRole('button', { name: 'Edit', exact: true }).click()
  await dialog(page).getByLabel('Board Name').fill('Renamed')
  await dialog(page).getByRole('button', { name: 'Save' }).click()
  await expect(row(page, '/shared/')).toContainText('Renamed')
  await expect(row(page, '/shared/')).toContainText('By another admin')
  await expect(row(page, '/shared/')).toContainText('1 line')
})

test.each([
  ['the admin area', '/admin/boards', row],
  [
    'the list of boards',
    '/dtpchan',
    (page: Page, text: string) => main(page).getByRole('article').filter({ hasText: text }),
  ],
])('deletes a board on %s only after its id was typed', async (_name, path, find) => {
  const { id } = await client.createBoard('Shortlived')
  const page = await openAsAdmin(path)
  await find(page, `/${id}/`).getByRole('button', { name: 'Delete', exact: true }).click()
  const confirm = dialog(page).getByRole('button', { name: 'Delete', exact: true })
  const field = dialog(page).getByLabel(`Type “${id}” to delete it`)
  await expect(confirm).toBeDisabled()
  await expectAccessible(page)
  await field.fill('short')
  await field.press('Enter')
  await expect(confirm).toBeDisabled()
  await field.fill(`${id} `)
  await field.press('Enter')
  await expect(dialog(page)).toHaveCount(0)
  await expect(find(page, `/${id}/`)).toHaveCount(0)
})

test('tries a feed and runs a job by keyboard alone', async () => {
  const page = await openAsAdmin('/admin/feeds')
  await tabTo(page.getByLabel('Try a feed'))
  await page.keyboard.type('http://127.0.0.1:9/feed')
  await page.keyboard.press('Enter')
  await expect(main(page).getByRole('status')).toContainText('Could not be read')
  await tabTo(page.getByRole('link', { name: 'Jobs', exact: true }), 'Shift+Tab')
  await page.keyboard.press('Enter')
  const run = row(page, 'captchas').getByRole('button', { name: 'Run now' })
  await pressOn(run, 'Space')
  await expect(row(page, 'captchas')).toContainText('just now')
  await expect(row(page, 'captchas')).toContainText('Took')
  await expectVisibleFocus(run)
  await row(page, 'captchas').getByText('Last runs').click()
  await expect(row(page, 'captchas').locator('li').first()).toContainText(/today \d\d:\d\d · .* s · done/)
  await expectAccessible(page)
})
