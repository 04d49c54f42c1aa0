import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect as expectValue, test } from 'vitest'
import { openDatabase } from '#db/client.server.ts'
import { DEMO_TRACK } from '#server/features/radio/library/library.ts'
import { addArticles } from '#tests/helpers/articles.ts'
import { type BrowserSite, expect, expectAccessible, startBrowserSite } from '#tests/helpers/browser.ts'
import { isDeep } from '#tests/helpers/depth.ts'
import { expectSound, key, sound } from '#tests/helpers/player.ts'
import { RADIO_KEY, type RadioService, startRadioService } from '#tests/helpers/radioService.ts'
import { stillImage } from '#tests/helpers/sampleImages.ts'
import { seed } from '#tests/helpers/siteProcess.ts'

const SITE = {
  name: 'Night Shift',
  chatUrl: 'https://webchat.example.net/',
  irc: { host: 'irc.night.example', channels: { gaming: '#arcade' } },
  about: { story: ['It began <b>here</b>.'] },
}
const BYTES_PER_SECOND = 16_000

let service: RadioService
let site: BrowserSite
let folder: string
/** HTML of the empty home page */
let emptyHtml: string
/** the six threads on the home page, in the order of the API */
let threads: { id: number; boardId: string; title: string; picture: unknown; lastActivity: string }[]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'home-'))
  const file = join(folder, 'site.json')
  await writeFile(file, JSON.stringify(SITE))
  const [mp3, art] = await Promise.all([readFile(DEMO_TRACK), stillImage(600, 600).jpeg().toBuffer()])
  service = await startRadioService({ sound: mp3, bytesPerSecond: BYTES_PER_SECOND, art })
  service.set('nowplaying', { fixture: 'nowplaying-live' })
  site = await startBrowserSite({ RADIO_URL: service.url, RADIO_API_KEY: RADIO_KEY, SITE_FILE: file })
  service.set('all', 'broken')
  // Polls: the first response does not wait for the radio service, so only later ones show its state.
  const readEmpty = async () => {
    emptyHtml = await html('/')
    return emptyHtml
  }
  await expect.poll(readEmpty).toContain('The radio isn’t responding')
  service.set('all', null)
  service.set('nowplaying', { fixture: 'nowplaying-live' })

  await seed(site.location, '--threads 7 --comments 12 --pictures 4 --board tech')
  const { databaseUrl, dataDir } = site.location
  const database = await openDatabase({ databaseUrl, dataDir, mode: 'command' })
  const titles = ['A title & <i>more</i>', 'Second', 'Third', 'Fourth', 'Fifth', 'Sixth']
  await addArticles(
    database.db,
    titles.map((title, index) => ({ title, source: 'lwn.net', url: `https://lwn.net/Articles/${index}/` })),
  )
  await database.close()
  const { boards } = await json('/api/dtpchan/boards')
  const lists = await Promise.all(boards.map(({ id }: { id: string }) => json(`/api/dtpchan/boards/${id}/threads`)))
  threads = lists
    .flatMap((list) => list.threads)
    .sort((a, b) => b.lastActivity.localeCompare(a.lastActivity) || b.id - a.id)
    .slice(0, 6)
})
afterAll(async () => {
  await site.close()
  await service.close()
  await rm(folder, { recursive: true })
})

async function html(path: string): Promise<string> {
  const answer = await fetch(`${site.server.origin}${path}`)
  expectValue(answer.status).toBe(200)
  return answer.text()
}
// biome-ignore lint/suspicious/noExplicitAny: tests read responses as any client would
const json = async (path: string): Promise<any> => (await fetch(`${site.server.origin}${path}`)).json()
const pathOf = ({ id, boardId }: { id: number; boardId: string }) => `/dtpchan/board/${boardId}/thread/${id}`
const text = (source: string) =>
  source
    .replace(/<script[\s\S]*?<\/script>/g, '')
    // Removes React's separators between text nodes.
    .replace(/<!-- -->/g, '')
    .replace(/<[^>]+>/g, '\n')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&#x27;/g, "'")
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, '&')

const deck = (page: Page) => page.getByRole('region', { name: 'On air now' })
const latest = (page: Page) => page.getByRole('region', { name: 'Latest threads' })

describe('the HTML of the home page', () => {
  test('describes the community and its chat from the settings', async () => {
    const source = await html('/')
    expectValue(source.match(/<h1/g)).toHaveLength(1)
    expectValue(source).toContain('<a href="https://webchat.example.net/" target="_blank" rel="noopener"')
    expectValue(source).toMatch(/<a href="\/about"[^>]*>Learn More</)
    expectValue(source).toContain('href="https://weechat.org/download/"')
    expectValue(source).toContain('href="ircs://irc.night.example:1337/%23arcade"')
    expectValue(source).not.toMatch(/ style="/)
    const visibleText = text(source)
    for (const one of [
      ...['Welcome to Night Shift.', 'Join Chat', 'Tech & Coding', 'Radio & IRC', 'Hardware Hacking'],
      ...[
        'irc.night.example',
        '1337',
        'SSL required',
        '#main',
        '#radio',
        '#arcade',
        '#news',
        '#vhosts',
        'Custom vhosts',
      ],
    ]) {
      expectValue(visibleText).toContain(one)
    }
  })

  test('shows the radio, the latest threads and the news', async () => {
    // Polls, because the server caches a failure of the radio service for some seconds.
    await expect.poll(async () => text(await html('/'))).toContain('Tëst “Title”')
    const source = await html('/')
    const visibleText = text(source)
    for (const one of ['Artist', 'hosted by', 'Test DJ', '20 listening']) expectValue(visibleText).toContain(one)
    expectValue(source).toMatch(/<img[^>]+src="\/api\/radio\/art\/[\w-]{22,}"[^>]+alt="Cover of Tëst “Title”"/)

    const linked = [...source.matchAll(/href="(\/dtpchan\/board\/[\w-]+\/thread\/\d+)"/g)].map(([, path]) => path)
    const lead = threads.find(({ picture }) => picture)
    const order = lead ? [lead, ...threads.filter((thread) => thread !== lead)] : []
    expectValue(linked).toEqual(order.map(pathOf))
    for (const { title } of threads) expectValue(visibleText).toContain(title)
    expectValue(source).toContain(`alt="Attached to No. ${lead?.id}"`)

    const articles = [...source.matchAll(/href="https:\/\/lwn\.net\/Articles\/(\d)\/" target="_blank"/g)]
    expectValue(articles.map(([, number]) => number).join('')).toBe('01234')
    expectValue(visibleText).toContain('A title & <i>more</i>')
    expectValue(source).toMatch(/<a [^>]*href="\/today-in-tech"[^>]*>All news</)
  })

  test('draws the posts of the day, and has threads and news before features and chat', async () => {
    // The server keeps counts for some seconds, maybe from before the posts.
    await expect.poll(async () => text(await html('/')), { timeout: 80_000 }).not.toContain('No posts today yet')
    const source = await html('/')
    const visibleText = text(source)
    const [, today = '', lastHour = ''] = /([\d,]+) posts? today, ([\d,]+) in the last hour/.exec(visibleText) ?? []
    expectValue(Number(today) + Number(lastHour)).toBeGreaterThan(0)
    expectValue(source).toMatch(/viewBox="0 0 144 100"[^>]*><path d="[^"]*"/)
    const order = ['in the last hour', 'Latest threads', 'Latest news', 'Tech & Coding', 'Connect to IRC']
    const places = order.map((one) => visibleText.indexOf(one))
    expectValue(places).toEqual(places.toSorted((left, right) => left - right))
    expectValue(places[0]).toBeGreaterThan(0)
  })

  test('shows a message for each empty section and for an unavailable radio', () => {
    for (const one of [
      'No threads yet. Be the first to create one!',
      'No articles available at the moment.',
      'No track playing',
      'The radio isn’t responding',
    ]) {
      expectValue(text(emptyHtml)).toContain(one)
    }
    expectValue(text(emptyHtml)).not.toContain('listening')
    expectValue(text(emptyHtml)).toContain('No posts today yet')
  })
})

test('lists boards with their threads, the latest one, and moderators without their addresses', async () => {
  const source = await html('/dtpchan')
  const visibleText = text(source)
  const [newest] = threads
  expectValue(source).toContain(`href="${newest && pathOf(newest)}"`)
  expectValue(visibleText).toContain('7 threads')
  expectValue(visibleText).toContain('admin')
  expectValue(visibleText).not.toContain('admin@example.org')
  expectValue(source).toMatch(/aria-label="\d+ posts? in 24 hours"/)
})

test.runIf(isDeep)('the list of boards is accessible in both themes and at three widths', async () => {
  const page = await site.visit('/dtpchan')
  await expect(page.getByRole('article')).not.toHaveCount(0)
  // The widest layout has other columns than the desktop.
  for (const [colorScheme, width, height] of [
    ['dark', 390, 844],
    ['light', 1440, 900],
    ['dark', 1920, 1080],
  ] as const) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height })
    expect(await page.evaluate(() => document.documentElement.scrollWidth), `${width} px`).toBe(width)
    await expectAccessible(page, `${width} px, ${colorScheme}`)
  }
})

test.runIf(isDeep)('moves only for visitors who do not ask for less motion', async () => {
  for (const [reducedMotion, expected] of [
    ['no-preference', 1],
    ['reduce', 0],
  ] as const) {
    const page = await site.visit('/robots.txt', { reducedMotion })
    await page.addInitScript(() => {
      const start = document.startViewTransition?.bind(document)
      document.startViewTransition = (update) => {
        document.documentElement.setAttribute('data-transitions', '1')
        return start(update)
      }
      for (const type of ['animationstart', 'transitionrun']) {
        addEventListener(type, () => document.documentElement.setAttribute('data-moved', ''), true)
      }
    })
    await page.goto('/about')
    // The code for transitions loads with the current track.
    await expect(page.getByRole('region', { name: 'Radio player' }).getByText('Tëst “Title”')).toBeVisible()
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Archive' }).click()
    await page.waitForURL('**/archive')
    await expect(page.getByRole('heading', { level: 1, name: 'Broadcast archive' })).toBeVisible()
    const transitions = await page.evaluate(() => Number(document.documentElement.getAttribute('data-transitions')))
    expectValue([reducedMotion, transitions]).toEqual([reducedMotion, expected])

    await page.getByRole('main').locator('summary').first().click()
    await key(page, 'Maximise').click()
    await key(page, 'Restore').click()
    const hasMoved = () => page.evaluate(() => document.documentElement.hasAttribute('data-moved'))
    expectValue([reducedMotion, await hasMoved()]).toEqual([reducedMotion, expected === 1])
    await page.goto('/programs-we-love')
    await page.getByRole('button', { name: 'Login to Add Program' }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    expectValue([reducedMotion, await hasMoved()]).toEqual([reducedMotion, expected === 1])
  }
})

test('starts the radio, moves the meters and keeps playing across pages', async () => {
  const page = await site.visit('/', { reducedMotion: 'no-preference' })
  const meters = deck(page).locator('[style*="--level"]')
  await expect(deck(page).getByText('Tëst “Title”')).toBeVisible()
  await expect(deck(page).getByRole('link', { name: 'Visualiser' })).toHaveAttribute('href', '/visualizer')
  await expect(meters).toHaveCount(0)
  const before = await deck(page).boundingBox()

  await deck(page).getByRole('button', { name: 'Play' }).click()
  await expectSound(page)
  await expect(deck(page).getByRole('button', { name: 'Pause' })).toBeVisible()
  await expect(key(page, 'Pause')).toBeVisible()
  await expect(meters).toHaveCount(2)
  const levels = () => meters.evaluateAll((bars: HTMLElement[]) => bars.map((bar) => bar.style.cssText).join())
  const level = await levels()
  await expect.poll(levels).not.toBe(level)
  expect(await deck(page).boundingBox()).toEqual(before)

  const row = latest(page).getByRole('listitem').last()
  const path = await row.getByRole('link').getAttribute('href')
  await row.click({ position: { x: 5, y: 5 } })
  await page.waitForURL(`**${path}`)
  await expectSound(page)
  await page.goBack()
  await deck(page).getByRole('button', { name: 'Pause' }).click()
  await expect(deck(page).getByRole('button', { name: 'Play' })).toBeVisible()
  expect((await sound(page)).isPaused).toBe(true)
  await expect(meters).toHaveCount(0)
})

test.runIf(isDeep)('shows that the radio is unavailable', async () => {
  const page = await site.visit('/about')
  await page.route('**/api/radio/**', (route) => route.fulfill({ status: 503, body: 'away' }))
  await page.goto('/')
  const silent = page.getByRole('main').getByRole('region', { name: 'Radio', exact: true })
  await expect(silent.getByText('The radio isn’t responding')).toBeVisible()
  await expect(silent.getByText('No track playing')).toBeVisible()
  await expect(silent.getByText('listening')).toBeHidden()
  await expect(deck(page)).toHaveCount(0)
})

test('shows relative times, copies the IRC server and lists the commands of each client', async () => {
  const page = await site.visit('/', { permissions: ['clipboard-read', 'clipboard-write'] })
  await expect(
    latest(page)
      .getByText(/ago$|^just now$/)
      .first(),
  ).toBeVisible()
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  const panel = page.getByRole('region', { name: 'Connect to IRC' })
  await panel.getByRole('button', { name: 'Copy server' }).click()
  await expect(panel.getByRole('button', { name: 'Copied!' })).toBeVisible()
  expect(await copied()).toBe('irc.night.example')
  await panel.getByText('irssi').click()
  await panel.getByRole('button', { name: 'Copy commands' }).click()
  await expect.poll(copied).toContain('/server add -tls -network nightshift irc.night.example 1337')
  await expect(panel.getByRole('link', { name: /^Download irssi/ })).toHaveAttribute(
    'href',
    'https://irssi.org/download/',
  )
})

test('shows the four sections of About with the configured text and a link to every service', async () => {
  const source = await html('/about')
  expectValue(source.match(/<h1/g)).toHaveLength(1)
  const titles = [...source.matchAll(/<h2[^>]*>([^<]+)<\/h2>/g)].map(([, title]) => title)
  expectValue(titles).toEqual(['Our Story', 'Our Mission', 'Features &amp; Services', 'Join Our Community'])
  expectValue(text(source)).toContain('It began <b>here</b>.')
  expectValue(text(source)).toContain('irc.night.example')
  // Other pages do not contain the text of About.
  expectValue(await html('/')).not.toContain('It began')

  const page = await site.visit('/about')
  const services = page.getByRole('region', { name: 'Features & Services' }).getByRole('link')
  const paths = await services.evaluateAll((links: HTMLAnchorElement[]) => links.map((link) => link.pathname))
  expect(new Set(paths).size).toBe(10)
  for (const path of paths) expect(`${path} ${(await page.request.get(path)).status()}`).toBe(`${path} 200`)
  const join = page.getByRole('region', { name: 'Join Our Community' })
  await expect(join.getByRole('link', { name: /^Join Chat/ })).toHaveAttribute('href', SITE.chatUrl)
  await join.getByRole('link', { name: 'Set up a client' }).click()
  await expect(page.getByRole('heading', { name: 'Connect to IRC' })).toBeInViewport()
})
