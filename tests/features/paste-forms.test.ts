import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callApi, toFormData } from '#tests/helpers/apiCalls.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

const BLANK = 'Please enter some content to paste'
const EXPIRY = 'Expiration must be one of 1, 6, 12, 24, 48, 168 hours'
const MIB = 1024 * 1024
const HOUR = 3_600_000

let site: TestSite
beforeAll(async () => {
  site = await startSite({ SITE_URL: 'https://dtp.example.org' })
})
afterAll(() => site.close())

const idOf = (url: string) => url.split('/')[4] ?? ''
const read = (id: string) => callApi(site, 'GET', `/api/paste/${id}`)
const raw = (id: string) => site.app.inject({ url: `/paste/${id}/raw` })
const curl = (payload: Buffer | string, query = '', type = 'application/x-www-form-urlencoded') =>
  site.app.inject({ method: 'POST', url: `/api/paste${query}`, headers: { 'content-type': type }, payload })

describe('forms and curl', () => {
  test('converts numbers and booleans of form fields', async () => {
    const form = toFormData({ content: 'from a form', expiryHours: '48', burnAfterReading: 'false' })
    const { status, body } = await callApi(site, 'POST', '/api/paste', { form })
    expect(status).toBe(200)
    expect((await read(idOf(body.url))).body.paste.content).toBe('from a form')
    const wrong = toFormData({ content: 'x', expiryHours: '2' })
    expect((await callApi(site, 'POST', '/api/paste', { form: wrong })).body.error).toBe(EXPIRY)
  })

  test.each([
    ['application/x-www-form-urlencoded'],
    ['text/plain'],
    ['text/plain; charset=utf-8'],
    ['application/octet-stream'],
  ])('accepts a raw body of type %s and returns the URL', async (type) => {
    const start = Date.now()
    site.setNow(new Date(start))
    const content = 'content=1&expiryHours=2\r\n\0%41+'
    const answer = await curl(content, '', type)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(answer.body).toMatch(/^https:\/\/dtp\.example\.org\/paste\/[\w-]{22}\n$/)
    expect(answer.headers['x-delete-url']).toMatch(/\/delete\?token=/)
    const { paste: found } = (await read(idOf(answer.body.trim()))).body
    expect([found.content, found.expiresAt]).toEqual([content, new Date(start + 24 * HOUR).toISOString()])
    site.setNow(null)
  })

  test.each([
    ['-F content=@file', 'POST', '', toFormData({ content: new File(['from\r\n\0a file'], 'notes.txt') })],
    ['-T file', 'PUT', '', 'from\r\n\0a file'],
    ['-T file, to a URL with a slash', 'PUT', '/notes.txt', 'from\r\n\0a file'],
  ] as const)('curl %s creates a paste for a day', async (_command, method, name, body) => {
    const start = Date.now()
    site.setNow(new Date(start))
    const request = new Request('http://localhost/', { method, body })
    const headers = typeof body === 'string' ? {} : Object.fromEntries(request.headers)
    const payload = Buffer.from(await request.arrayBuffer())
    const answer = await site.app.inject({ method, url: `/api/paste${name}?language=lua`, headers, payload })
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8'])
    const { paste: found } = (await read(idOf(answer.body.trim()))).body
    expect([found.content, found.language]).toEqual(['from\r\n\0a file', 'lua'])
    expect(found.expiresAt).toBe(new Date(start + 24 * HOUR).toISOString())
    site.setNow(null)
  })

  test('accepts a file of 1 MiB in a form, and its expiry', async () => {
    const sent = (length: number) => {
      const form = toFormData({ content: new File([new Uint8Array(length).fill(120)], 'a.txt'), expiryHours: '2' })
      return callApi(site, 'POST', '/api/paste', { form })
    }
    expect((await sent(MIB)).body.error).toBe(EXPIRY)
    const file = (length: number) => toFormData({ content: new File([new Uint8Array(length).fill(120)], 'a.txt') })
    const largest = await callApi(site, 'POST', '/api/paste', { form: file(MIB) })
    expect((await raw(idOf(String(largest.body).trim()))).rawPayload.length).toBe(MIB)
    const tooLarge = await callApi(site, 'POST', '/api/paste', { form: file(MIB + 1) })
    expect([tooLarge.status, tooLarge.body.error]).toEqual([413, 'Pastes can be at most 1 MB'])
    expect((await callApi(site, 'POST', '/api/paste', { form: file(0) })).body.error).toBe(BLANK)
  })

  test('uses an expiry of one day by default', async () => {
    const { body } = await callApi(site, 'POST', '/api/paste', { json: { content: 'x' } })
    expect(new Date(body.expiresAt).getTime() - Date.now()).toBeGreaterThan(23.9 * HOUR)
  })

  test('reads expiry, language and burning from the query', async () => {
    const start = Date.now()
    site.setNow(new Date(start))
    const plain = (await read(idOf((await curl('x', '?expiryHours=1&language=lua')).body.trim()))).body.paste
    expect([plain.expiresAt, plain.language]).toEqual([new Date(start + HOUR).toISOString(), 'lua'])
    const burning = (await read(idOf((await curl('x', '?burnAfterReading=true')).body.trim()))).body.paste
    expect([burning.burnAfterReading, burning.content]).toEqual([true, null])
    site.setNow(null)
    for (const hours of ['2', '0', '', 'x', '24.0', '+24', '1e1', ' 24', '024', '24&expiryHours=24']) {
      const answer = await curl(
        'x',
        `?expiryHours=${encodeURIComponent(hours).replace('%26', '&').replace('%3D', '=')}`,
      )
      expect([hours, answer.statusCode, answer.json().error]).toEqual([hours, 400, EXPIRY])
    }
  })

  test.each([[''], ['  \n']])('rejects the blank body %j', async (content) => {
    const answer = await curl(content)
    expect([answer.statusCode, answer.json().error]).toEqual([400, BLANK])
  })

  test('takes the content from a raw body, not from the query', async () => {
    const { body } = await curl('x', '?content=y')
    expect((await read(idOf(body.trim()))).body.paste.content).toBe('x')
  })
})
