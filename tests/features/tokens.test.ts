import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deriveSecrets } from '#server/core/security/secrets.ts'
import { BOARDS, callApi, createBoard, postThread, solveChallenge, toFormData } from '#tests/helpers/apiCalls.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'
import { snapshotStorage } from '#tests/helpers/storageSnapshot.ts'

type Json = Record<string, unknown>
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const decode = (text = ''): Json => JSON.parse(Buffer.from(text, 'base64url').toString())
const HS256 = { alg: 'HS256' }

/** Signs a token with any header and payload. */
function forge(header: unknown, payload: unknown, key: Uint8Array | string, hash = 'sha256'): string {
  const text = `${encode(header)}.${encode(payload)}`
  return `${text}.${createHmac(hash, key).update(text).digest('base64url')}`
}

let site: TestSite
let admin: string
let payload: Json
let key: Uint8Array
let ended: string
let thread: string
beforeAll(async () => {
  site = await startSite()
  admin = await site.createToken('admin@example.org', 'admin')
  payload = decode(admin.split('.')[1])
  key = site.app.services.secrets.token
  ended = await site.createToken('gone@example.org', 'admin')
  await callApi(site, 'POST', '/api/dtpchan/admin/logout', { token: ended })
  await createBoard(site, 'Here', admin)
  thread = `${BOARDS}/here/threads/${(await postThread(site, 'here')).body.thread.id}`
})
afterAll(() => site.close())

const withHeader = (authorization: string, method: string, url: string, json?: object) =>
  site.app.inject({ method: method as 'GET', url, headers: { authorization }, payload: json })

/** Expects protected calls to fail with 401, and public calls to respond as they do without a token. */
async function expectGuestAccess(authorization: string): Promise<void> {
  const before = await snapshotStorage(site)
  for (const [method, url, error, json] of [
    ['POST', BOARDS, 'You must be logged in to create a board', { name: 'x', description: 'y' }],
    ['DELETE', `${BOARDS}/here`, 'You must be logged in'],
    ['DELETE', thread, 'You must be logged in'],
    ['POST', '/api/dtpchan/admin/logout', 'You must be logged in'],
  ] as const) {
    const answer = await withHeader(authorization, method, url, json)
    expect([url, answer.statusCode, answer.json()]).toEqual([url, 401, { success: false, error }])
  }
  expect(await snapshotStorage(site)).toEqual(before)
  for (const url of [BOARDS, `${BOARDS}/here/threads`, thread]) {
    const [asGuest, answer] = [await callApi(site, 'GET', url), await withHeader(authorization, 'GET', url)]
    expect([answer.statusCode, answer.json()]).toEqual([200, asGuest.body])
  }
  const me = await withHeader(authorization, 'GET', '/trpc/auth.me')
  expect([me.statusCode, me.json()]).toEqual([200, { result: { data: { json: null } } }])
}

test('accepts the tokens that the forgeries are derived from', async () => {
  expect(payload).toMatchObject({ email: 'admin@example.org', role: 'admin' })
  const renewed = forge(HS256, payload, key)
  expect((await callApi(site, 'POST', BOARDS, { token: renewed, json: { name: 'x', description: 'y' } })).status).toBe(
    200,
  )
  for (const scheme of ['bearer', 'BEARER', 'Bearer  ']) {
    const json = { name: 'x', description: 'y' }
    expect((await withHeader(`${scheme} ${admin}`, 'POST', BOARDS, json)).statusCode).toBe(200)
  }
})

describe('rejects a forged token', () => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const asymmetric = (alg: string) => {
    const text = `${encode({ alg, jwk: rsa.publicKey.export({ format: 'jwk' }) })}.${encode(payload)}`
    return `${text}.${sign('sha256', Buffer.from(text), rsa.privateKey).toString('base64url')}`
  }
  const hour = 3600
  const now = () => Math.floor(Date.now() / 1000)
  test.each<[string, () => string]>([
    ['no algorithm', () => `${encode({ alg: 'none' })}.${encode(payload)}.`],
    ['no algorithm, signed', () => forge({ alg: 'none' }, payload, key)],
    ['nOnE', () => `${encode({ alg: 'nOnE' })}.${encode(payload)}.`],
    ['no signature', () => `${admin.slice(0, admin.lastIndexOf('.'))}.`],
    ['two parts', () => admin.slice(0, admin.lastIndexOf('.'))],
    ['four parts', () => `${admin}.x`],
    ['HS512 with our key', () => forge({ alg: 'HS512' }, payload, key, 'sha512')],
    ['HS256 that is HS512', () => forge(HS256, payload, key, 'sha512')],
    ['HS512 that is HS256', () => forge({ alg: 'HS512' }, payload, key)],
    ['another key', () => forge(HS256, payload, new Uint8Array(32))],
    ['an empty key', () => forge(HS256, payload, '')],
    ['the captcha’s key', () => forge(HS256, payload, site.app.services.secrets.captcha)],
    ['the key of another site', () => forge(HS256, payload, deriveSecrets('another secret').token)],
    ['RS256', () => asymmetric('RS256')],
    ['RS256 called HS256', () => asymmetric('HS256')],
    ['a public key as the secret', () => forge(HS256, payload, rsa.publicKey.export({ type: 'spki', format: 'pem' }))],
    ['a critical extension', () => forge({ ...HS256, crit: ['x'], x: 1 }, payload, key)],
    ['an unencoded payload', () => forge({ ...HS256, crit: ['b64'], b64: false }, payload, key)],
    ['no header', () => forge({}, payload, key)],
    ['a header that is no object', () => forge([HS256], payload, key)],
    ['a payload that is no object', () => forge(HS256, [payload], key)],
    ['a payload that is null', () => forge(HS256, null, key)],
    ['a made-up session', () => forge(HS256, { ...payload, sid: 'x'.repeat(40) }, key)],
    ['no session', () => forge(HS256, { ...payload, sid: undefined }, key)],
    ['a number as session', () => forge(HS256, { ...payload, sid: 1 }, key)],
    ['an object as session', () => forge(HS256, { ...payload, sid: { id: payload.sid } }, key)],
    ['expired', () => forge(HS256, { ...payload, exp: now() - 1 }, key)],
    ['expiry as text', () => forge(HS256, { ...payload, exp: 'never' }, key)],
    ['not yet', () => forge(HS256, { ...payload, nbf: now() + hour }, key)],
    ['an ended session', () => ended],
    ['an ended session, signed anew', () => forge(HS256, { ...payload, sid: decode(ended.split('.')[1]).sid }, key)],
  ])('%s', async (_name, make) => {
    await expectGuestAccess(`Bearer ${make()}`)
  })

  test('with any byte changed', async () => {
    const [header = '', claims = '', signature = ''] = admin.split('.')
    const flip = (text: string, at: number) => {
      const bytes = Buffer.from(text, 'base64url')
      bytes[at] = (bytes[at] ?? 0) ^ 1
      return bytes.toString('base64url')
    }
    for (const at of [0, 5, 13]) await expectGuestAccess(`Bearer ${flip(header, at)}.${claims}.${signature}`)
    for (const at of [0, 9, 30, 60]) await expectGuestAccess(`Bearer ${header}.${flip(claims, at)}.${signature}`)
    for (const at of [0, 15, 31]) await expectGuestAccess(`Bearer ${header}.${claims}.${flip(signature, at)}`)
    await expectGuestAccess(`Bearer ${header}.${encode({ ...payload, role: 'admin', email: 'x' })}.${signature}`)
  })
})

describe('treats an invalid Authorization header as no token', () => {
  test.each([
    '',
    'Bearer',
    'Bearer ',
    'Bearer x',
    'Bearer ..',
    'Bearer ...',
    'Bearer null',
    'Bearer undefined',
    'Bearer \u00ff\u00fe',
    'Bearer eyJhbGciOiJIUzI1NiJ9',
    'Bearer eyJhbGciOiJIUzI1NiJ9.e30.',
    'Bearer =.=.=',
    'Basic YWRtaW46YWRtaW4=',
    'Negotiate x',
    `Bearer ${'x'.repeat(10_000)}`,
    `Bearer ${'x.'.repeat(5_000)}`,
    `Bearer${' '.repeat(10_000)}x y`,
    `Bearer ${'eyJ'.repeat(1000)}.${'eyJ'.repeat(1000)}.${'x'.repeat(3000)}`,
  ])('%j', async (authorization) => {
    await expectGuestAccess(authorization)
  })

  test.each(['', 'Token ', 'Bearer:', 'Bearer,', 'JWT '])('with a valid token behind %j', async (scheme) => {
    await expectGuestAccess(`${scheme}${admin}`)
  })

  test('with two tokens, and a token outside the header', async () => {
    await expectGuestAccess(`Bearer ${admin}, Bearer ${admin}`)
    await expectGuestAccess(`Bearer ${admin} x`)
    const json = { name: 'x', description: 'y', token: admin }
    const cookie = `dtpchan_token=${admin}`
    const answer = await site.app.inject({
      method: 'POST',
      url: `${BOARDS}?token=${admin}`,
      headers: { cookie },
      payload: json,
    })
    expect(answer.statusCode).toBe(401)
  })

  test('ignores an invalid token when posting', async () => {
    const form = toFormData({ title: 'x', content: 'y', author: 'me', ...(await solveChallenge(site)) })
    expect((await callApi(site, 'POST', `${BOARDS}/here/threads`, { form, token: ended })).status).toBe(200)
  })
})

test('ends a session after thirty days or with its user', async () => {
  const token = await site.createToken('short@example.org')
  const json = { name: 'x', description: 'y' }
  site.setNow(new Date(Date.now() + 30 * 86_400_000 + 5000))
  expect((await callApi(site, 'POST', BOARDS, { token, json })).status).toBe(401)
  site.setNow(null)
  expect((await callApi(site, 'POST', BOARDS, { token, json })).status).toBe(200)
})
