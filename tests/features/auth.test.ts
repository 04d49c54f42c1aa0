import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createUser } from '#server/features/auth/service.ts'
import { changeRole, removeUser, resetPassword } from '#server/features/auth/users.ts'
import { BOARDS, callApi, createBoard } from '#tests/helpers/apiCalls.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

const LOGIN = '/api/dtpchan/admin/login'
const PASSWORD_CHANGE = '/api/dtpchan/admin/password'
const LOGOUT = '/api/dtpchan/admin/logout'
const PASSWORD = 'correct horse battery'

let site: TestSite
beforeAll(async () => {
  site = await startSite({ RATE_LIMIT: 'on' })
  await site.createToken('admin@example.org', 'admin')
})
afterAll(() => site.close())

const login = (email: unknown, password: unknown) => callApi(site, 'POST', LOGIN, { json: { email, password } })
const payloadOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
const change = (token: string, currentPassword: string, newPassword: string) =>
  callApi(site, 'POST', PASSWORD_CHANGE, { json: { currentPassword, newPassword }, token })
const tryBoard = (token: string) => callApi(site, 'POST', BOARDS, { json: { name: 'x', description: 'y' }, token })

describe('login', () => {
  test('returns a token whose payload the client can read', async () => {
    const { status, body } = await login('Admin@Example.org', PASSWORD)
    expect(status).toBe(200)
    expect(body).toMatchObject({ success: true, user: { email: 'admin@example.org', role: 'admin' } })
    const payload = payloadOf(body.token)
    expect(payload).toMatchObject({ email: 'admin@example.org', role: 'admin' })
    const days = (payload.exp * 1000 - Date.now()) / 86_400_000
    expect(days).toBeGreaterThan(29.9)
    expect(days).toBeLessThan(30.1)
  })

  test.each([
    ['', PASSWORD],
    ['  ', PASSWORD],
    ['admin@example.org', ''],
    [undefined, undefined],
    [5, {}],
  ])('asks for both fields: %j %j', async (email, password) => {
    const { status, body } = await login(email, password)
    expect({ status, body }).toEqual({
      status: 400,
      body: { success: false, error: 'Email and password are required' },
    })
  })

  test('does not reveal whether the email exists', async () => {
    const unknown = await login('nobody@example.org', PASSWORD)
    const wrong = await login('admin@example.org', 'wrong')
    expect(unknown.status).toBe(401)
    expect(unknown.body).toEqual({ success: false, error: 'Invalid credentials' })
    expect({ ...wrong, headers: null }).toEqual({ ...unknown, headers: null })
  })
})

describe('sessions', () => {
  test('ends the session on the server at a logout', async () => {
    const token = await site.createToken('one@example.org')
    expect((await tryBoard(token)).status).toBe(200)
    expect((await callApi(site, 'POST', LOGOUT, { token })).body).toEqual({ success: true })
    expect((await tryBoard(token)).body).toEqual({
      success: false,
      error: 'You must be logged in to create a board',
    })
    expect((await callApi(site, 'POST', LOGOUT, { token })).status).toBe(401)
  })

  test('applies a role change to open sessions at once', async () => {
    const token = await site.createToken('two@example.org')
    const board = await createBoard(site, 'Roles', await site.createToken('other@example.org'))
    const remove = () => callApi(site, 'DELETE', `${BOARDS}/${board}`, { token })
    expect((await remove()).status).toBe(403)
    await changeRole(site.app.services.db, { email: 'two@example.org', role: 'admin' })
    expect((await remove()).status).toBe(200)
  })

  test('ends all sessions of a user on a new password and on removal', async () => {
    const tokens = [await site.createToken('three@example.org'), await site.createToken('three@example.org')]
    await resetPassword(site.app.services, 'three@example.org', 'another password')
    for (const token of tokens) expect((await tryBoard(token)).status).toBe(401)
    expect((await login('three@example.org', PASSWORD)).status).toBe(401)
    const { body } = await login('three@example.org', 'another password')
    await removeUser(site.app.services, 'three@example.org')
    expect((await tryBoard(body.token)).status).toBe(401)
  })

  test('rejects a token after thirty days', async () => {
    const token = await site.createToken('four@example.org')
    site.setNow(new Date(Date.now() + 30.01 * 86_400_000))
    const late = await tryBoard(token)
    site.setNow(null)
    expect(late.status).toBe(401)
    expect((await tryBoard(token)).status).toBe(200)
  })
})

describe('the password change of a user', () => {
  const me = (token: string) => callApi(site, 'GET', '/trpc/auth.me', { token })

  test('ends the other sessions of this user only', async () => {
    const own = await site.createToken('changer@example.org')
    const other = await site.createToken('changer@example.org')
    const stranger = await site.createToken('stranger@example.org')
    expect(await change(own, PASSWORD, 'a password of my own')).toMatchObject({ status: 200, body: { success: true } })
    expect((await me(own)).body.result.data.json).toMatchObject({ email: 'changer@example.org' })
    expect((await me(other)).body.result.data.json).toBeNull()
    expect((await me(stranger)).body.result.data.json).toMatchObject({ email: 'stranger@example.org' })
    expect((await login('changer@example.org', PASSWORD)).status).toBe(401)
    expect((await login('changer@example.org', 'a password of my own')).status).toBe(200)
  })

  test('ends sessions of logins that began before it', async () => {
    const own = await site.createToken('racer@example.org')
    const tokens: string[] = []
    let isChanged = false
    const repeatLogin = async () => {
      while (!isChanged) {
        const { status, body } = await login('racer@example.org', PASSWORD)
        if (status === 200) tokens.push(body.token)
      }
    }
    const logins = [1, 2, 3, 4].map(repeatLogin)
    await change(own, PASSWORD, 'a password of my own')
    isChanged = true
    await Promise.all(logins)
    for (const token of tokens) expect((await me(token)).body.result.data.json).toBeNull()
    expect((await me(own)).body.result.data.json).not.toBeNull()
  })

  test('does not replace a password that an admin sets meanwhile', async () => {
    const own = await site.createToken('replaced@example.org')
    await Promise.all([
      change(own, PASSWORD, 'a password of my own'),
      resetPassword(site.app.services, 'replaced@example.org', 'a password of the admin'),
    ])
    expect((await login('replaced@example.org', 'a password of the admin')).status).toBe(200)
  })

  test.each([
    [{}, 401, 'You must be logged in', undefined],
    [{ newPassword: 'a good password' }, 400, 'The current and the new password are required', PASSWORD],
    [{ currentPassword: '', newPassword: 'a good password' }, 400, 'The current and the new password are required', ''],
    [{ currentPassword: PASSWORD, newPassword: 'short' }, 400, 'A password has at least 8 characters', ''],
    [{ currentPassword: PASSWORD, newPassword: PASSWORD }, 400, 'The new password is the current one', ''],
    [
      { currentPassword: 'pa\u0308ssword', newPassword: 'p\u00e4ssword' },
      400,
      'The new password is the current one',
      '',
    ],
    [{ currentPassword: 'wrong', newPassword: 'a good password' }, 403, 'The current password is wrong', ''],
  ])('refuses %j with %i', async (json, status, error, token) => {
    const asWho = token === undefined ? undefined : await site.createToken('refused@example.org')
    const refused = await callApi(site, 'POST', PASSWORD_CHANGE, { json, token: asWho })
    expect(refused).toMatchObject({ status, body: { success: false, error } })
    if (asWho) expect((await me(asWho)).body.result.data.json).not.toBeNull()
  })

  test('asks for another password until the generated one is changed', async () => {
    const { db } = site.app.services
    const account = { email: 'made@localhost', password: PASSWORD, role: 'admin', generatedPassword: true } as const
    await createUser(db, account)
    const { body } = await login(account.email, PASSWORD)
    expect(body.user).toEqual({ email: account.email, role: 'admin', generatedPassword: true })
    expect((await me(body.token)).body.result.data.json).toMatchObject({ generatedPassword: true })
    expect((await tryBoard(body.token)).status).toBe(200)
    await change(body.token, PASSWORD, 'a password of my own')
    expect((await me(body.token)).body.result.data.json).toMatchObject({ generatedPassword: false })
    expect((await login(account.email, 'a password of my own')).body.user).toMatchObject({ generatedPassword: false })
  })
})

describe('password guessing', () => {
  test('limits logins for an email after ten wrong passwords, until a wait has passed', async () => {
    await createUser(site.app.services.db, { email: 'target@example.org', password: PASSWORD, role: 'member' })
    const start = Date.now()
    site.setNow(new Date(start))
    for (let number = 1; number <= 10; number++) {
      expect((await login('target@example.org', 'wrong')).status).toBe(401)
    }
    const refused = await login('target@example.org', PASSWORD)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(refused.body.error).toMatch(/^Too many attempts\. Please try again in 2 min\.$/)
    // An unknown email gets the same response: it must not reveal whether an account exists.
    for (let number = 1; number <= 10; number++) await login('ghost@example.org', 'wrong')
    expect((await login('ghost@example.org', 'wrong')).status).toBe(429)
    site.setNow(new Date(start + 121_000))
    expect((await login('target@example.org', PASSWORD)).status).toBe(200)
    site.setNow(null)
  })

  test('counts forty simultaneous attempts', async () => {
    site.setNow(new Date(Date.now() + 2 * 3_600_000))
    const tries = await Promise.all(Array.from({ length: 40 }, () => login('burst@example.org', 'wrong')))
    site.setNow(null)
    expect(tries.filter(({ status }) => status === 401).length).toBeLessThanOrEqual(10)
    expect(tries.every(({ status }) => status === 401 || status === 429)).toBe(true)
  })

  test('limits guesses of the current password by a stolen session', async () => {
    const token = await site.createToken('stolen@example.org')
    site.setNow(new Date(Date.now() + 4 * 3_600_000))
    for (let number = 1; number <= 10; number++)
      expect((await change(token, 'wrong', 'a good password')).status).toBe(403)
    expect((await change(token, PASSWORD, 'a good password')).status).toBe(429)
    site.setNow(null)
  })
})
