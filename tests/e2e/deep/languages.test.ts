import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect as expectValue, test } from 'vitest'
import { languages } from '#src/contract/languages.ts'
import { pasteLanguages } from '#src/contract/paste.ts'
import { refusal } from '#src/contract/refusal.ts'
import { refusalText } from '#src/i18n/refusalText.ts'
import { type BrowserSite, expect, startBrowserSite } from '#tests/helpers/browser.ts'
import { createSiteContent, type SiteContent } from '#tests/helpers/siteContent.ts'
import { readingPages } from '#tests/helpers/states/readingPages.ts'
import { visibleTexts } from '#tests/helpers/visibleTexts.ts'

/** Words that are the same in both languages. */
const INTERNATIONAL = new Set([
  ...[
    'DTP',
    'DTPChan',
    'Debauched Blog',
    'IRC',
    'Radio',
    'Microblog',
    'Client',
    'Server',
    'Port',
    'Channels',
    'vHosts',
  ],
  ...['Paste', 'Pastes', 'Thread', 'Links', 'Captcha', 'Podcast', 'API', 'Generator', 'Visualizer', 'Chat', 'Tools'],
  ...['irssi', 'HexChat', 'AES-256', 'Anonymous', 'UTC', '5 min', 'Stream', 'Boards', 'Mount'],
  ...['source', 'butt', 'Mixxx', 'ffmpeg', 'liquidsoap', 'ezstream', 'darkice', 'ices2'],
])
/** URLs, boards, channels, markup, search operators and names of files */
const CODE = / → |^[#/?[]|[/.]example|:\/\/|^\S+\.\w+$|^nick:|^pi -zero$/
/** Names of `createSiteContent`, and of examples in forms */
const CONTENT =
  /^(?:Article \d+|Carrier Wave|Drones and slow techno\.|Spam|Topic lines .*|raspberry pi|kernel panic|John Doe)$/
/** Matches the suffix of a page's title, and the end of a shortened post */
const ADDITION = / - (?:\/technology\/|DTP)$|…$/
const LANGUAGE_NAMES = new Set<string>(Object.values(pasteLanguages))
/** What the pages with texts of visitors show. */
const CALLS = [
  ...['/api/programs', '/api/radio/station/1/streamers', '/api/radio/stations'],
  '/api/dtpchan/search?q=the&sort=date',
]

let site: BrowserSite
let content: SiteContent
/** texts of visitors, which pages do not translate */
let written: string

beforeAll(async () => {
  site = await startBrowserSite()
  content = await createSiteContent(site)
  written = await readWrittenTexts()
})
afterAll(() => site.close())

const load = (path: string, language: string) =>
  fetch(site.server.origin + path, { headers: { accept: 'text/html', 'accept-language': language } })

async function readWrittenTexts(): Promise<string> {
  const read = async (call: string) => (await fetch(site.server.origin + call)).json()
  const { boards } = await read('/api/dtpchan/boards')
  const threads = boards.flatMap(({ id }: { id: string }) =>
    ['threads', 'archive'].map((list) => `/api/dtpchan/boards/${id}/${list}`),
  )
  const thread = content.thread.replace('/dtpchan/board/', '/api/dtpchan/boards/').replace('/thread/', '/threads/')
  const answers = await Promise.all([...threads, thread, ...CALLS].map(read))
  return [boards, ...answers].flatMap(stringsOf).join('\n').replace(/\s+/g, ' ')
}

const stringsOf = (value: unknown): string[] => {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsOf) : []
}

function isSameInBoth(whole: string): boolean {
  const text = whole.replace(ADDITION, '')
  const isKnown = INTERNATIONAL.has(text) || LANGUAGE_NAMES.has(text) || CODE.test(text) || CONTENT.test(text)
  return isKnown || !/\p{L}{3}/u.test(text) || written.includes(text)
}

test('a German browser gets German texts, also after navigation and from forms', async () => {
  const page = await site.visit(content.board, { locale: 'de-DE' })
  await expect(page.getByRole('button', { name: 'Thread erstellen' }).first()).toBeEnabled()
  await page.getByRole('banner').getByRole('link', { name: 'Archiv' }).click()
  await expect(page).toHaveTitle(/Archiv/)
  expectValue(await page.evaluate(() => document.documentElement.lang)).toBe('de')
  const scripts = await page.evaluate(() =>
    performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname),
  )
  const built = scripts.filter((path) => /^\/assets\/.*(?:entries|chunks)/.test(path))
  expectValue(built.filter((path) => !path.startsWith('/assets/de/'))).toEqual([])
})

describe('has no English text for a German reader', () => {
  test.each(readingPages.filter(([name]) => name !== 'the API'))('%s', async (_name, path) => {
    const [german, english] = await Promise.all(
      ['de-DE,de;q=0.9,en;q=0.5', 'en'].map(async (language) => {
        const answer = await load(path(content), language)
        expectValue(answer.headers.get('vary')).toContain('accept-language')
        expectValue(answer.headers.get('content-language')).toBe(language.slice(0, 2))
        return answer.text()
      }),
    )
    expectValue(german).toContain('<html lang="de"')
    const texts = new Set(visibleTexts(english as string))
    const left = visibleTexts(german as string).filter((text) => texts.has(text) && !isSameInBoth(text))
    expectValue([...new Set(left)]).toEqual([])
  })
})

describe('long texts fit into the window', () => {
  const measureOverflow = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)

  test.each(['en-GB', 'de-DE', 'es-ES'])('%s: the top bar of a user with a long email', async (locale) => {
    const page = await site.visit('/about', { locale })
    await page.evaluate(() => localStorage.setItem('dtpchan_watching', '{}'))
    await site.logIn(page)
    await expect(page.locator('header .lucide-bell')).toBeVisible()
    await page.locator('header a[href="/account"]').evaluate((link) => {
      link.textContent = 'firstname.lastname@community.example.org'
    })
    for (const width of [900, 999, 1000, 1140, 1150, 1239, 1279, 1280, 1440]) {
      await page.setViewportSize({ width, height: 700 })
      expectValue.soft(await measureOverflow(page), `${width} px`).toBeLessThanOrEqual(0)
    }
  })

  test('the button below the German heading of the programs', async () => {
    const page = await site.visit('/programs-we-love', { locale: 'de-DE', viewport: { width: 320, height: 640 } })
    await expect(page.getByRole('button', { name: 'Anmelden und Programm hinzufügen' })).toBeVisible()
    expectValue(await measureOverflow(page)).toBeLessThanOrEqual(0)
  })
})

test('shows a browser with German pages why a form is refused', async () => {
  const page = await site.visit('/image-sharing', { locale: 'de-DE' })
  await page.getByRole('button', { name: 'Bild hochladen' }).click()
  await expect(page.getByRole('alert')).toHaveText('Bitte wähle ein Bild zum Hochladen')
  await page.goto('/paste-service')
  const refused = refusal('failure.tryAgainInMinutes', { text: refusal('limit.paste'), minutes: 5 })
  await page.route('**/api/paste', (route) => {
    const language = languages.find((one) => one === route.request().headers()['x-language'])
    return route.fulfill({ json: { success: false, error: refusalText(refused, language) } })
  })
  await page.getByRole('textbox', { name: 'Inhalt' }).fill('x')
  await page.getByRole('button', { name: 'Paste erstellen' }).click()
  await expect(page.getByRole('alert')).toHaveText(
    'Zu viele Pastes aus deinem Netz. Bitte versuche es in 5 min noch einmal.',
  )
  await page.close()
})
