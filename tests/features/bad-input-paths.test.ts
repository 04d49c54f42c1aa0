import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { restRoutes } from '#server/plugins/api/rest.ts'
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
  site = await startSite({ SONG_REQUESTS: 'on' })
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
async function call(method: string, path: string, json?: object): Promise<{ status: number; body: unknown }> {
  const lines = [`Authorization: Bearer ${admin}`, ...(json ? ['Content-Type: application/json'] : [])]
  const body = json && Buffer.from(JSON.stringify(json))
  const answer = await requestRaw(origin, method, path, { lines, ...(body && { body }) })
  return { status: answer.status, body: parseBody(answer) }
}

const notFound = (error: string) => ({ status: 404, body: { success: false, error } })
const badRequest = (error: string) => ({ status: 400, body: { success: false, error } })

test.each([
  ['application/x-www-form-urlencoded', 'content=x'],
  ['application/json', '{'],
  ['text/xml', '<a/>'],
])('answers that a call does not exist before it reads a body of the type %s', async (type, body) => {
  const answer = await fetch(`${origin}/api/pastes`, { method: 'POST', headers: { 'content-type': type }, body })
  expect({ status: answer.status, body: await answer.json() }).toEqual(notFound('Not found'))
})

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

const MODERATION = '/api/moderation'
const POST = { title: 'A title', content: 'Some text', author: 'gl1tch' }
const PROGRAM = { name: 'A', link: 'https://example.org/', description: 'B', addedBy: 'C', category: 'D' }
const FILTER = { kind: 'literal', value: 'spam', fields: ['post'], effect: 'refuse' }
const SHOW = { title: 'A', zone: 'Europe/Berlin', firstDay: '2030-01-31', startTime: '20:00', minutes: 60 }
const NO_PASTE = 'Paste not found or expired'
const NO_IMAGE = 'Image not found or expired'
const WRONG_TOKEN = 'This delete token is not valid for this post'
const NOT_HELD = 'This post does not wait for a review any more'

/** Calls with an id in their path, with an otherwise valid input, and the text for an id that nothing has. */
const ITEM_CALLS: [call: string, error: string, json?: object, status?: number][] = [
  [`PUT ${BOARDS}/:boardId`, 'Board not found', { name: 'A', description: 'B', rules: '' }],
  [`DELETE ${BOARDS}/:boardId`, 'Board not found'],
  [`GET ${BOARDS}/:boardId/catalog`, 'Board not found'],
  [`GET ${BOARDS}/:boardId/archive`, 'Board not found'],
  [`GET ${BOARDS}/:boardId/threads`, 'Board not found'],
  [`POST ${BOARDS}/:boardId/threads`, 'Board not found', POST],
  [`GET ${BOARDS}/one/threads/:threadId`, 'Thread not found'],
  [`DELETE ${BOARDS}/one/threads/:threadId`, 'Thread not found'],
  [`POST ${BOARDS}/one/threads/:threadId/comments`, 'Thread not found', POST],
  [`DELETE ${BOARDS}/one/threads/THREAD/comments/:commentId`, 'Comment not found'],
  [`POST ${BOARDS}/one/threads/THREAD/comments/:commentId/replies`, 'Comment not found', POST],
  [`DELETE ${BOARDS}/one/threads/THREAD/comments/COMMENT/replies/:replyId`, 'Reply not found'],
  ['GET /api/dtpchan/posts/:postId', 'Post not found'],
  ['GET /api/dtpchan/posts/:postId/status?deleteToken=x', WRONG_TOKEN, undefined, 403],
  ['GET /api/image-share/:id', NO_IMAGE],
  ['POST /api/image-share/:id/delete', NO_IMAGE, { token: 'x' }],
  ['GET /api/paste/:pasteId', NO_PASTE],
  ['POST /api/paste/:pasteId/read', NO_PASTE, {}],
  ['POST /api/paste/:pasteId/delete', NO_PASTE, { token: 'x' }],
  ['GET /paste/:pasteId/raw', NO_PASTE],
  ['PUT /api/programs/:id', 'Program not found', PROGRAM],
  ['DELETE /api/programs/:id', 'Program not found'],
  ['GET /api/radio/nowplaying/:stationId', 'Station not found'],
  ['GET /api/radio/live/:stationId', 'Station not found'],
  ['GET /api/radio/station/:stationId/streamers', 'Station not found'],
  ['GET /api/radio/station/1/streamer/:streamerId/broadcasts', 'Broadcast not found'],
  ['GET /api/radio/broadcasts/:id', 'Broadcast not found'],
  ['PUT /api/radio/broadcasts/:id', 'Broadcast not found', {}],
  ['DELETE /api/radio/broadcasts/:id', 'Broadcast not found'],
  ['DELETE /api/radio/requests/:id', 'This request is not waiting'],
  ['PUT /api/radio/shows/:id', 'Show not found', SHOW],
  ['DELETE /api/radio/shows/:id', 'Show not found'],
  ['POST /api/radio/sources/:id/takeover', 'This source is not connected', {}],
  ['DELETE /api/radio/sources/:id', 'This source is not connected'],
  ['PUT /api/streamers/:email', 'This user may not stream', { isDisabled: true }],
  ['POST /api/streamers/:email/password', 'This user may not stream', {}],
  ['DELETE /api/streamers/:email', 'This user may not stream'],
  [`POST ${MODERATION}/bans/:banId/lift`, 'Ban not found', {}],
  [`POST ${MODERATION}/bans/:banId/answer`, 'Ban not found', { outcome: 'lift' }],
  [`DELETE ${MODERATION}/blocked-images/:id`, 'This image is not blocked'],
  [`PUT ${MODERATION}/filters/:id`, 'Filter not found', FILTER],
  [`DELETE ${MODERATION}/filters/:id`, 'Filter not found'],
  [`GET ${MODERATION}/held/:postId/image`, NOT_HELD],
  [`POST ${MODERATION}/held/:postId/approve`, NOT_HELD, {}],
  [`POST ${MODERATION}/held/:postId/refuse`, NOT_HELD, {}],
  [
    `POST ${MODERATION}/reports/:reportId`,
    'There is nothing at this URL. It may have been deleted.',
    { action: 'dismiss' },
  ],
  [`PUT ${MODERATION}/switches/:name`, 'There is no such switch', { on: true }],
]

describe('calls with an impossible id', () => {
  test('are all listed', () => {
    const withLastId = (name: string) => name.replaceAll(/:\w+(?=.*\/:)/g, '*').replace(/:\w+/, ':')
    const listed = ITEM_CALLS.map(([name]) =>
      withLastId(name.replace(/\?.*/, '').replaceAll(/\/(?:one|THREAD|COMMENT|1)(?=\/)/g, '/*')),
    )
    const rows = restRoutes.filter(
      ({ method, path }) => path.includes(':') && `${method} ${path}` !== 'PUT /api/paste/:pasteId',
    )
    expect(listed.sort()).toEqual(rows.map(({ method, path }) => withLastId(`${method} ${path}`)).sort())
  })

  test.each(ITEM_CALLS)('%s are answered like those with an unknown id', async (name, error, json, status = 404) => {
    const [method = '', path = ''] = name.split(' ')
    const place = path.replace('THREAD', String(one.thread)).replace('COMMENT', String(one.comment))
    for (const id of ['999999', ...IMPOSSIBLE_IDS]) {
      const input = json === POST ? { ...json, ...(await solveChallenge(site)) } : json
      const answer = await call(
        method,
        place.replace(/:\w+/, () => id),
        input,
      )
      expect([id, answer]).toEqual([id, { status, body: { success: false, error } }])
    }
  })
})

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

  test('ignores unknown fields in the query', async () => {
    const path = `${BOARDS}/one/threads`
    const plain = await call('GET', path)
    for (const query of ['?', '?%', '?%E0%A4%A', '?boardId=other', '?a[b]=c', `?${'&'.repeat(9000)}`]) {
      expect([query, await call('GET', path + query)]).toEqual([query, plain])
    }
  })

  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('refuses %s in the query', async (name) => {
    const unreadable = badRequest('The request could not be read')
    expect(await call('GET', `${BOARDS}/one/threads?${name}=1`)).toEqual(unreadable)
    expect(await call('POST', `/api/paste?${name}=1`, { content: 'A paste' })).toEqual(unreadable)
    expect(await call('POST', `/api/programs?x=1&${name}=1`, PROGRAM)).toEqual(unreadable)
  })

  test.each([
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
  ])('refuses the cursor %s', async (cursor) => {
    for (const path of [`${BOARDS}/one/threads`, `${BOARDS}/one/archive`, '/api/dtpchan/threads']) {
      const answer = await call('GET', `${path}?cursor=${encodeURI(cursor).replaceAll('%25', '%')}`)
      expect([path, answer]).toEqual([path, badRequest('The cursor is not valid')])
    }
  })

  test.each([
    ['log?before=x', 'A number of a log entry is required'],
    ['log?before=0', 'A number of a log entry is required'],
    ['log?before=1e3', 'A number of a log entry is required'],
    ['log?before=1&before=2', 'A number of a log entry is required'],
    ['bans?before=x', 'A number of a ban is required'],
    ['bans?appeals=x', 'appeals must be true or false'],
    ['bans?appeals=', 'appeals must be true or false'],
    ['blocked-images?before=x', 'A number of a blocked image is required'],
    ['queue?after=x', 'The cursor is not valid'],
  ])('refuses %s', async (query, error) => {
    expect(await call('GET', `${MODERATION}/${query}`)).toEqual(badRequest(error))
  })

  test.each(['9', '0', '-1', 'x', '1e99'])('knows no station %s to count listeners', async (station) => {
    expect(await call('GET', `/api/radio/listeners?station=${station}`)).toEqual(notFound('Station not found'))
  })

  test('accepts cursors at the limits', async () => {
    for (const cursor of ['0-0', '0-999999999999999', '253402300799999-999999999999999']) {
      expect((await call('GET', `${BOARDS}/one/threads?cursor=${cursor}`)).status).toBe(200)
    }
  })
})
