import type { Page } from 'playwright'
import superjson from 'superjson'
import { afterAll, beforeAll, expect as expectValue, test } from 'vitest'
import {
  type BrowserSite,
  expect,
  expectAccessible,
  expectAccessibleInAllLooks,
  PHONE,
  startBrowserSite,
} from '#tests/helpers/browser.ts'
import { createAdminClient, createSiteClient } from '#tests/helpers/siteClient.ts'
import { runCommand } from '#tests/helpers/siteProcess.ts'

const MEMBER = { email: 'member@example.org', password: 'a good password' }
const NAME = 'Night Owl'

const source = {
  id: 'one',
  mount: '/test',
  streamer: { name: NAME },
  state: 'testing',
  client: 'butt 0.1.36',
  format: 'MP3, 44.1 kHz, stereo',
  kilobitsPerSecond: 191.6,
  connectedAt: new Date(),
  level: { peak: -3.2, rms: -16.4 } as { peak: number; rms: number } | null,
  title: null as { artist: string; title: string } | null,
}

let site: BrowserSite
beforeAll(async () => {
  site = await startBrowserSite({ SITE_URL: 'https://radio.example' })
  const { code, output } = await runCommand(site.location, ['users', 'add', MEMBER.email], `${MEMBER.password}\n`)
  expectValue(code, output).toBe(0)
})
afterAll(() => site.close())

const REFUSED = { client: 'butt 0.1.37', reason: 'password', attempts: 7, lastAt: new Date() }

/** Answers the calls of live sources in place of the server. @returns the calls that changed a source */
async function answerSources(page: Page, read: () => (typeof source)[]): Promise<string[]> {
  const changes: string[] = []
  await page.route('**/trpc/live.*', async (route) => {
    const name = new URL(route.request().url()).pathname.replace('/trpc/', '')
    if (name !== 'live.refused' && name !== 'live.sources') changes.push(`${name} ${route.request().postData()}`)
    const answer = { 'live.refused': [REFUSED], 'live.sources': read() }[name] ?? null
    await route.fulfill({ status: 200, json: { result: { data: superjson.serialize(answer) } } })
  })
  return changes
}

const main = (page: Page) => page.getByRole('main')
const dialog = (page: Page) => page.getByRole('dialog')
const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

test('an admin lets a member stream, who tests the level on a phone', async () => {
  const admin = await site.visit('/about', { permissions: ['clipboard-read', 'clipboard-write'] })
  await site.logIn(admin)
  await admin.goto('/admin/users')
  const row = main(admin).getByRole('listitem').filter({ hasText: MEMBER.email })
  await row.getByRole('button', { name: 'Streaming' }).click()
  await dialog(admin).getByLabel('Name on air').fill('x')
  await admin.keyboard.press('Enter')
  await expect(dialog(admin).getByRole('alert')).toHaveText(/name has 2 to 40 characters/)
  await dialog(admin).getByLabel('Name on air').fill(NAME)
  await expectAccessible(admin)
  await admin.keyboard.press('Enter')
  const shown = admin.getByRole('dialog', { name: 'Streaming password' })
  await shown.getByRole('button', { name: 'Copy' }).click()
  const password = await admin.evaluate(() => navigator.clipboard.readText())
  expectValue(password).toMatch(/^[a-z2-7]{26}$/)
  await shown.getByRole('button', { name: 'Done' }).click()
  await expect(row.getByRole('button', { name: 'Streaming' })).toBeFocused()
  await expect(row).toContainText(NAME)
  await row.getByRole('button', { name: 'Streaming' }).click()
  await expectAccessible(admin)
  await dialog(admin).getByRole('button', { name: 'Disable' }).click()
  await expect(row).toContainText(`${NAME} (disabled)`)
  await row.getByRole('button', { name: 'Streaming' }).click()
  await dialog(admin).getByRole('button', { name: 'Enable' }).click()
  await expect(row).not.toContainText('(disabled)')

  const page = await site.visit('/account', { viewport: PHONE })
  let sources: (typeof source)[] = []
  const changes = await answerSources(page, () => sources)
  await site.logIn(page, MEMBER.email, MEMBER.password)
  await main(page).getByRole('link', { name: 'Go live' }).click()
  await expect(section(page, 'Your source')).toContainText('No source is connected')
  await expect(section(page, 'Your source')).toContainText('refuses butt 0.1.37 from your network')
  await expect(section(page, 'Connection')).toContainText('radio.example')
  await expect(section(page, 'All sources')).toHaveCount(0)
  await expect(section(page, 'Song requests')).toContainText('This station takes no song requests')
  await expect(section(page, 'Song requests').getByRole('alert')).toHaveCount(0)

  sources = [source]
  await expect(section(page, 'Your source')).toContainText('The level is good.')
  await expect(section(page, 'Your source')).toContainText('−16.4')
  await expect(section(page, 'Your source')).toContainText('192 kbit/s')
  sources = [{ ...source, state: 'on-air', level: { peak: 0, rms: -6 }, title: { artist: 'Ana', title: 'Rain' } }]
  await expect(section(page, 'Your source')).toContainText('Clipping')
  await expect(section(page, 'Your source')).toContainText('Ana – Rain')
  await section(page, 'Settings for your software').getByText('Mixxx', { exact: true }).click()
  await expect(section(page, 'Settings for your software')).toContainText('Mixxx cannot use TLS')
  await expectAccessibleInAllLooks(page)
  await page.setViewportSize(PHONE)
  await section(page, 'Your source').getByRole('button', { name: 'Disconnect' }).click()
  await dialog(page).getByRole('button', { name: 'Disconnect' }).click()
  await expect(page.getByText('Source disconnected')).toBeVisible()
  await expect(main(page)).toBeFocused()
  expectValue(changes).toEqual([expectValue.stringMatching(/^live\.disconnect .*"id":"one"/)])

  await section(page, 'Your account').getByRole('button', { name: 'New password' }).click()
  await dialog(page).getByRole('button', { name: 'Set new password' }).click()
  const renewed = section(page, 'Your account').getByLabel('Streaming password')
  await expect(renewed).toBeFocused()
  expectValue(await renewed.inputValue()).not.toBe(password)
  expectValue(await page.content()).not.toContain(password)
})

test('an admin sees all sources, puts one on air and disconnects one', async () => {
  await (await createAdminClient(site.server.origin)).call('DELETE', `/api/streamers/${MEMBER.email}`)
  const page = await site.visit('/go-live')
  await expect(main(page)).toContainText('Ask the admins')
  await expectAccessible(page)
  const changes = await answerSources(page, () => [
    { ...source, state: 'standby', level: null },
    { ...source, id: 'two', streamer: { name: 'Early Bird' }, state: 'on-air' },
  ])
  await site.logIn(page)
  const rows = section(page, 'All sources').getByRole('listitem')
  await expect(rows).toHaveCount(2)
  await expectAccessible(page)
  await rows.first().getByRole('button', { name: 'Put on air' }).click()
  await expect(page.getByText(`${NAME} is on air`)).toBeVisible()
  await rows.last().getByRole('button', { name: 'Disconnect' }).click()
  await dialog(page).getByRole('button', { name: 'Disconnect' }).click()
  await expect.poll(() => changes.length).toBe(2)
  await expect(rows.first()).toBeFocused()
  expectValue(changes[0]).toMatch(/takeOver .*"id":"one"/)
  expectValue(changes[1]).toMatch(/disconnect .*"id":"two"/)

  const member = createSiteClient(site.server.origin)
  await member.logIn(MEMBER)
  expectValue(await member.call('GET', '/api/streamer')).toMatchObject({ streamer: null })
  await site.logIn(page, MEMBER.email, MEMBER.password)
  await expect(main(page)).toContainText('You don’t have streaming access yet.')
})

test('the settings open without script', async () => {
  const page = await site.visit('/robots.txt', { javaScriptEnabled: false, viewport: PHONE })
  await page.goto('/go-live', { waitUntil: 'commit' })
  await expect(page.getByText('The level test needs JavaScript.')).toBeVisible()
  await page.getByText('ffmpeg', { exact: true }).click()
  await expect(page.getByText('-tls 1 icecast://source:YOUR-PASSWORD@radio.example:443/radio/1/source')).toBeVisible()
})
