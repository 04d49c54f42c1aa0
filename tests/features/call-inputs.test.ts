import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BOARDS, callApi, createBoard, postThread, solveChallenge, toFormData } from '#tests/helpers/apiCalls.ts'
import { FORM_TYPE, fieldPart, formBody } from '#tests/helpers/multipart.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'
import { snapshotStorage } from '#tests/helpers/storageSnapshot.ts'

const MODERATION = '/api/moderation'
const FILTER = { kind: 'literal', value: 'spam', effect: 'refuse' }
const UNREADABLE = 'The request could not be read'

let site: TestSite
let admin: string
let postId: number
beforeAll(async () => {
  site = await startSite()
  admin = await site.createToken('admin@example.org', 'admin')
  await createBoard(site, 'Tech', admin)
  postId = (await postThread(site, 'tech')).body.thread.id
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
    const { status, body } = await ask()
    expect(status === 400 || (status === 207 && body[1].error.json.data.httpStatus === 400)).toBe(true)
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

describe('a malformed call', () => {
  const proto = '{"0":{"json":{"__proto__":{"x":1}}}}'
  const superjson = '{"json":{"title":"x"},"meta":{"values":{"__proto__.x":["Date"],"title":["map"]}}}'
  test.each([
    ['POST', 'board.create', '{', 401],
    ['POST', 'board.create', '[]', 401],
    ['POST', 'board.createThread', '', 400],
    ['POST', 'board.createThread', 'null', 400],
    ['POST', 'board.createThread', '[]', 400],
    ['POST', 'board.createThread', '{"json":"x"}', 400],
    ['POST', 'board.createThread', '{"json":{"boardId":{"x":1},"image":{"bytes":[1]}}}', 400],
    ['POST', 'board.createThread', superjson, 400],
    ['POST', 'board.createThread', '{"json":{},"meta":{"values":{"constructor.prototype.x":["undefined"]}}}', 400],
    ['POST', 'board.createThread?batch=1', proto, 400],
    ['POST', 'board.createThread?batch=1', '{"x":1}', 400],
    ['POST', 'auth.login', '{"json":{"email":"a\\u0000@b","password":"x"}}', 400],
    ['POST', 'board.threads', '{}', 405],
    ['GET', 'board.createThread', '', 405],
    ['GET', 'board.threads?input=%7B', '', 400],
    ['GET', 'board.threads?input=%E0%A4%A', '', 400],
    ['GET', 'board.threads?input=%7B%22json%22%3A%7B%22boardId%22%3A%5B%5D%7D%7D', '', 404],
    ['GET', 'board.thread?input=%7B%22json%22%3A%7B%22boardId%22%3A%22tech%22%2C%22threadId%22%3A1e300%7D%7D', '', 404],
    ['GET', 'site.events?input=%7B%22json%22%3A%7B%22topics%22%3A%5B%22x%22%5D%7D%7D', '', 200],
    ['GET', 'board', '', 404],
    ['GET', '__proto__', '', 404],
    ['GET', 'board.constructor', '', 404],
    ['GET', 'toString.call', '', 404],
    ['GET', '%E0%A4%A', '', 400],
    ['GET', `${'board.list,'.repeat(10)}x?batch=1`, '', 207],
    ['GET', `${'board.list,'.repeat(30)}x?batch=1`, '', 400],
  ])('answers %s %s %s with %i', async (method, path, raw, status) => {
    const before = await snapshotStorage(site)
    const answer = await callApi(site, method, `/trpc/${path}`, method === 'POST' ? { raw } : {})
    expect(answer.status).toBe(status)
    expect(JSON.stringify(answer.body)).not.toMatch(/"stack"|node_modules|select |insert /)
    expect(await snapshotStorage(site)).toEqual(before)
    expect(({} as Record<string, unknown>).x).toBeUndefined()
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

describe('the form of a call', () => {
  type Row = [call: string, fields: [name: string, value: string][], expected: object]
  const send = (name: string, fields: [string, string][]) => {
    const [method = '', url = ''] = name.split(' ')
    const raw = formBody(...fields.map(([field, value]) => fieldPart(field, value)))
    return callApi(site, method, url, { raw, type: FORM_TYPE, token: admin })
  }
  const board: Row[1] = [
    ['name', 'Tech'],
    ['description', 'All about Tech'],
    ['rules', ''],
  ]
  const poster = (): Row[1] => [
    ['boardId', 'tech'],
    ['postId', String(postId)],
    ['deletePosts', 'false'],
  ]
  const endsAt = new Date(Date.now() + 3_600_000).toISOString()

  test('contains numbers and flags', async () => {
    const fields: Row[1] = [...board, ['threadLimit', '100'], ['posterLabels', 'true']]
    expect((await send(`PUT ${BOARDS}/tech`, fields)).status).toBe(200)
    const { boards } = (await callApi(site, 'GET', BOARDS)).body
    expect(boards).toMatchObject([{ threadLimit: 100, posterLabels: true }])
  })

  test.each<Row>([
    [
      'POST /api/moderation/filters',
      [...Object.entries(FILTER), ['fields', 'name'], ['fields', 'post'], ['enabled', 'false']],
      { filter: { fields: ['post', 'name'], enabled: false } },
    ],
    ['POST /api/moderation/filters/dry-run', [...Object.entries(FILTER), ['fields', 'post']], { checked: 1 }],
  ])('%s contains lists', async (name, fields, expected) => {
    expect(await send(name, fields)).toMatchObject({ status: 200, body: expected })
  })

  test('contains an object as JSON', async () => {
    const fields: Row[1] = [...poster(), ['reason', 'spam'], ['ban', JSON.stringify({ endsAt })]]
    const { status, body } = await send(`POST ${MODERATION}/poster/delete`, fields)
    expect([status, body]).toEqual([200, { success: true, logId: null, count: 0, banId: expect.any(Number) }])
    await callApi(site, 'POST', `${MODERATION}/bans/${body.banId}/lift`, { token: admin })
  })

  test.each<[string, () => Row[1], string]>([
    [
      `PUT ${BOARDS}/tech`,
      () => [...board, ['threadLimit', '1e2']],
      'The thread limit must be a whole number from 0 to 10000',
    ],
    [
      `PUT ${BOARDS}/tech`,
      () => [...board, ['threadLimit', '']],
      'The thread limit must be a whole number from 0 to 10000',
    ],
    [`PUT ${BOARDS}/tech`, () => [...board, ['threadLimit', '1'], ['threadLimit', '1']], UNREADABLE],
    [`PUT ${BOARDS}/tech`, () => [...board, ['posterLabels', '1']], 'posterLabels must be true or false'],
    [
      `POST ${MODERATION}/poster/delete`,
      () => [...poster(), ['ban', 'x']],
      'The end must be a date in the next 365 days',
    ],
    [
      `POST ${MODERATION}/poster/delete`,
      () => [...poster(), ['ban', `{"__proto__":{},"endsAt":"${endsAt}"}`]],
      'The end must be a date in the next 365 days',
    ],
  ])('%s refuses other text %#', async (name, fields, error) => {
    expect(await send(name, fields())).toMatchObject({ status: 400, body: { error } })
  })
})

describe('JSON of a wrong type is refused:', () => {
  const post = async (more: object) => ({
    title: 'A',
    content: 'B',
    author: 'gl1tch',
    ...(await solveChallenge(site)),
    ...more,
  })
  test.each<[string, () => object | Promise<object>, string]>([
    [
      `PUT ${BOARDS}/tech`,
      () => ({ name: 'A', description: 'B', rules: '', threadLimit: '100' }),
      'The thread limit must be a whole number from 0 to 10000',
    ],
    [`POST ${BOARDS}/tech/threads`, () => post({ proofOfWork: 5 }), 'proofOfWork must be a text'],
    [`POST ${BOARDS}/tech/threads`, () => post({ proofOfWork: null }), 'proofOfWork must be a text'],
    ['POST /api/paste/x/delete', () => ({ token: 1 }), 'This delete link is not valid'],
    ['POST /api/paste/x/delete', () => ({}), 'This delete link is not valid'],
    ['POST /api/image-share/x/delete', () => ({ token: 1 }), 'This delete link is not valid'],
    ['POST /api/paste/x/read', () => ({ proof: 5 }), 'Wrong key or password'],
    [`POST ${MODERATION}/act`, () => ({ postId, action: 'lock' }), 'boardId is required'],
    [`POST ${MODERATION}/poster/delete`, () => ({ postId }), 'boardId is required'],
    [`POST ${MODERATION}/reports/1`, () => ({}), 'Unknown action'],
    ['PUT /api/radio/broadcasts/1', () => ({ isHidden: 1 }), 'isHidden must be true or false'],
    ['PUT /api/radio/broadcasts/1', () => ({ tracks: {} }), 'tracks is required'],
  ])('%s %#', async (name, createInput, error) => {
    const [method = '', url = ''] = name.split(' ')
    const { status, body } = await callApi(site, method, url, { json: await createInput(), token: admin })
    expect([status, body]).toEqual([400, { success: false, error }])
  })
})

describe('a call with a body ignores the query:', () => {
  test.each([
    ['/api/dtpchan/admin/login?email=admin@example.org&password=x', 'Email and password are required'],
    ['/api/paste?content=secret', 'Please enter some content to paste'],
    ['/api/paste/x/delete?token=x', 'This delete link is not valid'],
    [`/api/moderation/appeals?appealToken=x&text=y`, 'This appeal is not valid'],
    [`${BOARDS}?name=A&description=B`, 'Name and description are required'],
  ])('%s', async (url, error) => {
    for (const options of [{}, { json: {} }, { form: toFormData({ x: 'y' }) }]) {
      const { status, body } = await callApi(site, 'POST', url, { ...options, token: admin })
      expect([status, body]).toEqual([400, { success: false, error }])
    }
  })

  test('the options of a paste are read from it', async () => {
    const { body } = await callApi(site, 'POST', '/api/paste?burnAfterReading=true', {
      raw: 'text',
      type: 'text/plain',
    })
    const { paste } = (await callApi(site, 'GET', `/api${new URL(body.trim()).pathname}`)).body
    expect(paste).toMatchObject({ burnAfterReading: true, content: null })
  })
})

describe('a guest gets 401 before anything else:', () => {
  const LOGIN = 'You must be logged in to add programs'
  test.each([
    ['broken JSON', '{', 'application/json'],
    ['an image', 'PNG', 'image/png'],
    ['a broken form', '--x', FORM_TYPE],
    ['a large body', 'x'.repeat(2 * 1024 * 1024), 'application/json'],
    ['__proto__', '{"__proto__":{}}', 'application/json'],
  ])('%s', async (_name, raw, type) => {
    for (const token of [undefined, 'x']) {
      const { status, body } = await callApi(site, 'POST', '/api/programs', { raw, type, token })
      expect([status, body]).toEqual([401, { success: false, error: LOGIN }])
    }
  })
})

test.each(['gzip', 'br', 'GZIP', 'x'])('refuses a body with Content-Encoding %s', async (encoding) => {
  for (const [url, type] of [
    ['/api/paste', 'text/plain'],
    ['/api/paste', 'application/json'],
    ['/api/dtpchan/admin/login', 'application/json'],
  ] as const) {
    const headers = { 'content-type': type, 'content-encoding': encoding }
    const answer = await site.app.inject({ method: 'POST', url, headers, payload: '{}' })
    const error = 'The request must not be compressed'
    expect([answer.statusCode, answer.json()]).toEqual([415, { success: false, error }])
  }
  const headers = { 'content-type': 'text/plain', 'content-encoding': 'identity' }
  expect((await site.app.inject({ method: 'POST', url: '/api/paste', headers, payload: 'x' })).statusCode).toBe(200)
})
