import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect as expectValue, test } from 'vitest'
import {
  APPEARANCES,
  type BrowserSite,
  expect,
  expectAccessible,
  PHONE,
  startBrowserSite,
} from '#tests/helpers/browser.ts'
import { runCommand } from '#tests/helpers/siteProcess.ts'

const MEMBER = { email: 'member@example.org', password: 'a good password' }
const SECTIONS = [
  ['/admin', 'Overview', 'Posts per hour'],
  ['/admin/users', 'Users', 'admin@example.org'],
  ['/admin/boards', 'Boards', '/tech/'],
  ['/admin/feeds', 'Feeds', 'http://127.0.0.1:9/feed'],
  ['/admin/jobs', 'Jobs', 'captchas'],
  ['/admin/storage', 'Storage', 'Database'],
] as const

let site: BrowserSite
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
})
afterAll(() => site.close())

async function openAsAdmin(path: string, look = {}): Promise<Page> {
  const page = await site.visit('/about', look)
  await site.logIn(page)
  await page.goto(path)
  return page
}
const main = (page: Page) => page.getByRole('main')
const row = (page: Page, text: string) => main(page).getByRole('listitem').filter({ hasText: text })

test.each(SECTIONS)('serves the same unindexed HTML of %s to everyone', async (path, title) => {
  const [asGuest, asUser] = await Promise.all([
    fetch(`${site.server.origin}${path}`),
    fetch(`${site.server.origin}${path}`, { headers: { authorization: 'Bearer x' } }),
  ])
  const html = await asGuest.text()
  expectValue(asGuest.status).toBe(200)
  expectValue(asGuest.headers.get('cache-control')).toBe('no-cache')
  expectValue(html).toContain('content="noindex')
  expectValue(html).toContain(`${title}</h1>`)
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

describe.each(APPEARANCES)('is accessible, $colorScheme', (look) => {
  test('every section, reached through the navigation', async () => {
    const page = await openAsAdmin('/admin', look)
    for (const [path, title, text] of SECTIONS) {
      await page.getByRole('navigation', { name: 'Admin' }).getByRole('link', { name: title }).click()
      await page.waitForURL(({ pathname }) => pathname === path)
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(title)
      await expect(main(page)).toContainText(text)
      await expectAccessible(page)
    }
  })

  test('dialogs', async () => {
    const page = await openAsAdmin('/admin/boards', look)
    for (const name of ['Edit', 'Moderators', 'Delete']) {
      await row(page, '/tech/').getByRole('button', { name, exact: true }).click()
      await expect(page.getByRole('dialog')).toBeVisible()
      await expectAccessible(page)
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toHaveCount(0)
    }
    await page.goto('/admin/users')
    await page.getByRole('button', { name: 'Add User' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click()
    await expect(page.getByRole('dialog').getByRole('alert')).toHaveText('Invalid email address')
    await expectAccessible(page)
  })
})

test('adds, promotes and removes a user by keyboard alone', async () => {
  const page = await openAsAdmin('/admin/users', { viewport: PHONE })
  const press = async (name: string) => {
    const button = main(page).getByRole('button', { name, exact: true })
    await button.focus()
    await page.keyboard.press('Enter')
  }
  await press('Add User')
  await expect(page.getByLabel('Email')).toBeFocused()
  await page.keyboard.type('new@example.org')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Generated password' })
  const password = await dialog.getByLabel('Password').inputValue()
  expectValue(password).toMatch(/^[\w-]{16}$/)
  await page.keyboard.press('Escape')
  await expect(row(page, 'new@example.org')).toContainText('member')
  const answer = await page.request.post('/api/dtpchan/admin/login', { data: { email: 'new@example.org', password } })
  expectValue(answer.status()).toBe(200)

  const inRow = async (name: string) => {
    await row(page, 'new@example.org').getByRole('button', { name, exact: true }).focus()
    await page.keyboard.press('Enter')
  }
  await inRow('Make admin')
  await expect(row(page, 'new@example.org')).toContainText('Make member')
  await inRow('Remove')
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).focus()
  await page.keyboard.press('Enter')
  await expect(row(page, 'new@example.org')).toHaveCount(0)
})

test('shows the rules and the order of boards that an admin sets', async () => {
  const page = await openAsAdmin('/admin/boards')
  await row(page, '/tech/').getByRole('button', { name: 'Edit' }).click()
  await page.getByLabel('Posting rules').fill('Be kind.\nNo spam.')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(row(page, '/tech/')).toContainText('2 lines')
  await page.getByRole('button', { name: 'Move /radio/ up' }).click()
  await expect(page.getByRole('list', { name: 'Boards' }).getByRole('listitem').first()).toContainText('/radio/')

  await page.goto('/dtpchan')
  await expect(main(page).getByRole('article').first()).toContainText('/radio/')
  await page.goto('/dtpchan/board/tech')
  await page.getByRole('button', { name: 'Create Thread' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Create Thread' })
  await expect(dialog.getByText('No spam.')).toBeVisible()
  await expectAccessible(page)
})

test('tries a feed and runs a job', async () => {
  const page = await openAsAdmin('/admin/feeds')
  await page.getByLabel('Try a feed').fill('http://127.0.0.1:9/feed')
  await page.getByRole('button', { name: 'Try', exact: true }).click()
  await expect(main(page).getByRole('status')).toContainText('Could not be read')
  await page.goto('/admin/jobs')
  await row(page, 'captchas').getByRole('button', { name: 'Run now' }).click()
  await expect(row(page, 'captchas')).toContainText('just now')
  await expect(row(page, 'captchas')).toContainText('Took')
})
