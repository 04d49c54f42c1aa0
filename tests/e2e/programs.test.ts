import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { PROGRAM_CATEGORIES } from '#src/contract/program.ts'
import { type BrowserSite, DESKTOP, expect, expectAccessible, PHONE, startBrowserSite } from '#tests/helpers/browser.ts'
import { isDeep, someOf } from '#tests/helpers/depth.ts'
import { createAdminClient, type SiteClient } from '#tests/helpers/siteClient.ts'
import { runCommand } from '#tests/helpers/siteProcess.ts'

const MEMBER = { email: 'mira@example.org', password: 'members password' }
const PATH = '/programs-we-love'
let site: BrowserSite
let client: SiteClient

beforeAll(async () => {
  site = await startBrowserSite()
  client = await createAdminClient(site.server.origin)
  await runCommand(site.location, ['users', 'add', MEMBER.email], `${MEMBER.password}\n`)
})
afterAll(() => site.close())

const fields = (name: string, category = 'Media') => ({
  name,
  link: 'https://example.org/',
  description: `All about ${name}`,
  addedBy: 'ferrite',
  category,
})

const html = async (query = '') => (await fetch(`${site.server.origin}${PATH}${query}`)).text()
const names = (source: string) =>
  [...source.matchAll(/<h3[^>]*id="program-\d+"[^>]*>([^<]*)</g)].map(([, name]) => name)
const cards = (page: Page) => page.getByRole('article')
const card = (page: Page, name: string) => page.getByRole('article', { name, exact: true })
const search = (page: Page) => page.getByRole('searchbox')
const count = (page: Page) => page.getByText(/^\d+ programs?$/)
const dialog = (page: Page) => page.getByRole('dialog')

async function fill(page: Page, values: Record<string, string>) {
  for (const [label, value] of Object.entries(values)) {
    const control = dialog(page).getByLabel(label, { exact: true })
    if (label === 'Category') await control.selectOption(value)
    else await control.fill(value)
  }
}

describe('without script', () => {
  test('renders the whole list by category, with links and counts', async () => {
    const { programs } = await client.call('GET', '/api/programs')
    const source = await html()
    expect(programs.length).toBeGreaterThanOrEqual(30)
    expect(names(source)).toEqual(
      PROGRAM_CATEGORIES.flatMap((wanted) =>
        programs
          .filter(({ category }: { category: string }) => category === wanted)
          .map(({ name }: { name: string }) => name),
      ),
    )
    for (const { link, addedBy } of programs) {
      expect(source).toContain(`href="${link}" target="_blank" rel="noopener noreferrer nofollow ugc"`)
      expect(addedBy).toBe('DTP')
    }
    expect(source.match(/Visit Website/g)).toHaveLength(programs.length)
    expect(source).toContain('All Categories')
    expect(source).toContain('Login to Add Program')
    expect(source).toContain('<title>Programs We Love - DTP</title>')
    expect(source).not.toMatch(/ style="/)
  })

  test.runIf(isDeep)('applies the filters of the URL and keeps one canonical URL', async () => {
    const source = await html('?q=ENCRYPT&category=Security')
    expect(names(source)).toEqual(['age', 'KeePassXC'])
    expect(source).toContain('value="ENCRYPT"')
    expect(source).toMatch(/<link rel="canonical" href="[^"?]+\/programs-we-love"/)
    expect(names(await html('?q=gl1tch'))).toEqual([])
    expect(names(await html('?q=dtp&category=Other'))).toEqual(['GNU Radio', 'KiCad', 'Kiwix'])
    expect(await html('?q=zzz')).toContain('No programs match your search criteria.')
    const hostile = await html('?q=%22%3E%3Cscript%3Ealert(1)%3C/script%3E&category=%3Cimg%20src=x%3E')
    expect(hostile).not.toContain('<script>alert(1)')
    expect(hostile).not.toContain('<img src=x')
  })
})

describe.each(
  someOf([
    ['1440 px', DESKTOP],
    ['390 px', PHONE],
  ]),
)('at %s', (_name, viewport) => {
  test('filters by text and chips without a page load, and keeps the URL in step', async () => {
    const page = await site.visit(PATH, { viewport })
    const all = await cards(page).count()
    await page.evaluate(() => Object.assign(window, { sameDocument: true }))
    const requests: string[] = []
    page.on('request', (one) => one.url().includes('programs-we-love') && requests.push(one.url()))
    await search(page).pressSequentially('  TERMINAL ')
    await expect(count(page)).toHaveText('3 programs')
    await expect(page).toHaveURL(/\?q=TERMINAL$/)
    await page.getByRole('radio', { name: /^System Tools/ }).check()
    await expect(cards(page)).toHaveCount(1)
    await expect(count(page)).toHaveText('1 program')
    await expect(card(page, 'tmux')).toBeVisible()
    await expect(page).toHaveURL(/\?q=TERMINAL&category=System\+Tools$/)
    expect(requests).toEqual([])

    await page.reload()
    await expect(cards(page)).toHaveCount(1)
    await expect(search(page)).toHaveValue('TERMINAL')
    await expect(page.getByRole('radio', { name: /^System Tools/ })).toBeChecked()
    await page.getByRole('contentinfo').getByRole('link', { name: 'DTPChan' }).click()
    await page.waitForURL('**/dtpchan')
    await page.goBack()
    await expect(cards(page)).toHaveCount(1)
    await expect(search(page)).toHaveValue('TERMINAL')

    await search(page).fill('zzz')
    await expect(page.getByText('No programs match your search criteria.')).toBeVisible()
    await expect(page).toHaveURL(/\?q=zzz/)
    requests.length = 0
    await page.getByRole('link', { name: 'Show all programs' }).click()
    await expect(cards(page)).toHaveCount(all)
    await expect(page).toHaveURL(/programs-we-love$/)
    // A request of the router would reset the next choice.
    expect(requests).toEqual([])
  })

  test('logs in on the page, then adds, edits and deletes programs', async () => {
    const page = await site.visit(`${PATH}?category=Security`, { viewport })
    await expect(page.getByRole('button', { name: /^(Edit|Delete) / })).toHaveCount(0)
    const watcher = await site.visit(PATH)
    await page.getByRole('button', { name: 'Login to Add Program' }).click()
    await expect(dialog(page).getByText(/contact an admin for credentials/i)).toBeVisible()
    await dialog(page).getByRole('button', { name: 'Login' }).click()
    await expect(page.getByRole('alert')).toHaveText('Email and password are required')
    await fill(page, { Email: MEMBER.email, Password: 'wrong' })
    await dialog(page).getByRole('button', { name: 'Login' }).click()
    await expect(page.getByRole('alert')).toHaveText('Invalid credentials')
    await fill(page, { Password: MEMBER.password })
    await dialog(page).getByRole('button', { name: 'Login' }).click()
    await expect(dialog(page)).toBeHidden()

    const addKey = page.getByRole('button', { name: 'Add Program' })
    await addKey.click()
    await expect(page.getByRole('dialog', { name: 'Add New Program' })).toBeVisible()
    await expect(dialog(page).getByLabel('Program Name')).toBeFocused()
    await dialog(page).getByRole('button', { name: 'Add', exact: true }).click()
    await expect(page.getByRole('alert')).toHaveText('All fields are required')
    const typed = {
      'Program Name': `sl ${viewport.width}`,
      'Website Link': 'sl.example.org',
      Description: 'A steam engine for who types too fast.',
      'Added By': 'gl1tch',
    }
    await fill(page, typed)
    await dialog(page).getByRole('button', { name: 'Cancel' }).click()
    await expect(addKey).toBeFocused()
    await addKey.click()
    for (const label of Object.keys(typed)) await expect(dialog(page).getByLabel(label)).toHaveValue('')
    await fill(page, typed)
    await dialog(page).getByRole('button', { name: 'Add', exact: true }).click()
    await expect(page.getByRole('alert')).toHaveText('Website link must be an http or https URL')
    await fill(page, { 'Website Link': 'https://sl.example.org/', Category: 'Other' })
    await dialog(page).getByRole('button', { name: 'Add', exact: true }).click()
    await expect(dialog(page)).toBeHidden()

    const added = card(page, typed['Program Name'])
    await expect(added).toBeInViewport()
    await expect(added).toContainText('Other')
    await expect(added).toContainText('Added by gl1tch')
    await expect(added.getByRole('link', { name: 'Visit Website (opens in a new tab)' })).toHaveAttribute(
      'href',
      'https://sl.example.org/',
    )
    expect(await cards(page).last().getAttribute('aria-labelledby')).toBe(await added.getAttribute('aria-labelledby'))
    await expect(card(watcher, typed['Program Name'])).toBeVisible()

    await added.getByRole('button', { name: /^Edit/ }).click()
    await expect(page.getByRole('dialog', { name: 'Edit Program' })).toBeVisible()
    await expect(dialog(page).getByLabel('Website Link')).toHaveValue('https://sl.example.org/')
    await fill(page, { 'Program Name': `steam ${viewport.width}`, Category: 'Media' })
    await dialog(page).getByRole('button', { name: 'Update' }).click()
    await expect(dialog(page)).toBeHidden()
    const edited = card(page, `steam ${viewport.width}`)
    await expect(edited).toContainText('Media')
    await expect(card(watcher, `steam ${viewport.width}`)).toBeVisible()

    await edited.getByRole('button', { name: /^Delete/ }).click()
    await dialog(page).getByRole('button', { name: 'Cancel' }).click()
    await expect(edited).toBeVisible()
    await edited.getByRole('button', { name: /^Delete/ }).click()
    await dialog(page).getByRole('button', { name: 'Delete' }).click()
    await expect(edited).toHaveCount(0)
    await expect(count(page)).toBeFocused()
    await expect(card(watcher, `steam ${viewport.width}`)).toHaveCount(0)
  })
})

test.runIf(isDeep)('reports an edit conflict and keeps the text of the second editor', async () => {
  const { program } = await client.call('POST', '/api/programs', fields('contested'))
  const page = await site.visit(PATH)
  await site.logIn(page, MEMBER.email, MEMBER.password)
  await card(page, 'contested').getByRole('button', { name: /^Edit/ }).click()
  await client.call('PUT', `/api/programs/${program.id}`, { ...fields('contested'), description: 'theirs' })
  await expect(card(page, 'contested')).toContainText('theirs')
  await fill(page, { Description: 'mine' })
  await dialog(page).getByRole('button', { name: 'Update' }).click()
  await expect(page.getByRole('alert')).toContainText('Someone else changed this program in the meantime')
  await expect(dialog(page).getByLabel('Description')).toHaveValue('mine')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'show theirs' }).click()
  await expect(dialog(page).getByLabel('Description')).toHaveValue('theirs')
  await fill(page, { Description: 'both' })
  await dialog(page).getByRole('button', { name: 'Update' }).click()
  await expect(card(page, 'contested')).toContainText('both')
})

test.runIf(isDeep)('shows an error at the action that failed', async () => {
  const page = await site.visit(PATH)
  await site.logIn(page, MEMBER.email, MEMBER.password)
  await page.route(/\/trpc\/[^?]*program\./, (route) =>
    route.request().method() === 'POST' ? route.fulfill({ status: 400, body: 'no answer of ours' }) : route.continue(),
  )
  await page.getByRole('button', { name: 'Add Program' }).click()
  await fill(page, {
    'Program Name': 'x',
    'Website Link': 'https://x.org',
    Description: 'x',
    'Added By': 'x',
    Category: 'Other',
  })
  await dialog(page).getByRole('button', { name: 'Add', exact: true }).click()
  await expect(page.getByRole('alert')).toHaveText('Failed to create program')
  await dialog(page).getByRole('button', { name: 'Cancel' }).click()
  await card(page, 'mpv').getByRole('button', { name: /^Edit/ }).click()
  await dialog(page).getByRole('button', { name: 'Update' }).click()
  await expect(page.getByRole('alert')).toHaveText('Failed to update program')
  await dialog(page).getByRole('button', { name: 'Cancel' }).click()
  await card(page, 'mpv')
    .getByRole('button', { name: /^Delete/ })
    .click()
  await dialog(page).getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('alert')).toHaveText('Failed to delete program')
})

test.runIf(isDeep)('shows an unknown category with a default icon and colour and a chip', async () => {
  await client.call('POST', '/api/programs', fields('oddity', 'Retro'))
  const page = await site.visit(`${PATH}?category=Retro`)
  await expect(cards(page)).toHaveCount(1)
  await expect(page.getByRole('radio', { name: /^Retro/ })).toBeChecked()
  const colour = await card(page, 'oddity')
    .locator('svg')
    .first()
    .evaluate((icon) => getComputedStyle(icon).color)
  expect(colour).toBe('rgb(139, 88, 252)')
  await site.logIn(page, MEMBER.email, MEMBER.password)
  await card(page, 'oddity').getByRole('button', { name: /^Edit/ }).click()
  await expect(dialog(page).getByLabel('Category')).toHaveValue('Retro')
})

test.runIf(isDeep)('shows texts in their own direction', async () => {
  await client.call('POST', '/api/programs', fields('כלי'))
  const page = await site.visit(`${PATH}?q=${encodeURIComponent('כלי')}`)
  for (const text of [card(page, 'כלי').getByRole('heading'), page.getByText('All about כלי')])
    await expect(text).toHaveCSS('unicode-bidi', 'plaintext')
})

test.runIf(isDeep)('shows a message for an empty list', async () => {
  const { programs } = await client.call('GET', '/api/programs')
  for (const { id } of programs) await client.call('DELETE', `/api/programs/${id}`)
  const page = await site.visit(PATH)
  await expect(page.getByText('No programs added yet.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Show all programs' })).toHaveCount(0)
})
