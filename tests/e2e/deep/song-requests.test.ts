import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, test } from 'vitest'
import { t } from '#src/i18n/t.ts'
import {
  APPEARANCES,
  type BrowserSite,
  expect,
  expectAccessible,
  PHONE,
  startBrowserSite,
} from '#tests/helpers/browser.ts'
import { put } from '#tests/helpers/embeddedStation.ts'
import { mp3 } from '#tests/helpers/mp3.ts'
import { key, player } from '#tests/helpers/player.ts'
import { visitStrictly } from '#tests/helpers/strictBrowser.ts'

let site: BrowserSite

beforeAll(async () => {
  site = await startBrowserSite({ SONG_REQUESTS: 'on' })
  const names = [
    'Carrier Wave',
    'Night Bus',
    'Þögn',
    'Sub-Bass & Sons',
    'A title that is much longer than the titles of most songs',
  ]
  for (const [index, title] of names.entries()) {
    const tags = { title, artist: index === 2 ? 'Björk Guðmundsdóttir' : 'Sine Club' }
    put(join(site.location.dataDir, 'radio'), `${index}.mp3`, mp3({ seconds: 600, track: index + 1, tags }))
  }
})
afterAll(() => site?.close())

test('marks the playing track, and lists, exports and imports favourites', async () => {
  const page = await site.visit('/')
  await key(page, 'Maximise').click()
  const heart = key(page, 'Add to favourites')
  await heart.click()
  await expect(heart).toHaveAttribute('aria-pressed', 'true')
  const title = await player(page).getByRole('heading', { level: 2 }).innerText()
  await player(page).getByRole('link', { name: 'Favourites' }).click()
  const row = page.getByRole('main').getByRole('listitem').filter({ hasText: title })
  await expect(row).toContainText('Radio')
  await expectAccessible(page)
  await page.getByRole('searchbox').fill('no such track')
  await expect(page.getByText(t('show.noFavouriteMatches'))).toBeVisible()
  await page.getByRole('searchbox').fill('')
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export JSON' }).click()
  const exported = await readFile(await (await downloading).path())
  await row.getByRole('button', { name: `Remove ${title}` }).click()
  await expect(page.getByText(t('show.noFavourites'))).toBeVisible()
  const input = page.locator('input[type=file]')
  const file = (buffer: Buffer) => ({ name: 'favourites.json', mimeType: 'application/json', buffer })
  const hostile = {
    artist: 'x',
    title: 'y',
    station: '',
    savedAt: '2026-01-01T00:00:00Z',
    recording: { streamerId: 'javascript:' },
  }
  for (const content of ['{', '[]', 'null', '{"favourites":[null]}', JSON.stringify({ favourites: [hostile] })]) {
    await input.setInputFiles(file(Buffer.from(content)))
    await expect(page.getByRole('alert')).toContainText(t('show.notFavourites'))
    await page.getByRole('button', { name: 'Dismiss' }).click()
  }
  await input.setInputFiles(file(exported))
  await expect(row).toBeVisible()
  await page.reload()
  await expect(row).toBeVisible()
})

test('requests a song while typing, and without script', async () => {
  const page = await site.visit('/song-requests', APPEARANCES[0])
  const [library, queue] = [
    page.getByRole('region', { name: 'Library' }),
    page.getByRole('region', { name: 'Waiting' }),
  ]
  await expect(library.getByRole('listitem')).toHaveCount(5)
  await page.getByRole('searchbox').fill('bjork')
  await expect(library.getByRole('listitem')).toHaveCount(1)
  await library.getByRole('button', { name: 'Request Þögn' }).click()
  await expect(queue.getByRole('listitem')).toContainText('Björk Guðmundsdóttir')
  await expect(library.getByRole('listitem')).toContainText(/again (today|tomorrow) \d\d:\d\d/)
  await expectAccessible(page)

  const strict = await visitStrictly(site, '/song-requests', { viewport: PHONE })
  await strict.getByRole('searchbox').fill('night')
  await strict.getByRole('button', { name: 'Search' }).click()
  await strict.getByRole('button', { name: 'Request Night Bus' }).click()
  await expect(strict).toHaveURL(/\/song-requests#request-\d+$/)
  await expect(strict.getByRole('region', { name: 'Waiting' }).getByRole('listitem')).toHaveCount(2)
  // The open page follows.
  await expect(queue.getByRole('listitem')).toHaveCount(2)
})
