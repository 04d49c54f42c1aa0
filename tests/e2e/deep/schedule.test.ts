import type { Page } from 'playwright'
import { afterAll, beforeAll, expect as expectValue, test } from 'vitest'
import { type BrowserSite, expect, expectAccessible, startBrowserSite } from '#tests/helpers/browser.ts'
import { key, player } from '#tests/helpers/player.ts'
import { findSchemaErrors } from '#tests/helpers/schemaOrg.ts'
import { createAdminClient, type SiteClient } from '#tests/helpers/siteClient.ts'
import { runCommand } from '#tests/helpers/siteProcess.ts'
import { addStreamerTo } from '#tests/helpers/streamers.ts'

const MEMBER = { email: 'mira@example.org', password: 'members password' }
const DAY_MS = 24 * 60 * 60 * 1000

let site: BrowserSite
let client: SiteClient
beforeAll(async () => {
  site = await startBrowserSite()
  client = await createAdminClient(site.server.origin)
  await runCommand(site.location, ['users', 'add', MEMBER.email], `${MEMBER.password}\n`)
  await addStreamerTo(site.location, MEMBER.email, 'mira')
})
// Also fails if the browser logged an error.
afterAll(() => site.close())

const html = async (path: string) => (await fetch(`${site.server.origin}${path}`)).text()
const dialog = (page: Page) => page.getByRole('dialog')
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)
const toDate = (day: string) => day.split('-').reverse().join('/')

test('a streamer plans a show, which appears on every page that shows the schedule', async () => {
  expectValue(await html('/radio')).toContain('No shows in the next seven days.')
  const tomorrow = inDays(1)
  // Kathmandu is 5:45 hours ahead of UTC.
  const page = await site.visit('/radio', { timezoneId: 'Asia/Kathmandu' })
  await site.logIn(page, MEMBER.email, MEMBER.password)
  const watcher = await site.visit('/radio')
  await page.getByRole('button', { name: 'Add show' }).click()
  await expect(dialog(page).getByLabel('Time zone')).toHaveValue(/^Asia\/Kat/)
  await dialog(page).getByRole('button', { name: 'Add show' }).click()
  await expect(page.getByRole('alert')).toHaveText('A title is required')
  const fields = { Title: 'Tracker <Night>', 'First day': tomorrow, Start: '18:30', Minutes: '90' }
  for (const [label, value] of Object.entries(fields)) await dialog(page).getByLabel(label, { exact: true }).fill(value)
  await dialog(page).getByLabel('Time zone').selectOption('UTC')
  await expectAccessible(page)
  await dialog(page).getByRole('button', { name: 'Add show' }).click()
  await expect(dialog(page)).toBeHidden()

  // The page shows the next day, because it is in the visitor's zone.
  const entry = page
    .getByRole('region', { name: toDate(inDays(2)) })
    .getByRole('listitem')
    .first()
  await expect(entry).toContainText('00:15–01:45')
  await expect(entry.getByRole('heading')).toHaveText('Tracker <Night>')
  await expect(watcher.getByRole('heading', { name: 'Tracker <Night>' }).first()).toBeVisible()

  // On a busy machine, readers get the previous version of a page until the new one is rendered.
  await expect.poll(() => html('/radio')).toContain('Tracker &lt;Night&gt;')
  const source = await html('/radio')
  expectValue(source.replaceAll('<!-- -->', '').replaceAll(/<\/?time[^>]*>/g, '')).toContain('18:30–20:00 UTC')
  const data = [...source.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g)].map(([, json = '']) =>
    JSON.parse(json),
  )
  expectValue(data[0]).toMatchObject({ '@type': 'BroadcastEvent', startDate: `${tomorrow}T18:30:00.000Z` })
  expectValue(data.flatMap((one) => findSchemaErrors(one, data[0].url))).toEqual([])
  await expect
    .poll(async () => (await html('/')).replaceAll('<!-- -->', ''))
    .toMatch(/Next: <a href="\/radio">Tracker &lt;Night&gt;</)

  await client.call('POST', '/api/radio/shows', {
    ...{ streamer: 'mira', title: 'Taken', zone: 'UTC', firstDay: tomorrow, startTime: '20:00', minutes: 30 },
  })
  await page.getByRole('button', { name: 'Edit Tracker <Night>' }).click()
  await dialog(page).getByLabel('Minutes').fill('91')
  await dialog(page).getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('alert')).toContainText('This overlaps with “Taken”')
  await dialog(page).getByLabel('Minutes').fill('60')
  await dialog(page).getByRole('button', { name: 'Save' }).click()
  await expect(dialog(page)).toBeHidden()
  await expect(entry).toContainText('00:15–01:15')
  await expectAccessible(page)

  await key(page, 'Maximise').click()
  await expect(player(page)).toContainText(/Next\s*Tracker <Night> with mira/)
  await key(page, 'Restore').click()
  await page.getByRole('button', { name: 'Delete Tracker <Night>' }).click()
  await dialog(page).getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('region', { name: 'Your shows' }).getByRole('listitem')).toHaveCount(1)
  await expect(page.getByRole('heading', { name: 'Tracker <Night>' })).toHaveCount(0)
})
