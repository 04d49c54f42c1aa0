import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callApi } from '#tests/helpers/apiCalls.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

let site: TestSite
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site.close())

/** Returns an input for which superjson would allocate 4 GB. */
const bomb = (field: string) => ({
  json: { boardId: 'tech', topics: ['boards'], [field]: { length: 4e9 } },
  meta: { values: { [field]: [['typed-array', 'Uint8Array']] } },
})
const inUrl = (input: unknown) => encodeURIComponent(JSON.stringify(input))

describe('refuses a typed array in an input before it is allocated', () => {
  test.each([
    ['GET', () => callApi(site, 'GET', `/trpc/board.threads?input=${inUrl(bomb('cursor'))}`)],
    [
      'batch',
      () => callApi(site, 'GET', `/trpc/board.list,board.threads?batch=1&input=${inUrl({ 1: bomb('cursor') })}`),
    ],
    ['POST', () => callApi(site, 'POST', '/trpc/board.createThread', { json: bomb('title') })],
  ])('%s', async (_name, ask) => {
    const from = performance.now()
    const { status, body } = await ask()
    expect(status === 400 || (status === 207 && body[1].error.json.data.httpStatus === 400)).toBe(true)
    expect(performance.now() - from).toBeLessThan(1000)
  })

  test('event connection', async () => {
    const { status, body } = await callApi(site, 'GET', `/trpc/site.events?input=${inUrl(bomb('topics'))}`)
    expect(status).toBe(200)
    expect(body).toContain('serialized-error')
    expect(body).toContain('"httpStatus":400')
  })
})

describe('refuses a NUL, which the database cannot store', () => {
  const setup = async () => (await call('auth.startPasskeyLogin', {})).body.result.data.json.setup as string
  const call = (name: string, input: object, token?: string) =>
    callApi(site, 'POST', `/trpc/${name}`, { json: { json: input }, token })

  test.each<[string, () => Promise<object> | object]>([
    [
      'auth.loginWithPasskey',
      async () => ({ setup: await setup(), response: { id: '\0', rawId: 'x', type: 'public-key' } }),
    ],
    ['auth.removePasskey', () => ({ currentPassword: 'correct horse battery', id: '\0' })],
    ['auth.endSession', () => ({ id: 'a\0' })],
    ['moderation.held.refuseAll', () => ({ heldFor: 'a\0' })],
  ])('%s', async (name, createInput) => {
    const token = await site.createToken(`${name}@example.org`.toLowerCase(), 'admin')
    expect((await call(name, await createInput(), token)).status).toBe(400)
  })

  test('the log ignores it', async () => {
    const { status, body } = await callApi(site, 'GET', '/api/moderation/log?boardId=%00')
    expect([status, body.entries]).toEqual([200, []])
  })
})

test('refuses a body larger than any input, in the format the client reads', async () => {
  const { status, body } = await callApi(site, 'POST', '/trpc/auth.login', {
    json: { json: { email: 'x'.repeat(300 * 1024), password: 'x' } },
  })
  expect(status).toBe(413)
  expect(body.error.json).toMatchObject({ message: 'The request is too large', data: { httpStatus: 413 } })
})

test.each(['multipart/form-data; boundary=x', 'application/octet-stream', 'text/plain'])('refuses %s', async (type) => {
  const { status, body } = await callApi(site, 'POST', '/trpc/auth.login', { raw: '--x--', type })
  expect(status).toBe(415)
  expect(body.error.json).toMatchObject({ message: 'The request must be JSON', data: { httpStatus: 415 } })
})
