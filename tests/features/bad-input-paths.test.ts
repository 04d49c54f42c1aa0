import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  BOARDS,
  callApi,
  createBoard,
  postComment,
  postThread,
  solveChallenge,
  toFormData,
} from '#tests/helpers/apiCalls.ts'
import { parseBody, requestRaw } from '#tests/helpers/rawHttp.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'
import { snapshotStorage } from '#tests/helpers/storageSnapshot.ts'

let site: TestSite
let origin: string
let admin: string
let one: { thread: number; comment: number; reply: number }
let other: typeof one

beforeAll(async () => {
  site = await startSite()
  admin = await site.createToken('admin@example.org', 'admin')
  origin = await site.app.listen({ port: 0, host: '127.0.0.1' })
  one = await grow('One')
  other = await grow('Other')
})
afterAll(() => site.close())

async function grow(name: string): Promise<typeof one> {
  const boardId = await createBoard(site, name, admin)
  const thread = (await postThread(site, boardId)).body.thread.id
  const comment = (await postComment(site, { boardId, threadId: thread })).body.comment.id
  const reply = (await postComment(site, { boardId, threadId: thread, commentId: comment })).body.reply.id
  return { thread, comment, reply }
}

/** Sends the path unchanged, without normalisation by the client. */
async function call(method: string, path: string): Promise<{ status: number; body: unknown }> {
  const answer = await requestRaw(origin, method, path, { lines: [`Authorization: Bearer ${admin}`] })
  return { status: answer.status, body: parseBody(answer) }
}

const notFound = (error: string) => ({ status: 404, body: { success: false, error } })

/** ids that no board, thread, comment or reply can have */
const IMPOSSIBLE_IDS = [
  '0',
  '-1',
  '+1',
  '01',
  '1.0',
  '1e3',
  '0x1',
  '1n',
  'NaN',
  'Infinity',
  'null',
  'undefined',
  'true',
  '2147483648',
  '999999999999999',
  '9007199254740993',
  '9223372036854775808',
  '9'.repeat(400),
  'x'.repeat(8000),
  '%00',
  '1%00',
  '%20',
  '1%20',
  '%0a1',
  '%E0%A4%A',
  '%ff',
  '%',
  '%zz',
  '%25',
  '%2e%2e',
  '%2F',
  '..%2f..%2fetc%2fpasswd',
  '..%5c',
  '__proto__',
  'constructor',
  "1'--",
  '1%27%20or%201=1',
  '%D9%A1',
  '%EF%BC%91',
  '%F0%9F%98%80',
  '*',
  ':boardId',
  '[object%20Object]',
  '1,2',
  '1;x=1',
]

describe('impossible ids', () => {
  test.each(IMPOSSIBLE_IDS.map((id) => [id.slice(0, 40), id]))('answers 404 for %s', async (_name, id) => {
    const thread = `${BOARDS}/one/threads/${one.thread}`
    const comment = `${thread}/comments/${one.comment}`
    const before = await snapshotStorage(site)
    for (const [method, path, error] of [
      ['GET', `${BOARDS}/${id}/threads`, 'Board not found'],
      ['GET', `${BOARDS}/${id}/threads/${one.thread}`, 'Board not found'],
      ['DELETE', `${BOARDS}/${id}`, 'Board not found'],
      ['GET', `${BOARDS}/one/threads/${id}`, 'Thread not found'],
      ['DELETE', `${BOARDS}/one/threads/${id}`, 'Thread not found'],
      ['DELETE', `${thread}/comments/${id}`, 'Comment not found'],
      ['DELETE', `${comment}/replies/${id}`, 'Reply not found'],
      ['DELETE', `${BOARDS}/one/threads/${id}/comments/${one.comment}`, 'Thread not found'],
    ] as const) {
      expect([method, path, await call(method, path)]).toEqual([method, path, notFound(error)])
    }
    expect(await snapshotStorage(site)).toEqual(before)
  })

  test.each(['.', '..', '', '/', '../one'])('refuses a path with %j', async (id) => {
    for (const path of [`${BOARDS}/${id}/threads`, `${BOARDS}/one/threads/${id}/comments`]) {
      const { status, body } = await call('GET', path)
      expect([status, (body as { success: boolean }).success]).toEqual([404, false])
    }
  })
})

describe('ids of other parents', () => {
  const post = async (url: string) => {
    const form = toFormData({ content: 'text', author: 'me', ...(await solveChallenge(site)) })
    return callApi(site, 'POST', url, { form })
  }
  const get = (url: string) => callApi(site, 'GET', url)
  const remove = (url: string) => callApi(site, 'DELETE', url, { token: admin })

  test('answers 404 for threads, comments and replies under another board, thread or comment', async () => {
    const before = await snapshotStorage(site)
    const at = (board: string, thread: number) => `${BOARDS}/${board}/threads/${thread}`
    const own = at('one', one.thread)
    const [noThread, noComment, noReply] = ['Thread not found', 'Comment not found', 'Reply not found']
    const tried: [typeof get, string, string][] = [
      ...[other.thread, one.comment, one.reply].flatMap((id): [typeof get, string, string][] => [
        [get, at('one', id), noThread],
        [remove, at('one', id), noThread],
        [post, `${at('one', id)}/comments`, noThread],
        [post, `${at('one', id)}/comments/${one.comment}/replies`, noThread],
        [remove, `${at('one', id)}/comments/${one.comment}`, noThread],
      ]),
      ...[other.comment, one.reply, one.thread, other.reply].flatMap((id): [typeof get, string, string][] => [
        [post, `${own}/comments/${id}/replies`, noComment],
        [remove, `${own}/comments/${id}`, noComment],
        [remove, `${own}/comments/${id}/replies/${one.reply}`, noComment],
      ]),
      ...[other.reply, one.comment, one.thread, other.comment].map((id): [typeof get, string, string] => [
        remove,
        `${own}/comments/${one.comment}/replies/${id}`,
        noReply,
      ]),
      [remove, `${at('other', one.thread)}/comments/${one.comment}/replies/${one.reply}`, noThread],
    ]
    for (const [run, url, error] of tried) {
      const { status, body } = await run(url)
      expect([url, { status, body }]).toEqual([url, notFound(error)])
    }
    expect(await snapshotStorage(site)).toEqual(before)
  })
})

describe('URLs and methods', () => {
  test.each([
    '/api',
    '/api/nothing',
    '/api/dtpchan',
    '/api/dtpchan/board',
    '/api/dtpchan/boards/one',
    '/api/dtpchan/boards/one/thread',
    '/api/DTPCHAN/boards',
    '/api/%E0%A4%A',
    '/api/%00',
    '/api//dtpchan/boards',
    '/api/../healthz',
    '/api/..%2fhealthz',
    `/api/${'x/'.repeat(400)}`,
  ])('answers 404 for %s', async (path) => {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'OPTIONS']) {
      if (method === 'GET' || path !== '/api/dtpchan/boards/one') {
        expect([method, await call(method, path)]).toEqual([method, notFound('Not found')])
      }
    }
  })

  test.each([
    ['PUT', BOARDS],
    ['PATCH', BOARDS],
    ['OPTIONS', BOARDS],
    ['TRACE', BOARDS],
    ['PROPFIND', BOARDS],
    ['GET', '/api/dtpchan/captcha'],
    ['GET', '/api/dtpchan/admin/login'],
    ['POST', '/api/dtpchan/boards/one'],
  ])('refuses %s %s', async (method, path) => {
    const { status, body } = await call(method, path)
    expect([status, body]).toEqual([404, { success: false, error: 'Not found' }])
  })

  test('answers HEAD like GET without a body', async () => {
    for (const [path, status] of [
      [BOARDS, 200],
      [`${BOARDS}/one/threads`, 200],
      [`${BOARDS}/one/threads/${one.thread}`, 200],
      [`${BOARDS}/nowhere/threads`, 404],
      ['/api/nothing', 404],
      ['/api/dtpchan/captcha', 404],
    ] as const) {
      const answer = await callApi(site, 'HEAD', path)
      expect([path, answer.status, answer.body]).toEqual([path, status, ''])
    }
  })

  test('ignores the query string', async () => {
    const path = `${BOARDS}/one/threads`
    const plain = await call('GET', path)
    for (const query of [
      '?',
      '?%',
      '?%E0%A4%A',
      '?__proto__=1&constructor=2',
      '?boardId=other',
      '?a[b]=c',
      `?${'&'.repeat(9000)}`,
    ]) {
      expect([query, await call('GET', path + query)]).toEqual([query, plain])
    }
  })

  test.each([
    '',
    'x',
    '-',
    '1',
    '1-',
    '-1-5',
    '1e9-2',
    '1-2-3',
    '%00',
    '%E0%A4%A',
    '9'.repeat(300),
    '999999999999999-1',
    '١-١',
    "1'-1",
    'x&cursor=y',
  ])('answers the first page for the cursor %s', async (cursor) => {
    const path = `${BOARDS}/one/threads`
    const first = await call('GET', path)
    expect(await call('GET', `${path}?cursor=${encodeURI(cursor).replaceAll('%25', '%')}`)).toEqual(first)
  })

  test('accepts cursors at the limits', async () => {
    for (const cursor of ['0-0', '0-999999999999999', '253402300799999-999999999999999']) {
      expect((await call('GET', `${BOARDS}/one/threads?cursor=${cursor}`)).status).toBe(200)
    }
  })
})
