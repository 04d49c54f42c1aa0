import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { paste } from '#db/schema/index.ts'
import { deleteExpiredPastes } from '#server/features/paste/service.ts'
import { callApi } from '#tests/helpers/apiCalls.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

const NOT_FOUND = { success: false, error: 'Paste not found or expired' }
const BLANK = 'Please enter some content to paste'
const EXPIRY = 'Expiration must be one of 1, 6, 12, 24, 48, 168 hours'
const MIB = 1024 * 1024
const HOUR = 3_600_000

let site: TestSite
beforeAll(async () => {
  site = await startSite({ SITE_URL: 'https://dtp.example.org' })
})
afterAll(() => site.close())

const create = (json: object) => callApi(site, 'POST', '/api/paste', { json })
const idOf = (url: string) => url.split('/')[4] ?? ''
async function made(json: object = {}): Promise<{ id: string; token: string; expiresAt: string }> {
  const { status, body } = await create({ content: 'some text', expiryHours: 24, ...json })
  expect([status, body.success]).toEqual([200, true])
  const token = new URL(body.deleteUrl).searchParams.get('token') ?? ''
  return { id: idOf(body.url), token, expiresAt: body.expiresAt }
}
const read = (id: string) => callApi(site, 'GET', `/api/paste/${id}`)
const raw = (id: string) => site.app.inject({ url: `/paste/${id}/raw` })
const curl = (payload: Buffer | string, query = '', type = 'application/x-www-form-urlencoded') =>
  site.app.inject({ method: 'POST', url: `/api/paste${query}`, headers: { 'content-type': type }, payload })
const rows = () => site.app.services.db.$count(paste)

describe('paste API', () => {
  test('creates and returns a paste as documented', async () => {
    const start = Date.now()
    site.setNow(new Date(start))
    const { status, body, headers } = await create({ content: 'Hello', expiryHours: 6 })
    expect(status).toBe(200)
    expect(Object.keys(body).sort()).toEqual(['deleteUrl', 'expiresAt', 'success', 'url'])
    expect(body.url).toMatch(/^https:\/\/dtp\.example\.org\/paste\/[\w-]{22}$/)
    expect(body.deleteUrl).toMatch(/^https:\/\/dtp\.example\.org\/paste\/[\w-]{22}\/delete\?token=[\w-]{22}$/)
    expect(body.expiresAt).toBe(new Date(start + 6 * HOUR).toISOString())
    expect(headers['cache-control']).toBe('no-store')
    const id = idOf(body.url)
    const answer = await read(id)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      success: true,
      paste: {
        id,
        content: 'Hello',
        encoding: 'utf-8',
        language: null,
        createdAt: new Date(start).toISOString(),
        expiresAt: body.expiresAt,
        views: 1,
        burnAfterReading: false,
        encrypted: false,
        passwordProtected: false,
      },
    })
    site.setNow(null)
  })

  test.each([1, 6, 12, 24, 48, 168])('expires after exactly %i hours', async (expiryHours) => {
    const start = Date.now()
    site.setNow(new Date(start))
    const { id } = await made({ expiryHours })
    site.setNow(new Date(start + expiryHours * HOUR - 1))
    expect((await read(id)).status).toBe(200)
    site.setNow(new Date(start + expiryHours * HOUR))
    for (const answer of [await read(id), await callApi(site, 'POST', `/api/paste/${id}/read`, { json: {} })]) {
      expect([answer.status, answer.body]).toEqual([404, NOT_FOUND])
    }
    expect((await raw(id)).statusCode).toBe(404)
    site.setNow(null)
  })

  test('deletes only expired pastes', async () => {
    const old = await made({ expiryHours: 1 })
    const young = await made({ expiryHours: 6 })
    const before = await rows()
    site.setNow(new Date(Date.now() + 2 * HOUR))
    await deleteExpiredPastes(site.app.services)
    expect(await rows()).toBeLessThan(before)
    expect((await read(young.id)).status).toBe(200)
    site.setNow(null)
    expect((await read(old.id)).status).toBe(404)
  })
})

describe('returns the content unchanged', () => {
  test.each([
    ['NUL', 'a\0b\0'],
    ['emoji', '👩‍👩‍👧‍👦 🏴‍☠️'],
    ['line ends of all kinds', 'a\r\nb\rc\n\n\td  \n'],
    ['blanks around', '  \n x \n  '],
    ['markup', '<script>alert(1)</script>&amp;</pre>'],
    ['a byte order mark', '\ufeffx'],
    ['direction overrides', '\u202eabc\u2066'],
    ['not normalised', 'e\u0301 \u00e9'],
    ['noncharacters', '\uffff\u{10ffff}'],
  ])('%s', async (_name, content) => {
    const { id } = await made({ content })
    expect((await read(id)).body.paste.content).toBe(content)
    expect((await raw(id)).rawPayload).toEqual(Buffer.from(content))
  })

  test('binary data', async () => {
    const bytes = Buffer.from(Array.from({ length: 1024 }, (_, index) => index % 256))
    const { body } = await curl(bytes)
    const id = idOf(body.trim())
    expect((await raw(id)).rawPayload).toEqual(bytes)
    const { paste: found } = (await read(id)).body
    expect([found.encoding, Buffer.from(found.content, 'base64').equals(bytes)]).toEqual(['base64', true])
  })

  test.each([
    ['ASCII', 'x'.repeat(MIB)],
    ['characters that need six bytes in JSON', '\u0001'.repeat(MIB)],
    ['characters of four bytes', '😀'.repeat(MIB / 4)],
  ])('1 MiB: %s', async (_name, content) => {
    const { id } = await made({ content })
    expect((await raw(id)).rawPayload.equals(Buffer.from(content))).toBe(true)
    expect((await read(id)).body.paste.content === content).toBe(true)
  })
})

describe('rejects and stores nothing', () => {
  async function refused(json: unknown, status: number, error: string): Promise<void> {
    const before = await rows()
    const answer = await callApi(site, 'POST', '/api/paste', { json })
    expect([answer.status, answer.body]).toEqual([status, { success: false, error }])
    expect(await rows()).toBe(before)
  }

  test.each([
    [undefined],
    [null],
    [''],
    [' '],
    ['\n\t \r\n'],
    ['\u00a0\u3000\ufeff'],
    [5],
    [true],
    [[]],
    [['x']],
    [{}],
  ])('content %j', (content) => refused({ content, expiryHours: 24 }, 400, BLANK))

  test('content with a lone surrogate', () =>
    refused({ content: 'x\ud800y', expiryHours: 24 }, 400, 'Text contains characters that cannot be stored'))

  test.each([[null], ['24'], ['1'], [''], [0], [2], [-1], [23.999], [24.5], [1e9], [1e308], [true], [[24]], [{}]])(
    'expiry %j',
    (expiryHours) => refused({ content: 'x', expiryHours }, 400, EXPIRY),
  )

  test('with the error of the first invalid field', () => refused({ content: ' ', expiryHours: 2 }, 400, BLANK))
  test('an unknown language', () =>
    refused({ content: 'x', expiryHours: 1, language: 'klingon' }, 400, 'Unknown language'))
  test.each([['burnAfterReading'], ['encrypted']])('an invalid %s', (name) =>
    refused(
      { content: 'x', expiryHours: 1, [name]: 'yes' },
      400,
      'burnAfterReading, encrypted and passwordProtected must be true or false',
    ),
  )

  test.each([
    ['a byte over a MiB', 'x'.repeat(MIB + 1), 'Pastes can be at most 1 MB'],
    ['a multi-byte character over a MiB', `${'x'.repeat(MIB - 1)}é`, 'Pastes can be at most 1 MB'],
    ['20 MB', 'x'.repeat(20_000_000), 'The request is too large'],
  ])('%s', (_name, content, error) => refused({ content, expiryHours: 24 }, 413, error))

  test('20 MB of binary data', async () => {
    const { statusCode, json } = await curl(Buffer.alloc(20_000_000, 120))
    expect([statusCode, json()]).toEqual([413, { success: false, error: 'The request is too large' }])
    expect((await curl(Buffer.alloc(MIB + 1, 120))).json().error).toBe('Pastes can be at most 1 MB')
  })

  test.each([
    ['broken JSON', '{"content": "x"', 'application/json', 400],
    ['JSON that is not UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'application/json', 400],
    ['an array', '[1]', 'application/json', 400],
    ['a text', '"x"', 'application/json', 400],
    ['nothing', '', 'application/json', 400],
    ['an image', 'x', 'image/png', 415],
    ['a form without a boundary', 'x', 'multipart/form-data', 400],
    [
      'a truncated form',
      '--x\r\nContent-Disposition: form-data; name="content"\r\n\r\nabc',
      'multipart/form-data; boundary=x',
      400,
    ],
  ])('%s', async (_name, payload, type, status) => {
    const before = await rows()
    const answer = await curl(payload, '', type)
    expect([answer.statusCode, answer.json().success]).toEqual([status, false])
    expect(await rows()).toBe(before)
  })
})

describe('answers 404 for the id', () => {
  test.each([
    'x',
    'AAAAAAAAAAAAAAAAAAAAAA',
    'AAAAAAAAAAAAAAAAAAAAAB',
    '1',
    '-1',
    'null',
    '%00',
    '%F0%9F%92%A9',
    '%E0%A4%A',
    '..%2F..%2Fetc%2Fpasswd',
    '%27%20or%201=1',
    'x'.repeat(5000),
    '__proto__',
  ])('%.30s', async (id) => {
    for (const [method, url, payload] of [
      ['GET', `/api/paste/${id}`],
      ['POST', `/api/paste/${id}/read`],
      ['POST', `/api/paste/${id}/delete`, { token: 'x' }],
      ['GET', `/paste/${id}/raw`],
    ] as const) {
      const answer = await site.app.inject({ method, url, payload })
      expect([url.slice(0, 60), answer.statusCode, answer.json()]).toEqual([url.slice(0, 60), 404, NOT_FOUND])
    }
  })
})

describe('views of a paste', () => {
  const visit = (id: string, headers: Record<string, string>, method = 'GET') =>
    site.app.inject({ method: method as 'GET', url: `/api/paste/${id}`, headers })
  const views = async (id: string) => {
    const [row] = await site.app.services.db.execute(sql`select max(views) as views from paste`)
    expect(id).toBeTruthy()
    return Number(row?.views)
  }

  test('count only requests of people', async () => {
    await site.app.services.db.delete(paste)
    const { id } = await made()
    for (const [headers, method] of [
      [{}, 'HEAD'],
      [{ 'sec-purpose': 'prefetch' }, 'GET'],
      [{ 'sec-purpose': 'prefetch;prerender' }, 'GET'],
      [{ purpose: 'prefetch' }, 'GET'],
      [{ 'user-agent': 'Slackbot-LinkExpanding 1.0' }, 'GET'],
      [{ 'user-agent': 'Mozilla/5.0 (compatible; Discordbot/2.0)' }, 'GET'],
      [{ 'user-agent': 'facebookexternalhit/1.1' }, 'GET'],
    ] as [Record<string, string>, string][]) {
      expect((await visit(id, headers, method)).statusCode).toBe(200)
    }
    expect((await raw(id)).statusCode).toBe(200)
    expect(await views(id)).toBe(0)
    for (const count of [1, 2, 3]) expect((await read(id)).body.paste.views).toBe(count)
    expect((await visit(id, { 'user-agent': 'curl/8.5.0' })).json().paste.views).toBe(4)
    await Promise.all(Array.from({ length: 20 }, () => read(id)))
    expect(await views(id)).toBe(24)
  })
})

test('forbids caching and indexing of pastes', async () => {
  const { id, token } = await made()
  for (const [method, url, payload] of [
    ['GET', `/api/paste/${id}`],
    ['GET', `/paste/${id}/raw`],
    ['GET', '/api/paste/nothing'],
    ['POST', `/api/paste/${id}/delete`, { token: 'x' }],
    ['POST', `/api/paste/${id}/delete`, { token }],
  ] as const) {
    const { headers } = await site.app.inject({ method, url, payload })
    expect([url, headers['cache-control']]).toEqual([url, 'no-store'])
    expect([headers['x-robots-tag'], headers['referrer-policy']]).toEqual(['noindex', 'same-origin'])
  }
})

test('serves raw pastes as plain text', async () => {
  const { id } = await made({ content: '<script>alert(1)</script>' })
  const { headers, body } = await raw(id)
  expect(body).toBe('<script>alert(1)</script>')
  expect(headers['content-type']).toBe('text/plain; charset=utf-8')
  expect(headers['x-content-type-options']).toBe('nosniff')
  expect(headers['content-security-policy']).toBe("default-src 'none'; frame-ancestors 'none'; sandbox")
})

describe('highlighting', () => {
  const highlights = async (json: object) => {
    const { id } = await made(json)
    const answer = await callApi(site, 'POST', '/trpc/paste.consume', { json: { json: { pasteId: id } } })
    return answer.body.result.data.json
  }

  test('of a chosen language, of a guessed one, of none', async () => {
    const content = 'const a = "x" // <b>\n'
    const chosen = await highlights({ content, language: 'typescript' })
    expect(
      chosen.highlights.filter((_: number, at: number) => at % 2 === 0).reduce((a: number, b: number) => a + b),
    ).toBe(content.length)
    expect(chosen.highlights.length).toBeGreaterThan(6)
    expect((await highlights({ content: '#include <stdio.h>\n' })).paste.language).toBe('c')
    expect(await highlights({ content, language: 'plain' })).toMatchObject({
      paste: { language: null },
      highlights: [],
    })
    expect((await highlights({ content: 'Just a sentence, from me to you.' })).paste.language).toBeNull()
  })

  test('gives up a slow text and highlights the next one', async () => {
    const start = Date.now()
    expect((await highlights({ content: 'a'.repeat(100_000), language: 'ini' })).highlights).toEqual([])
    expect(Date.now() - start).toBeLessThan(30_000)
    expect((await highlights({ content: 'a = 1', language: 'ini' })).highlights).not.toEqual([])
  })
})
