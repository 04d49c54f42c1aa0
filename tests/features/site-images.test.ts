import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { errors } from '#server/core/errors.ts'
import { CARD } from '#src/contract/image.ts'
import { refusal } from '#src/contract/refusal.ts'
import { type Branding, siteImageLimits } from '#src/contract/siteContent.ts'
import { createBoard } from '#tests/helpers/apiCalls.ts'
import { createPublicFolder } from '#tests/helpers/publicFolder.ts'
import { animatedImage, readPixel, stillImage } from '#tests/helpers/sampleImages.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

const RED = '#d02020'
const svg = (inside: string, size = 'viewBox="0 0 400 100"') =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${size}>${inside}</svg>`
const rect = `<rect width="400" height="100" fill="${RED}"/>`
const plain = (width: number, height: number, background = RED) =>
  sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer()

const clientDir = createPublicFolder()
let site: TestSite
let admin: string
let time = Date.now() + 60_000
const logged: string[] = []
const get = (url: string, headers: Record<string, string> = {}) => site.app.inject({ method: 'GET', url, headers })

beforeAll(async () => {
  site = await startSite({ LOG_LEVEL: 'warn' }, { clientDir, logTo: { write: (line) => void logged.push(line) } })
  admin = await site.createToken('admin@example.org', 'admin')
  await createBoard(site, 'Tech', admin)
})
afterAll(async () => {
  await site.close()
  rmSync(clientDir, { recursive: true })
})

/** Lets the time pass after which the site looks at the folder again. */
function passTime(): void {
  time += 10_000
  site.setNow(new Date(time))
}

/** Replaces the operator's folder, and waits until the site has drawn it. */
async function setFiles(files: Record<string, string | Buffer>): Promise<void> {
  const folder = join(site.dataDir, 'site')
  rmSync(folder, { recursive: true, force: true })
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  passTime()
  // A busy machine can need longer than a page waits.
  await site.app.services.siteImages({ waitMs: 30_000 })
}

async function readBranding(token = admin): Promise<Branding> {
  const answer = await site.app.inject({
    url: '/trpc/site.operations.branding',
    headers: token ? { authorization: `Bearer ${token}` } : {},
  })
  return answer.json().result?.data.json ?? answer.statusCode
}

describe('the logo', () => {
  test('is drawn from an SVG, in a style sheet that knows its size and follows the theme', async () => {
    await setFiles({ 'logo.svg': svg(rect), 'logo-dark.png': await plain(40, 40, '#fff') })
    const { logo, darkLogo, logoHasName } = await readBranding()
    expect([logo, darkLogo?.width, logoHasName]).toMatchObject([{ file: 'logo.svg', width: 128, height: 32 }, 32, true])
    const image = await get(logo?.url ?? '')
    expect(image.headers).toMatchObject({
      'content-type': 'image/png',
      'cache-control': expect.stringContaining('immutable'),
    })
    expect(await sharp(image.rawPayload).metadata()).toMatchObject({ format: 'png', width: 384, height: 96 })
    expect(await readPixel(image.rawPayload, 200, 50)).toEqual([0xd0, 0x20, 0x20, 255])
    const { body, headers } = await get('/brand.css')
    expect(headers['cache-control']).toBe('no-cache')
    for (const part of [
      'width:8rem;height:2rem',
      `url(${logo?.url})`,
      'a[data-wordmark]{width:8rem;overflow:hidden}',
      `[data-theme=dark] a[data-wordmark]::before{background-image:url(${darkLogo?.url})}`,
    ]) {
      expect(body).toContain(part)
    }
    expect((await get('/site/logo/AAAAAAAAAAAAAAAA.png')).statusCode).toBe(404)
  })

  test('stands beside the name if it is not wide, and is in the images of link previews', async () => {
    await setFiles({})
    const before = await get('/og.png')
    await setFiles({ 'logo.png': await plain(30, 90) })
    const { logo, logoHasName } = await readBranding()
    expect([logo?.height, logoHasName]).toEqual([32, false])
    expect((await get('/brand.css')).body).not.toContain('overflow')
    const after = await get('/og.png', { 'if-none-match': String(before.headers.etag) })
    expect([after.statusCode, await readPixel(after.rawPayload, 90, 110)]).toEqual([200, [0xd0, 0x20, 0x20]])
  })

  const bomb = `<!DOCTYPE svg [<!ENTITY a "ha">${'bcdefghi'.replace(/./g, (name) => `<!ENTITY ${name} "${`&${String.fromCharCode(name.charCodeAt(0) - 1)};`.repeat(10)}">`)}]>`
  test.each<[name: string, file: string, content: () => string | Promise<Buffer>, reason: RegExp]>([
    ['a script', 'logo.svg', () => svg(`<script>alert(1)</script>${rect}`), /a script/],
    ['an event handler', 'logo.svg', () => svg(`<g onload="alert(1)">${rect}</g>`), /a script/],
    ['another file', 'logo.svg', () => svg('<image href="file:///etc/passwd" width="9" height="9"/>'), /another file/],
    ['another site', 'logo.svg', () => svg('<style>@import url(//a.example)</style>'), /another file/],
    ['HTML', 'logo.svg', () => svg('<foreignObject><b/></foreignObject>'), /HTML/],
    ['entities', 'logo.svg', () => `${bomb}${svg('<text>&i;</text>')}`, /entities/],
    ['20,000 px', 'logo.svg', () => svg(rect, 'width="20000" height="100"'), /20000 × 100 pixels/],
    ['too many pixels', 'logo.png', () => plain(5000, 10), /5000 × 10 pixels/],
    ['a broken SVG', 'logo.svg', () => svg('<g>').slice(0, -8), /./],
    ['half a PNG', 'logo.png', async () => (await stillImage(300, 300).png().toBuffer()).subarray(0, 400), /./],
    ['no image', 'logo.png', () => 'hello', /not an image/],
    ['nothing', 'logo.svg', () => '', /not an image/],
    ['too many bytes', 'logo.png', async () => Buffer.alloc(siteImageLimits.bytes + 1), /At most 5120 kB/],
    ['a large SVG', 'logo.svg', () => svg(rect + ' '.repeat(siteImageLimits.vectorBytes)), /1024 kB/],
  ])('with %s is refused, with one line in the log', async (_name, file, content, reason) => {
    const warn = vi.spyOn(site.app.log, 'warn')
    await setFiles({ [file]: await content() })
    passTime()
    const { logo, problems } = await readBranding()
    expect([logo, problems]).toEqual([null, [{ name: file, reason: expect.stringMatching(reason) }]])
    const lines = warn.mock.calls.filter(([fields]) => (fields as { file?: string }).file === file)
    expect(lines.length).toBe(/At most 5120/.test(reason.source) ? 0 : 1)
    expect((await get('/brand.css')).statusCode).toBe(404)
    warn.mockRestore()
  })
})

describe('the favicon', () => {
  const sides = async (name: string) => (await sharp((await get(`/${name}`)).rawPayload).metadata()).width
  test.each<[file: string, content: () => string | Promise<Buffer>]>([
    ['favicon.svg', () => svg(`<circle cx="50" cy="50" r="50" fill="${RED}"/>`, 'viewBox="0 0 100 100"')],
    ['favicon.png', () => stillImage(64, 64).png().toBuffer()],
  ])('%s becomes all icons and changes the manifest', async (file, content) => {
    await setFiles({})
    const standard = (await get('/favicon.ico')).rawPayload
    await setFiles({ [file]: await content() })
    logged.length = 0
    const { icon } = await readBranding()
    expect(icon).toEqual({ file, url: expect.stringMatching(/^\/icon-192\.png\?[\w-]{16}$/) })
    expect((await get(icon.url)).headers['cache-control']).toContain('immutable')
    const { icons } = (await get('/manifest.webmanifest')).json()
    expect(icons.map(({ src }: { src: string }) => src)).toContain(icon.url)
    expect(await Promise.all(['icon-192.png', 'icon-maskable-512.png', 'apple-touch-icon.png'].map(sides))).toEqual([
      192, 512, 180,
    ])
    const [artwork] = /(?<=<itunes:image href="https?:\/\/[^/]+)\/podcast\.jpg\?[\w-]{16}(?=")/.exec(
      (await get('/archive/podcast.xml')).body,
    ) ?? ['']
    const image = await get(artwork)
    expect(image.headers['content-type']).toBe('image/jpeg')
    expect(await sharp(image.rawPayload).metadata()).toMatchObject({
      width: 1400,
      height: 1400,
      space: 'srgb',
      channels: 3,
    })
    expect(image.rawPayload.equals((await get('/podcast.jpg')).rawPayload)).toBe(true)
    const ico = await get('/favicon.ico')
    expect([ico.rawPayload.equals(standard), ico.rawPayload.readUInt16LE(4)]).toEqual([false, 2])
    expect((await get('/favicon.ico', { 'if-none-match': String(ico.headers.etag) })).statusCode).toBe(304)
    const vector = await get('/favicon.svg')
    expect([vector.headers['content-type'], vector.body]).toEqual([
      'image/svg+xml',
      expect.stringMatching(/^<svg [^>]+><image [^>]+ href="data:image\/png;base64,[\w+/=]+"\/><\/svg>$/),
    ])
    expect(logged).toEqual([])
  })
})

test('the background of link previews is darkened, and changes them', async () => {
  await setFiles({})
  const before = await get('/og.png')
  await setFiles({
    'preview.jpg': await sharp(await plain(600, 300, '#ffffff'))
      .jpeg()
      .toBuffer(),
  })
  const after = await get('/og.png')
  expect(after.headers.etag).not.toBe(before.headers.etag)
  expect(await sharp(after.rawPayload).metadata()).toMatchObject({ format: 'png', ...CARD })
  const [red = 0] = await readPixel(after.rawPayload, 1100, 200)
  expect(red).toBeGreaterThan(50)
  expect(red).toBeLessThan(90)
  expect((await readBranding()).background).toBe('preview.jpg')
})

describe('banners', () => {
  test('are chosen at random among those of the board and of all boards, and nothing else is served', async () => {
    const gif = await animatedImage(3, 300, 100).gif().toBuffer()
    await setFiles({
      'banners/a.png': await plain(300, 100),
      'banners/tech/b.gif': gif,
      'banners/gone/c.webp': await sharp(await plain(300, 100, '#00f'))
        .webp()
        .toBuffer(),
      'banners/tech/notes.txt': 'hello',
      'banners/tech/large.png': await plain(300, 401),
      'banners/Upper/d.png': await plain(3, 3),
      'unknown.gif': gif,
    })
    const { banners, problems } = await readBranding()
    expect(banners.map(({ board, isMissing, banners }) => [board, isMissing, banners.length])).toEqual([
      [null, false, 1],
      ['gone', true, 1],
      ['tech', false, 1],
    ])
    expect(problems.map(({ name }) => name).sort()).toEqual([
      'banners/Upper',
      'banners/tech/large.png',
      'banners/tech/notes.txt',
      'unknown.gif',
    ])
    const choose = async (board: string) => {
      const answer = await get(`/dtpchan/banner?board=${board}&page=x`)
      expect([answer.statusCode, answer.headers['cache-control']]).toEqual([302, 'no-store'])
      return String(answer.headers.location)
    }
    const chosen = new Set<string>()
    for (let turn = 0; turn < 60; turn++) chosen.add(await choose('tech'))
    expect(chosen.size).toBe(2)
    expect(await choose('nowhere')).toBe(banners[0]?.banners[0]?.url)
    const animated = await get([...chosen].find((url) => url.endsWith('.gif')) ?? '')
    expect(animated.rawPayload.equals(gif)).toBe(true)
    expect(animated.headers).toMatchObject({ 'content-type': 'image/gif', 'x-content-type-options': 'nosniff' })
    for (const name of ['notes.txt', '..%2f..%2fsecret.key', 'a.png']) {
      expect((await get(`/site/banners/${name}`)).statusCode).toBe(404)
    }
  })

  test('have the URL of the version that was drawn while the site is busy', async () => {
    await setFiles({ 'banners/a.png': await plain(300, 100) })
    const urlOf = async () => (await readBranding()).banners[0]?.banners[0]?.url ?? ''
    const url = await urlOf()
    expect((await get(url)).statusCode).toBe(200)
    const busy = vi.spyOn(site.app.services.images, 'site').mockRejectedValue(errors.unavailable(refusal('image.busy')))
    await setFiles({ 'banners/a.png': 'not checked' })
    expect([await urlOf(), (await get(url)).statusCode]).toEqual([url, 404])
    busy.mockRestore()
    await setFiles({ 'banners/a.png': await plain(300, 100, '#00f') })
    expect([(await get(url)).statusCode, (await get(await urlOf())).statusCode]).toEqual([404, 200])
  })

  test('are none without files', async () => {
    await setFiles({})
    for (const query of ['board=tech', '', 'board=a&board=b', `board=${'x'.repeat(3000)}`]) {
      expect((await get(`/dtpchan/banner?${query}`)).statusCode).toBe(404)
    }
    expect((await readBranding()).banners).toEqual([])
  })
})

test('files that cannot be read do not disable the others', async () => {
  await setFiles({ 'logo.svg': svg(rect), 'banners/b.png': await plain(300, 100), file: '' })
  const folder = join(site.dataDir, 'site')
  symlinkSync('favicon.png', join(folder, 'favicon.png'))
  symlinkSync('a.png', join(folder, 'banners', 'a.png'))
  symlinkSync(join('file', 'preview.png'), join(folder, 'preview.png'))
  passTime()
  await site.app.services.siteImages({ waitMs: 30_000 })
  const { logo, banners, problems } = await readBranding()
  expect([logo?.file, banners.length]).toEqual(['logo.svg', 1])
  expect(problems).toEqual([
    { name: 'favicon.png', reason: expect.stringContaining('ELOOP') },
    { name: 'preview.png', reason: expect.stringContaining('ENOTDIR') },
    { name: 'file', reason: expect.stringContaining('no file of this name') },
    { name: 'banners/a.png', reason: expect.stringContaining('ELOOP') },
  ])
})

test('admins see pages and posts, and files with a mistake', async () => {
  await setFiles({
    'pages/rules.md': '# Rules',
    'pages/Bad Name.md': '# x',
    'blog/2026-01-01-first.md': '# First',
    'blog/2099-01-01-later.md': '# Later',
    'blog/undated.md': '# Undated',
    'logo.svg': svg(rect),
    'logo.png': await plain(9, 9),
  })
  const branding = await readBranding()
  expect(branding).toMatchObject({
    siteFile: null,
    accent: { colour: '#8b58fc', contrast: expect.closeTo(4.3, 0) },
    pages: [{ title: 'Rules', path: '/rules' }],
    posts: [
      { title: 'Later', isScheduled: true },
      { title: 'First', isScheduled: false },
    ],
    languages: expect.arrayContaining(['en', 'de', 'es']),
  })
  expect(branding.values.every(({ isDefault }) => isDefault)).toBe(true)
  expect(branding.values).toContainEqual({ field: 'irc.port', value: '1337', isDefault: true })
  expect(branding.problems).toEqual([
    { name: 'logo.png', reason: 'logo.svg is used instead' },
    { name: 'pages/Bad Name.md', reason: expect.stringContaining('lower-case letters') },
    { name: 'blog/undated.md', reason: expect.stringContaining('date') },
  ])
  expect(await readBranding('')).toBe(401)
  expect(await readBranding(await site.createToken('member@example.org'))).toBe(403)
})
