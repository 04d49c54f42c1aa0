import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '#db/client.server.ts'
import type { Vike } from '#server/plugins/pages/renderPage.ts'
import { registerPages } from '#server/plugins/pages/ssr.ts'
import { BOARDS, callApi, createBoard, postThread, solveQuestion, toFormData } from '#tests/helpers/apiCalls.ts'
import { type TestDatabase, testDatabase } from '#tests/helpers/databases.ts'
import { stillImage } from '#tests/helpers/sampleImages.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'
import { readJson, type SiteProcess, spawnSite } from '#tests/helpers/siteProcess.ts'

const METRICS_TOKEN = 'token-of-metrics-4711'
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
/** visitor input that the tests send in places that error messages can quote */
const WRITTEN = [
  'private-text',
  'private-title',
  'private@example.org',
  'private password',
  'private-agent',
  'private-query',
]
const ADDRESSES = ['203.0.113.77', '2001:db8:77::1']

let site: TestSite
let lines: string[] = []
beforeAll(async () => {
  const logTo = { write: (line: string) => void lines.push(line) }
  site = await startSite({ LOG_LEVEL: 'trace', TRUST_PROXY: '127.0.0.1', METRICS_TOKEN }, { logTo })
})
afterEach(() => {
  lines = []
})
afterAll(() => site.close())

type Ask = { url: string; method?: string; headers?: Record<string, string>; payload?: string | Buffer }
const visitor = { 'x-forwarded-for': ADDRESSES.join(', '), 'user-agent': 'private-agent', cookie: 'a=private-text' }
const ask = ({ url, method = 'GET', headers = {}, payload }: Ask) =>
  site.app.inject({
    url,
    method: method as 'GET',
    headers: { ...visitor, ...headers },
    payload,
    remoteAddress: '127.0.0.1',
  })
const post = (url: string, body: object, headers = {}) =>
  ask({
    url,
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    payload: JSON.stringify(body),
  })

/** Returns the secrets of a URL: the secret id in its path, and the delete token in its query. */
const secretsOf = (url: string) => {
  const { pathname, searchParams } = new URL(url)
  return [...pathname.split('/').slice(2, 3), ...searchParams.values()]
}

/** Creates and uses a paste and an image; returns their secrets. */
async function shareThings(): Promise<{ paste: string; image: string; secrets: string[] }> {
  const paste = (await post('/api/paste?note=private-query', { content: 'private-text', expiryHours: 1 })).json()
  const picture = new File([new Uint8Array(await stillImage(60, 60).png().toBuffer())], 'p.png', { type: 'image/png' })
  const form = new Response(toFormData({ image: picture, expiryHours: '1' }))
  const headers = { 'content-type': form.headers.get('content-type') ?? '' }
  const payload = Buffer.from(await form.arrayBuffer())
  const image = (await ask({ url: '/api/image-share', method: 'POST', headers, payload })).json()
  const [cap = ''] = secretsOf(paste.url)
  const [share = ''] = secretsOf(image.url)
  const secrets = [paste.url, paste.deleteUrl, image.url, image.deleteUrl].flatMap(secretsOf)
  return { paste: cap, image: share, secrets: [...secrets, image.filename] }
}

/** Sends valid and malformed requests for the created content, including deletions and an incomplete upload. */
async function useThings({ paste, image }: { paste: string; image: string }): Promise<void> {
  const input = encodeURIComponent(JSON.stringify({ 0: { json: { pasteId: paste, title: 'private-title' } } }))
  const urls = [`/api/paste/${paste}`, `/paste/${paste}/raw`, `/api/image-share/${image}`, `/paste/${paste}`]
  urls.push(
    `/trpc/paste.peek,image.share?batch=1&input=${input}`,
    `/trpc/paste.peek?input=${encodeURIComponent(`{${paste}`)}`,
  )
  urls.push(`/paste/${paste}%`, `/paste/${paste}/private-query?private-query=${image}`, `/dtpchan/uploads/${image}.png`)
  for (const url of urls) await ask({ url, headers: { 'x-request-id': 'private-text' } })
  for (const url of urls) await ask({ url, method: 'HEAD' })
  for (const [path, id] of [
    ['paste', paste],
    ['image-share', image],
  ]) {
    await post(`/api/${path}/${id}/delete`, { token: 'private-text' })
    await post(`/trpc/${path === 'paste' ? 'paste' : 'image'}.delete`, {
      json: { pasteId: id, id, token: 'private-text' },
    })
  }
  const type = { 'content-type': 'application/json' }
  await ask({ url: `/api/paste/${paste}/read`, method: 'POST', headers: type, payload: '{"private-text' })
  await ask({
    url: '/api/image-share',
    method: 'POST',
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
    payload: '--x\r\nprivate-text',
  })
}

/** Logs in with a wrong and a correct password, and posts. Returns the tokens and challenges that it used. */
async function takePart(boardId: string): Promise<string[]> {
  const token = await site.createToken('private@example.org', 'admin')
  const authorization = { authorization: `Bearer ${token}` }
  await post('/api/dtpchan/admin/login', { email: 'private@example.org', password: 'private password' })
  const login = await post('/api/dtpchan/admin/login', {
    email: 'private@example.org',
    password: 'correct horse battery',
  })
  await post(BOARDS, { name: 'private-title', description: 'private-text' }, authorization)
  await post('/trpc/auth.me?private-query', {}, authorization)
  const { challengeId, question } = (await post('/api/dtpchan/captcha', {})).json()
  const form = new Response(
    toFormData({
      title: 'private-title',
      content: 'private-text',
      author: 'private-agent',
      challengeId,
      captchaAnswer: String(solveQuestion(question)),
    }),
  )
  const headers = { 'content-type': form.headers.get('content-type') ?? '', ...authorization }
  const payload = Buffer.from(await form.arrayBuffer())
  // The second request fails, because the first one used up the challenge.
  for (let time = 0; time < 2; time++)
    await ask({ url: `${BOARDS}/${boardId}/threads`, method: 'POST', headers, payload })
  await ask({ url: '/metrics', headers: { authorization: `Bearer ${METRICS_TOKEN}` } })
  await ask({ url: '/metrics', headers: { authorization: 'Bearer private-text' } })
  await post('/api/dtpchan/admin/logout', {}, authorization)
  return [token, login.json().token, challengeId, METRICS_TOKEN, 'correct horse battery']
}

function expectNone(log: string, secrets: string[]): void {
  const all = [...secrets, ...WRITTEN, ...ADDRESSES]
  expect(all.filter((secret) => secret.length < 6)).toEqual([])
  // Compares a list of the secrets in the log, because the log is too long for a failure message.
  expect(all.filter((secret) => log.includes(secret) || log.includes(encodeURIComponent(secret)))).toEqual([])
}

test('logs no visitor input, secret or address, even at the debug level', async () => {
  const boardId = await createBoard(site, 'Logged', await site.createToken('maker@example.org'))
  const things = await shareThings()
  await useThings(things)
  const tokens = await takePart(boardId)
  const entries = lines.map((line) => JSON.parse(line))
  expect(entries.filter(({ msg }) => msg === 'answered').length).toBeGreaterThan(30)
  expectNone(lines.join(''), [...things.secrets, ...tokens])
})

test('logs no values of failed queries', async () => {
  const { db } = site.app.services
  const boardId = await createBoard(site, 'Failing', await site.createToken('maker@example.org'))
  const things = await shareThings()
  await db.execute(sql`create function tell() returns trigger language plpgsql as $$
    begin raise exception 'private-text: % %', NEW, 'private-title'; end $$`)
  for (const table of ['paste', 'post', 'image_share', 'session', 'board']) {
    await db.execute(sql`create trigger tell before insert or update or delete on ${sql.identifier(table)}
      for each row execute function tell()`)
  }
  const paste = await post('/api/paste', { content: 'private-text', expiryHours: 1 })
  expect(paste.statusCode).toBe(500)
  await useThings(things)
  const thread = await postThread(site, boardId, { content: 'private-text' })
  expect(thread.status).toBe(500)
  for (const table of ['paste', 'post', 'image_share', 'session', 'board']) {
    await db.execute(sql`drop trigger tell on ${sql.identifier(table)}`)
  }
  // If a table is missing, the error message contains the whole query with its values.
  await db.execute(sql`alter table paste rename to elsewhere`)
  await useThings(things)
  await db.execute(sql`alter table elsewhere rename to paste`)
  const failures = lines.map((line) => JSON.parse(line)).filter(({ level }) => level >= 50)
  expect(failures.length).toBeGreaterThan(4)
  for (const { err } of failures) expect(err.type).toBeTruthy()
  expectNone(lines.join(''), things.secrets)
})

test('sends the id of its log lines with each response', async () => {
  const ids = new Set<unknown>()
  for (const url of ['/healthz', '/api/nothing', '/', '/trpc/board.boards', '/%']) {
    const { headers } = await ask({ url, headers: { 'x-request-id': '11111111-2222-3333-4444-555555555555' } })
    expect(headers['x-request-id']).toMatch(UUID)
    ids.add(headers['x-request-id'])
  }
  expect(ids.size).toBe(5)
  expect(ids).not.toContain('11111111-2222-3333-4444-555555555555')
  const answered = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'answered')
  expect(new Set(answered.map(({ reqId }) => reqId))).toEqual(ids)
})

test('logs method, pattern, status, time and size; successful reads at debug only', async () => {
  const linesOf = async (run: () => Promise<unknown>) => {
    lines = []
    await run()
    return lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'answered')
  }
  const [read] = await linesOf(() => ask({ url: '/api/paste/unknown' }))
  expect(read).toMatchObject({ level: 20, method: 'GET', route: '/api/paste/:pasteId', status: 404 })
  expect([typeof read.ms, typeof read.bytes]).toEqual(['number', 'number'])
  const [wrote] = await linesOf(() => post('/api/paste', { content: '', expiryHours: 1 }))
  expect(wrote).toMatchObject({ level: 30, method: 'POST', route: '/api/paste', status: 400 })
  const [missing] = await linesOf(() => ask({ url: '/who-knows' }))
  expect(missing).toMatchObject({ level: 20, route: 'none', status: 404 })

  const quiet: string[] = []
  const ordinary = await startSite({ LOG_LEVEL: 'info' }, { logTo: { write: (line) => void quiet.push(line) } })
  await callApi(ordinary, 'GET', '/api/paste/unknown')
  await callApi(ordinary, 'POST', '/api/paste', { json: { content: '', expiryHours: 1 } })
  expect(quiet.map((line) => JSON.parse(line).method)).toEqual(['POST'])
  await ordinary.close()
})

let place: TestDatabase
let built: SiteProcess | undefined
afterAll(async () => {
  await built?.stop()
  await place?.cleanup()
})

test('logs no visitor input for pages of a built site, even when they fail', async () => {
  place = await testDatabase()
  let log = ''
  const env = { LOG_LEVEL: 'trace', TRUST_PROXY: '127.0.0.1', ADMIN_EMAIL: '', ADMIN_PASSWORD: '' }
  built = await spawnSite(place, env, ({ stdout }) => {
    stdout?.on('data', (chunk) => {
      log += chunk
    })
  })
  const { origin } = built
  const paste = await readJson(
    await fetch(`${origin}/api/paste`, {
      method: 'POST',
      body: 'private-text',
      headers: { 'content-type': 'application/octet-stream', accept: 'application/json' },
    }).then(async (answer) => new Response(JSON.stringify({ url: (await answer.text()).trim() }))),
  )
  const [cap = ''] = secretsOf(paste.url)
  const visit = async () => {
    const urls = [
      `/paste/${cap}`,
      `/paste/${cap}/index.pageContext.json`,
      `/image-share/${cap}`,
      `/${cap}/private-query`,
      `/paste/${cap}?private-query`,
    ]
    const answers = []
    for (const url of urls) answers.push((await fetch(`${origin}${url}`, { headers: visitor })).status)
    return answers
  }
  expect(await visit()).toContain(200)
  const { db, close } = await openDatabase({ ...place, mode: 'command' })
  await db.execute(sql`alter table paste rename to elsewhere`)
  expect(await visit()).toContain(503)
  await db.execute(sql`alter table elsewhere rename to paste`)
  await close()
  expect(await built.stop()).toBe(0)
  expect(log).toContain('"msg":"answered"')
  // Programs that read the log expect JSON, also while the site creates its first admin.
  expect(built.output()).toContain('password')
  expect(log.split('\n').filter((line) => !line.startsWith('{'))).toEqual([''])
  expectNone(built.output(), [cap])
})

test('names the page whose part could not be rendered, not its URL', async () => {
  const written: string[] = []
  const rendered = {
    errorWhileRendering: null,
    httpResponse: { statusCode: 200, headers: [], body: 'a page' },
    pageId: '/pages/paste/@pasteId',
    boundaryErrors: [new Error('No such field')],
  }
  const vike = { renderPage: async () => rendered, getGlobalContext: async () => ({ pages: {} }) } as unknown as Vike
  const broken = await startSite(
    { LOG_LEVEL: 'error' },
    {
      logTo: { write: (line: string) => void written.push(line) },
      pages: (app, services, facts) =>
        registerPages(app, services, facts, { earlyScriptUrl: '', loadVike: async () => vike }),
    },
  )
  const { statusCode } = await broken.app.inject('/paste/private-text')
  await broken.close()
  expect(statusCode).toBe(200)
  expect(written).toHaveLength(1)
  expect(JSON.parse(written[0] ?? '')).toMatchObject({
    page: '/pages/paste/@pasteId',
    err: { message: 'No such field' },
    msg: 'part of a page failed',
  })
  expect(written[0]).not.toContain('private-text')
})
