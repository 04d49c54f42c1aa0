import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

const OWN = 'https://site.example'
const ONION = 'http://abcdefgh.onion'
const EVIL = 'https://evil.example'
const ERROR = 'Another site may not send this. Please do it on this site itself.'

let site: TestSite
beforeAll(async () => {
  site = await startSite({ SITE_URL: OWN })
})
afterAll(() => site.close())

/** Sends a POST request to `url`, with `host` as its Host header. */
const send = (headers: Record<string, string>, { url = '/api/dtpchan/captcha', host = 'site.example' } = {}) =>
  site.app.inject({ method: 'POST', url, headers: { host, ...headers }, payload: {} })

describe('writes from a page of another site', () => {
  test.each<[string, Record<string, string>, string?]>([
    ['another origin', { origin: EVIL }],
    ['another scheme', { origin: 'http://site.example:81' }],
    ['another subdomain', { origin: 'https://blog.site.example', 'sec-fetch-site': 'same-site' }],
    ['another subdomain without an origin', { 'sec-fetch-site': 'same-site' }],
    ['a cross-site form', { origin: EVIL, 'sec-fetch-site': 'cross-site' }],
    ['cross-site without an origin', { 'sec-fetch-site': 'cross-site' }],
    ['an opaque origin', { origin: 'null' }],
    ['an opaque origin, cross-site', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
    ['an invalid origin', { origin: 'x' }],
  ])('refuses %s', async (_name, headers) => {
    for (const url of ['/api/dtpchan/captcha', '/api/paste', '/api/image-share', '/api/nothing']) {
      const answer = await send(headers, { url })
      expect([url, answer.statusCode, answer.json()]).toEqual([url, 403, { success: false, error: ERROR }])
    }
    const typed = await send(headers, { url: '/trpc/site.captcha' })
    expect(typed.statusCode).toBe(403)
    expect(typed.json().error.json).toMatchObject({ message: ERROR, data: { code: 'FORBIDDEN', httpStatus: 403 } })
  })
})

describe('allowed requests', () => {
  test.each<[string, Record<string, string>, string?]>([
    ['a client that sends neither header', {}],
    ['a page of the site', { origin: OWN, 'sec-fetch-site': 'same-origin' }],
    ['a page of the site without Sec-Fetch-Site', { origin: OWN }],
    ['a URL typed by the user', { 'sec-fetch-site': 'none' }],
    ['a page that hides its origin', { origin: 'null', 'sec-fetch-site': 'same-origin' }],
    ['another name of the site', { origin: ONION }, 'abcdefgh.onion'],
    ['another port of the site', { origin: 'http://Localhost:3000' }, 'localhost:3000'],
    ['a proxy that does not forward the host', { origin: OWN }, '127.0.0.1:3000'],
  ])('answers %s', async (_name, headers, host) => {
    expect((await send(headers, { host })).statusCode).toBe(200)
    expect((await send(headers, { url: '/trpc/site.captcha', host })).statusCode).toBe(200)
  })

  test('answers reads from any site', async () => {
    const headers = { origin: EVIL, 'sec-fetch-site': 'cross-site' }
    expect((await site.app.inject({ url: '/api/dtpchan/boards', headers })).statusCode).toBe(200)
  })
})
