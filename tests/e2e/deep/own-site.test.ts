import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { catalogues } from '#src/i18n/languages.ts'
import { type CrawledUrl, crawl, fetchUrl } from '#tests/helpers/crawl.ts'
import { type TestDatabase, testDatabase } from '#tests/helpers/databases.ts'
import { createAdminClient } from '#tests/helpers/siteClient.ts'
import { type SiteProcess, spawnSite } from '#tests/helpers/siteProcess.ts'
import { visibleTexts } from '#tests/helpers/visibleTexts.ts'

const SITE = {
  name: 'Lötclub',
  boardsName: 'Lötbretter',
  blogName: 'Werkstattheft',
  tagline: 'Wir reparieren, was andere wegwerfen.',
  description: 'Ein Club für Leute, die Dinge reparieren.',
  about: { story: ['Angefangen hat es mit einem Verstärker.'], mission: ['Reparieren.'] },
  irc: {
    host: 'irc.example.net',
    port: 6697,
    channels: { main: '#loeten', radio: '#funk', gaming: '#spiele', news: '#neues', vhosts: '#namen' },
  },
  chatUrl: 'https://chat.example.net/',
  links: { code: null, microblog: null },
  radio: { name: 'Fluss FM', description: 'Musik zum Löten' },
  language: 'de',
  accent: '#2fa36b',
  postingRules: 'Bleib beim Thema.',
  abuseContact: 'meldung@example.net',
}
/** Names and links of a site whose operator changed nothing. */
const DEFAULTS = /\bDTP|Debauched Blog|irc\.example\.org|(?:chat|git|social)\.example\.org|take things apart|#vhosts/
/** Texts that no page of the site links to. */
const TEXTS = [
  '/manifest.webmanifest',
  '/robots.txt',
  '/sitemap.xml',
  '/.well-known/security.txt',
  '/api/openapi.json',
  '/api/radio/stations',
  '/api/radio/nowplaying/1',
  '/archive/podcast.xml',
  '/today-in-tech/feed.atom',
  '/today-in-tech/feed.json',
  '/debauched-blog/feed.atom',
  '/debauched-blog/feed.json',
  '/dtpchan/board/werkzeug/feed.atom',
  '/dtpchan/board/werkzeug/feed.json',
  '/radio/1/schedule.ics',
  '/radio/1.m3u',
  '/radio/1.xspf',
  '/status-json.xsl',
  '/no/such/page',
]

/** Whole texts of English pages that a German page writes differently. */
const german = new Set<string>(Object.values(catalogues.de).flatMap((texts) => Object.values(texts)))
const english = new Set<string>(
  Object.values(catalogues.en)
    .flatMap((texts) => Object.values(texts))
    .filter((text) => /^\p{Lu}.*\p{L}{3}|\p{L} \p{L}/u.test(text) && !german.has(text)),
)

let place: TestDatabase
let folder: string
let site: SiteProcess
let crawled: Map<string, CrawledUrl>

beforeAll(async () => {
  place = await testDatabase()
  folder = await mkdtemp(join(tmpdir(), 'own-site-'))
  await writeFile(join(folder, 'site.json'), JSON.stringify(SITE))
  const content = join(place.dataDir, 'site')
  for (const name of ['pages', 'blog']) await mkdir(join(content, name), { recursive: true })
  await writeFile(join(content, 'pages', 'impressum.md'), '# Impressum\nLötclub, Beispielstadt')
  await writeFile(join(content, 'blog', '2026-01-02-verstaerker.md'), '# Ein neuer Verstärker\nEr brummt.')
  site = await spawnSite(place, { SITE_FILE: join(folder, 'site.json') })
  const client = await createAdminClient(site.origin)
  const { threads } = await client.createBoard('Werkzeug')
  const { thread } = await client.post(threads, { title: 'Welcher Kolben?', content: 'Siehe Titel.', author: 'Ohm' })
  await client.post(`${threads}/${thread.id}/comments`, { content: 'Der mit dem Drehknopf.', author: 'Volt' })
  crawled = await crawl(site.origin)
  for (const path of TEXTS) crawled.set(path, await fetchUrl(site.origin, path))
})
afterAll(async () => {
  await site?.stop()
  await place.cleanup()
  await rm(folder, { recursive: true })
})

test('a site with its own file and folder has no default name or link on any page, feed or call', () => {
  expect(crawled.size).toBeGreaterThan(60)
  const found = [...crawled.values()].flatMap(({ path, body }) => {
    const [name] = DEFAULTS.exec(body) ?? []
    return name ? [`${path}: ${name}`] : []
  })
  expect(found).toEqual([])
})

test('every page is in the language of the site', () => {
  // The reference of the calls is in English.
  const pages = [...crawled.values()].filter(({ path, page }) => page && path !== '/api')
  expect(pages.filter(({ page }) => page?.lang !== 'de').map(({ path }) => path)).toEqual([])
  const found = pages.flatMap(({ path, body }) =>
    visibleTexts(body).flatMap((text) => (english.has(text) ? [`${path}: ${text}`] : [])),
  )
  expect(found).toEqual([])
  const missing = pages.filter(({ headers }) => /accept-language/.test(headers.get('vary') ?? ''))
  expect(missing.map(({ path }) => path)).toEqual([])
})
