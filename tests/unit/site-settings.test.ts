import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { wcagContrast } from 'culori'
import { afterAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { readSiteFile } from '#server/core/config/siteFile.ts'
import { assertVisibleAccent, createBrandShades } from '#server/features/site/brandStyles.ts'
import { defaultSite, siteSchema } from '#src/contract/site.ts'

describe('community settings', () => {
  test('merges partial settings with the defaults', () => {
    const site = siteSchema.parse({ tagline: ' Solder first. ', about: { mission: ['Fix it.'] } })
    expect(site).toEqual({
      ...defaultSite,
      tagline: 'Solder first.',
      about: { ...defaultSite.about, mission: ['Fix it.'] },
    })
  })

  test.each([
    ['tagline', { tagline: ' ' }],
    ['tagline', { tagline: 'x'.repeat(151) }],
    ['description', { description: '' }],
    ['description', { description: 'x'.repeat(501) }],
    ['about.story', { about: { story: [] } }],
    ['about.story', { about: { story: 'one text' } }],
    ['about.story.0', { about: { story: ['x'.repeat(1001)] } }],
    ['about.mission', { about: { mission: Array(11).fill('x') } }],
    ['chatUrl', { chatUrl: 'javascript:alert(1)' }],
    ['irc.channels.main', { irc: { channels: { main: 'main' } } }],
    ['irc.port', { irc: { port: 0 } }],
  ])('names the wrong field: %s %j', (path, given) => {
    const issues = siteSchema.safeParse(given).error?.issues ?? []
    expect(issues.map((issue) => issue.path.join('.'))).toEqual([path])
  })
})

describe('the site file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'site-file-'))
  const file = join(folder, 'site.json')
  const read = (text: string) => {
    writeFileSync(file, text)
    return readSiteFile(file)
  }
  afterAll(() => rmSync(folder, { recursive: true }))

  test('has the defaults without a file', async () => {
    expect(await readSiteFile(undefined)).toBe(defaultSite)
  })

  test('accepts the sample, which changes every field and agrees with the schema', async () => {
    const site = await readSiteFile('docs/site/sample.jsonc')
    expect(site).toMatchObject({
      name: 'Solder Club',
      links: { microblog: null },
      abuseContact: 'mailto:abuse@example.net',
    })
    const unchanged = Object.keys(defaultSite).filter(
      (key) => JSON.stringify(site[key as keyof typeof site]) === JSON.stringify(defaultSite[key as keyof typeof site]),
    )
    expect(unchanged).toEqual(['theme'])
    const schema = JSON.parse(readFileSync('docs/site/schema.json', 'utf8'))
    expect(schema).toEqual(z.toJSONSchema(siteSchema, { io: 'input' }))
  })

  test.each([
    ['{ "tagLine": "x" }', 'tagLine: unknown field. docs/site/schema.json lists the fields'],
    ['{ "irc": { "chanels": {} } }', 'irc.chanels: unknown field. docs/site/schema.json lists the fields'],
    ['{ "footerLinks": [{ "label": "a", "href": "https://a.example" }] }', 'footerLinks.0.url: is missing'],
    [
      '{ "footerLinks": [{ "label": "a", "url": "https://a.example", "urls": "" }] }',
      'footerLinks.0.urls: unknown field. docs/site/schema.json lists the fields',
    ],
    ['{ "accent": "red" }', 'accent: must be a colour such as #8b58fc'],
    ['{ "chatUrl": "javascript:alert(1)" }', 'chatUrl: must be an http or https address'],
    ['{ "abuseContact": "nobody" }', 'abuseContact: must be an email address or a URL that begins with https://'],
    ['{ "name": 5 }', 'name: must be text'],
    ['{ "name": " " }', 'name: must not be empty'],
    ['{ "irc": { "port": "6697" } }', 'irc.port: must be a number'],
    ['{ "irc": { "port": 0 } }', 'irc.port: must be at least 1'],
    ['{ "irc": { "port": 65536 } }', 'irc.port: must be at most 65535'],
    ['{ "irc": { "port": 6697.5 } }', 'irc.port: must be a whole number'],
    ['{ "irc": null }', 'irc: must be an object'],
    ['{ "about": { "story": "one text" } }', 'about.story: must be a list'],
    ['{ "about": { "story": [] } }', 'about.story: must not be empty'],
    ['{ "footerLinks": [{ "label": "a" }] }', 'footerLinks.0.url: is missing'],
    ['{ "language": "fr" }', 'language: must be "auto", "en", "de", or "es"'],
    [`{ "name": "${'x'.repeat(101)}" }`, 'name: must be at most 100 characters'],
    ['{\n "name": \n}', 'line 3: value expected'],
    ['[]', 'must be an object'],
    ['', 'line 1: value expected'],
  ])('names what is wrong in %s', async (text, reason) => {
    await expect(read(text)).rejects.toThrow(`Setting SITE_FILE is wrong: ${file}: ${reason}`)
  })

  test('may begin with a byte order mark', async () => {
    expect((await read('\ufeff{ "name": "Solder Club" }')).name).toBe('Solder Club')
  })

  test('must be in UTF-8', async () => {
    writeFileSync(file, '{ "name": "Gr\u00fc\u00dfe" }', 'latin1')
    await expect(readSiteFile(file)).rejects.toThrow(`${file}: the text is not in UTF-8`)
  })

  test('names a file that is missing', async () => {
    await expect(readSiteFile(join(folder, 'missing'))).rejects.toThrow(
      /^Setting SITE_FILE is wrong: .*missing: no such file or directory$/,
    )
  })
})

describe('the accent', () => {
  test.each(['#8b58fc', '#ffd400', '#00ff00', '#7a7a7a', '#ff5a36', '#3f6fff'])('%s has readable shades', (accent) => {
    assertVisibleAccent(accent)
    const shades = createBrandShades(accent)
    const contrast = (number: number, background: string) => wcagContrast(shades[number] ?? '', background)
    expect(contrast(400, '#1c1c27')).toBeGreaterThanOrEqual(4.5)
    expect(contrast(600, '#fff')).toBeGreaterThanOrEqual(4.5)
    expect(contrast(700, '#edebf4')).toBeGreaterThanOrEqual(4.5)
    expect(shades[500]).toBe(accent)
  })

  test('must be visible on the dark background', () => {
    expect(() => assertVisibleAccent('#202060')).toThrow(/contrast of 1\.\d:1 .* Choose a lighter colour/)
  })
})
