import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { inLanguage, setSiteLanguage } from '#server/core/http/language.ts'
import { defaultSite, siteSchema } from '#src/contract/site.ts'
import { t } from '#src/i18n/t.ts'
import { createBoard, postThread } from '#tests/helpers/apiCalls.ts'
import { picture } from '#tests/helpers/fourchanReader.ts'
import { createPublicFolder } from '#tests/helpers/publicFolder.ts'
import { readPixel, stillImage } from '#tests/helpers/sampleImages.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

/** The default names of the site, its boards and its blog. */
const DEFAULT_NAMES = /DTP|Debauched Blog/

const site = siteSchema.parse({
  name: 'Solder Club',
  boardsName: 'SolderChan',
  blogName: 'Workshop Notes',
  tagline: 'We fix things.',
  description: 'A club.',
  radio: { name: 'Flux FM', description: 'Music to solder by' },
  accent: '#2fa36b',
  abuseContact: 'abuse@example.net',
  links: { code: null, microblog: null },
})
const clientDir = createPublicFolder()
let branded: TestSite
const get = (url: string) => branded.app.inject(url)

beforeAll(async () => {
  branded = await startSite({}, { site, clientDir })
  const folder = join(branded.dataDir, 'site')
  for (const name of ['pages', 'blog', 'images']) mkdirSync(join(folder, name), { recursive: true })
  writeFileSync(join(folder, 'pages', 'rules.md'), '# House rules\nBe kind.')
  writeFileSync(join(folder, 'blog', '2026-01-02-amplifier.md'), '# A new amplifier\n![It](amp.png) hums.')
  writeFileSync(join(folder, 'images', 'amp.png'), await stillImage().png().toBuffer())
  writeFileSync(join(folder, 'images', 'drawing.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
  writeFileSync(join(branded.dataDir, 'secret.png'), 'secret')
  symlinkSync(join(branded.dataDir, 'secret.png'), join(folder, 'images', 'link.png'))
})
afterAll(async () => {
  await branded.close()
  rmSync(clientDir, { recursive: true })
})

test.each([
  ['/manifest.webmanifest', 'Solder Club'],
  ['/debauched-blog/feed.atom', 'Workshop Notes'],
  ['/debauched-blog/feed.json', 'A new amplifier'],
  ['/api/radio/stations', 'Flux FM'],
  ['/api/radio/nowplaying/1', 'Solder Club'],
  ['/api/openapi.json', 'Solder Club'],
  ['/.well-known/security.txt', 'mailto:abuse@example.net'],
])('%s has the names of the site file', async (url, text) => {
  const { statusCode, body } = await get(url)
  expect(statusCode).toBe(200)
  expect(body).toContain(text)
  expect(body).not.toMatch(DEFAULT_NAMES)
})

test('the accent has a style sheet, and the default accent has none', async () => {
  const styles = await get('/brand.css')
  expect(styles.headers['content-type']).toContain('text/css')
  expect(styles.body).toContain('--brand-500:#2fa36b')
  const plain = await startSite()
  expect((await plain.app.inject('/brand.css')).statusCode).toBe(404)
  await plain.close()
})

test('without a favicon, the icons show the mark in the accent, and none names the default site', async () => {
  const readColour = async () => (await readPixel((await get('/icon-192.png')).rawPayload, 42, 96)).slice(0, 3)
  await expect.poll(readColour).toEqual([0x2f, 0xa3, 0x6b])
  expect((await get('/favicon.svg')).body).not.toMatch(DEFAULT_NAMES)
  expect(readFileSync('public/favicon.svg', 'utf8')).not.toMatch(DEFAULT_NAMES)
})

test('the site map has own pages and posts, and feeds have images with absolute URLs', async () => {
  const map = (await get('/sitemap-pages.xml')).body
  expect(map).toContain('/rules</loc>')
  expect(map).toContain('/debauched-blog/amplifier</loc>')
  const [entry] = JSON.parse((await get('/debauched-blog/feed.json')).body).items
  expect(entry.content_html).toContain('src="http://localhost:3000/site/images/amp.png"')
})

test('serves images of the site folder, and nothing else', async () => {
  const image = await get('/site/images/amp.png')
  expect(image.statusCode).toBe(200)
  expect(image.headers).toMatchObject({ 'content-type': 'image/png', 'x-content-type-options': 'nosniff' })
  const etag = String(image.headers.etag)
  const again = await branded.app.inject({ url: '/site/images/amp.png', headers: { 'if-none-match': etag } })
  expect(again.statusCode).toBe(304)
  for (const name of ['drawing.svg', 'link.png', 'missing.png', '..%2f..%2fsecret.png', '%00.png', 'x'.repeat(5000)]) {
    expect([name.slice(0, 20), (await get(`/site/images/${name}`)).statusCode]).toEqual([name.slice(0, 20), 404])
  }
})

test('feeds, the podcast, link previews and security.txt have the language of the site', async () => {
  const german = await startSite({}, { site: { ...site, language: 'de', tagline: defaultSite.tagline } })
  const tagline = inLanguage('de', () => t('defaults.tagline'))
  const draw = vi.spyOn(german.app.services.images, 'card')
  await german.app.inject('/og.png')
  expect(draw.mock.calls[0]?.[0].site.tagline).toBe(tagline)
  expect((await german.app.inject('/archive/podcast.xml')).body).toContain(tagline)
  await createBoard(german, 'Bilder', await german.createToken('admin@example.org', 'admin'))
  const { thread } = (await postThread(german, 'bilder', { image: await picture(40, 40) })).body
  expect((await german.app.inject('/dtpchan/board/bilder/feed.json')).body).toContain(`Bild von Nr. ${thread.id}`)
  expect((await german.app.inject('/.well-known/security.txt')).body).toContain('Preferred-Languages: de\n')
  expect((await get('/.well-known/security.txt')).body).toContain('Preferred-Languages: en, de, es\n')
  await german.close()
  setSiteLanguage(site)
})
