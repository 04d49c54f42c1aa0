import { TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { resetSecondFactor } from '#server/features/auth/users.ts'
import { callApi } from '#tests/helpers/apiCalls.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

const LOGIN = '/api/dtpchan/admin/login'
const PASSWORD = 'correct horse battery'
const NOW = new Date('2026-11-01T12:00:10Z')

let site: TestSite
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site.close())

const login = (email: string, code?: unknown, password = PASSWORD) =>
  callApi(site, 'POST', LOGIN, { json: { email, password, code } })

/** Calls a tRPC procedure with superjson's plain form. */
async function call(name: string, token?: string, input?: unknown) {
  const { status, body } = await callApi(site, 'POST', `/trpc/auth.${name}`, { json: { json: input ?? null }, token })
  return { status, data: body.result?.data?.json, message: body.error?.json?.message }
}
async function query(name: string, token?: string) {
  const { status, body } = await callApi(site, 'GET', `/trpc/auth.${name}`, { token })
  return { status, data: body.result?.data?.json }
}

/** Adds an authenticator app. Returns the session, the app and the recovery codes. */
async function withApp(email: string, role: 'admin' | 'member' = 'member') {
  site.setNow(NOW)
  const token = await site.createToken(email, role)
  const { data } = await call('startTotp', token, { currentPassword: PASSWORD })
  const app = new TOTP({ secret: data.secret })
  const confirmed = await call('confirmTotp', token, { setup: data.setup, code: codeOf(app, NOW) })
  return { token, app, setup: data.setup as string, codes: confirmed.data as string[] }
}

const codeOf = (app: TOTP, at: Date) => app.generate({ timestamp: at.getTime() })
const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1000)

describe('an authenticator app', () => {
  test('makes a login need its code', async () => {
    const { app } = await withApp('app@example.org')
    expect((await login('app@example.org')).body).toEqual({
      success: false,
      error: 'Enter the code of your authenticator app, or a recovery code',
    })
    site.setNow(later(60))
    expect((await login('app@example.org', '000000')).body.error).toBe('The code is wrong or was used before')
    const { status, body } = await login('app@example.org', codeOf(app, later(60)))
    expect({ status, user: body.user }).toEqual({
      status: 200,
      user: { email: 'app@example.org', role: 'member', generatedPassword: false },
    })
    expect((await query('me', body.token)).data.email).toBe('app@example.org')
  })

  test('does not reveal the second factor to a wrong password', async () => {
    await withApp('hidden@example.org')
    const { status, body } = await login('hidden@example.org', undefined, 'wrong')
    expect({ status, error: body.error }).toEqual({ status: 401, error: 'Invalid credentials' })
  })

  test('accepts a setup once, because it would accept used codes again', async () => {
    const { app, setup, token } = await withApp('setup@example.org')
    site.setNow(later(30))
    expect((await login('setup@example.org', codeOf(app, later(30)))).status).toBe(200)
    expect((await call('confirmTotp', token, { setup, code: codeOf(app, NOW) })).status).toBe(400)
    expect((await login('setup@example.org', codeOf(app, later(30)))).status).toBe(401)
  })

  test('accepts each code once, also for two logins at once and for older codes', async () => {
    const { app } = await withApp('once@example.org')
    // The code of the set-up is used.
    expect((await login('once@example.org', codeOf(app, NOW))).status).toBe(401)
    site.setNow(later(120))
    const code = codeOf(app, later(120))
    const statuses = await Promise.all([1, 2, 3].map(async () => (await login('once@example.org', code)).status))
    expect(statuses.sort()).toEqual([200, 401, 401])
    // A clock may be one step behind, but a newer code was used already.
    expect((await login('once@example.org', codeOf(app, later(90)))).status).toBe(401)
    site.setNow(later(300))
    expect((await login('once@example.org', codeOf(app, later(240)))).status).toBe(401)
    expect((await login('once@example.org', codeOf(app, later(270)))).status).toBe(200)
  })

  test.each([[5], [{}], [''], ['12345'], ['1234567'], ['12 34 56'], ['x'.repeat(65)], ['\u0000']])(
    'refuses the code %j',
    async (code) => {
      await withApp('hostile@example.org')
      const { status, body } = await login('hostile@example.org', code)
      expect([400, 401]).toContain(status)
      expect(body).toEqual({ success: false, error: expect.any(String) })
    },
  )

  test('is removed only with the password', async () => {
    const { token } = await withApp('removed@example.org')
    expect(await call('removeTotp', token, { currentPassword: 'wrong' })).toMatchObject({
      status: 403,
      message: 'The current password is wrong',
    })
    expect((await login('removed@example.org')).status).toBe(401)
    expect((await call('removeTotp', token, { currentPassword: PASSWORD })).status).toBe(200)
    expect((await login('removed@example.org')).status).toBe(200)
    expect((await query('secondFactor', token)).data).toMatchObject({ totp: false, passkeys: [], recoveryCodes: 0 })
  })

  test('is added only by the user who started, within ten minutes, with a right code', async () => {
    const { setup, app } = await withApp('starter@example.org')
    const other = await site.createToken('other@example.org')
    const confirm = (token: string, text: string) => call('confirmTotp', token, { setup: text, code: codeOf(app, NOW) })
    expect((await confirm(other, setup)).status).toBe(400)
    expect((await confirm(other, `${setup.slice(0, -2)}AA`)).status).toBe(400)
    expect((await confirm(other, '')).status).toBe(400)
    const started = await call('startTotp', other, { currentPassword: PASSWORD })
    expect((await call('confirmTotp', other, { setup: started.data.setup, code: '000000' })).status).toBe(400)
    site.setNow(later(601))
    const late = codeOf(new TOTP({ secret: started.data.secret }), later(601))
    expect((await call('confirmTotp', other, { setup: started.data.setup, code: late })).message).toBe(
      'This took too long. Please start again.',
    )
    expect((await query('secondFactor', other)).data.totp).toBe(false)
    expect((await call('startTotp', undefined, { currentPassword: PASSWORD })).status).toBe(401)
  })
})

describe('recovery codes', () => {
  test('replace a lost app once each', async () => {
    const { token, codes } = await withApp('lost@example.org')
    expect(codes).toHaveLength(10)
    expect(new Set(codes).size).toBe(10)
    const [first = '', second = ''] = codes
    expect((await login('lost@example.org', first)).status).toBe(200)
    expect((await login('lost@example.org', first)).status).toBe(401)
    expect((await login('lost@example.org', second.replaceAll('-', '').toUpperCase())).status).toBe(200)
    expect((await query('secondFactor', token)).data.recoveryCodes).toBe(8)
    const { data: fresh } = await call('replaceRecoveryCodes', token, { currentPassword: PASSWORD })
    expect((await login('lost@example.org', codes[2])).status).toBe(401)
    expect((await login('lost@example.org', fresh[0])).status).toBe(200)
  })

  test('exist only with a second factor, and only for their user', async () => {
    const { codes } = await withApp('owner@example.org')
    await withApp('thief@example.org')
    expect((await login('thief@example.org', codes[0])).status).toBe(401)
    const token = await site.createToken('none@example.org')
    expect((await call('replaceRecoveryCodes', token, { currentPassword: PASSWORD })).status).toBe(409)
  })
})

test('an operator resets a lost second factor, which ends the sessions', async () => {
  const { token } = await withApp('reset@example.org')
  await resetSecondFactor(site.app.services, 'reset@example.org')
  expect((await query('me', token)).data).toBeNull()
  expect((await login('reset@example.org')).status).toBe(200)
  await expect(resetSecondFactor(site.app.services, 'nobody@example.org')).rejects.toThrow('There is no user')
})

test('admins are members until they add the second factor that the site requires', async () => {
  const strict = await startSite({ REQUIRE_SECOND_FACTOR: 'on' })
  try {
    const token = await strict.createToken('chief@example.org', 'admin')
    const me = async () => (await callApi(strict, 'GET', '/trpc/auth.me', { token })).body.result.data.json
    expect(await me()).toMatchObject({ role: 'member', needsSecondFactor: true })
    const start = await callApi(strict, 'POST', '/trpc/auth.startTotp', {
      json: { json: { currentPassword: PASSWORD } },
      token,
    })
    const { secret, setup } = start.body.result.data.json
    await callApi(strict, 'POST', '/trpc/auth.confirmTotp', {
      json: { json: { setup, code: new TOTP({ secret }).generate() } },
      token,
    })
    expect(await me()).toEqual({ email: 'chief@example.org', role: 'admin', generatedPassword: false })
  } finally {
    await strict.close()
  }
})

test.each([
  { response: { id: 'x', rawId: 'x', type: 'public-key' } },
  { response: { id: 'x'.repeat(3000), rawId: 'x', type: 'public-key' } },
  { response: {} },
  { setup: '' },
  { setup: 'x'.repeat(3000) },
])('refuses a hostile passkey login: %j', async (hostile) => {
  const { data } = await call('startPasskeyLogin')
  const answer = { setup: data.setup, response: { id: 'AAAA', rawId: 'AAAA', type: 'public-key' }, ...hostile }
  const { status, message } = await call('loginWithPasskey', undefined, answer)
  expect([400, 401]).toContain(status)
  expect(message).not.toMatch(/went wrong/)
})

test('lists the sessions of the user and ends one of them', async () => {
  site.setNow(NOW)
  const token = await site.createToken('sessions@example.org')
  const answer = await site.app.inject({
    method: 'POST',
    url: LOGIN,
    headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' },
    payload: { email: 'sessions@example.org', password: PASSWORD },
  })
  const other = answer.json().token
  const list = async (of: string) => (await query('sessions', of)).data
  const sessions = await list(token)
  expect(sessions).toHaveLength(2)
  const linux = sessions.find(({ current }: { current: boolean }) => !current)
  expect(linux.client).toBe('Firefox on Linux')

  const stranger = await site.createToken('stranger@example.org')
  await call('endSession', stranger, { id: linux.id })
  expect(await list(token)).toHaveLength(2)
  site.setNow(new Date(NOW.getTime() + 2 * 3_600_000))
  await query('me', other)
  const used = (await list(token)).find(({ id }: { id: string }) => id === linux.id)
  expect(new Date(used.usedAt).getTime()).toBe(NOW.getTime() + 2 * 3_600_000)

  await call('endSession', token, { id: linux.id })
  expect((await query('me', other)).data).toBeNull()
  expect(await list(token)).toHaveLength(1)
})

test.each([
  ['https://dtp.example', 'https://dtp.example'],
  ['http://192.0.2.7:3000', null],
  ['http://[2001:db8::7]:3000', null],
])('a site at %s has passkeys at %s', async (SITE_URL, origin) => {
  const other = await startSite({ SITE_URL })
  const token = await other.createToken('someone@example.org')
  const { body } = await callApi(other, 'GET', '/trpc/auth.secondFactor', { token })
  expect(body.result.data.json.passkeyOrigin).toBe(origin)
  await other.close()
})
