import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { outbox, post, watchedPost, watchedThread, watcher } from '#db/schema/index.ts'
import { changeState } from '#server/features/board/states/changeState.ts'
import { deleteOldWatchers } from '#server/features/board/watching/watchers.ts'
import { watchLimits } from '#src/contract/watching.ts'
import { t } from '#src/i18n/t.ts'
import { BOARDS, callApi, createBoard, postComment, postThread } from '#tests/helpers/apiCalls.ts'
import { sendOutbox } from '#tests/helpers/outbox.ts'
import { createPushKeys } from '#tests/helpers/pushKeys.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const received: { path: string; body: Buffer }[] = []
let respond: (path: string) => number = () => 201
let now = Date.now()
let site: TestSite
let admin: string
let boardId: string
let receiver: string
const server = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  received.push({ path: request.url ?? '', body: Buffer.concat(chunks) })
  response.writeHead(respond(request.url ?? '')).end()
})

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  receiver = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  site = await startSite({ ALLOW_PRIVATE_NETWORK: 'on' }, { now: () => new Date(now) })
  admin = await site.createToken('admin@example.org', 'admin')
  boardId = await createBoard(site, 'Watched', admin)
})
afterAll(async () => {
  await site.close()
  server.close()
})
afterEach(async () => {
  received.splice(0)
  respond = () => 201
  const { db } = site.app.services
  for (const table of [watcher, outbox]) await db.delete(table)
})

type Watched = { threads?: { id: number; readId?: number; isWatched?: boolean }[]; posts?: number[] }

/** A browser's side of a push subscription. */
function createBrowser(path = `/${randomBytes(6).toString('hex')}`) {
  const { keys, decrypt } = createPushKeys()
  const endpoint = `${receiver}${path}`
  const messages = () =>
    received.filter((request) => request.path === path).map(({ body }) => JSON.parse(decrypt(body)))
  const watch = ({ threads = [], posts = [] }: Watched) =>
    call('save', {
      ...{ endpoint, keys, posts },
      threads: threads.map((thread) => ({ readId: thread.id, isWatched: true, ...thread })),
    })
  return { endpoint, keys, messages, watch }
}

async function call(procedure: string, input: object, at = site) {
  const url = `/trpc/board.watching.${procedure}`
  const response = await at.app.inject({ method: 'POST', url, payload: { json: input } })
  return { status: response.statusCode, error: response.json().error?.json.message as string | undefined }
}
const open = async (title = 'A title') => (await postThread(site, boardId, { title })).body.thread.id as number
const comment = async (threadId: number, content = 'text') =>
  (await postComment(site, { boardId, threadId }, { content })).body.comment.id as number
const reply = async (threadId: number, commentId: number) =>
  (await postComment(site, { boardId, threadId, commentId }, { content: 'a reply' })).body.reply.id as number
/** Sends alerts, after the time in which authors say that a post is theirs. */
async function send(): Promise<void> {
  now += MINUTE_MS / 2
  await sendOutbox(site.app.services)
}

test('tells about a new post in a watched thread, with its title and an excerpt', async () => {
  const threadId = await open('Soldering')
  const [browser, other] = [createBrowser(), createBrowser()]
  await browser.watch({ threads: [{ id: threadId }] })
  await other.watch({ threads: [{ id: await open() }] })
  const id = await comment(threadId, '>>1\nIt works with [spoiler]lead[/spoiler]')
  await sendOutbox(site.app.services)
  expect(browser.messages()).toEqual([])
  await send()
  expect(browser.messages()).toEqual([
    {
      kind: `thread-${threadId}`,
      title: 'New post: Soldering',
      body: 'It works with [spoiler]',
      path: `/dtpchan/board/${boardId}/thread/${threadId}#p${id}`,
    },
  ])
  expect(other.messages()).toEqual([])
  expect(await site.app.services.db.$count(outbox)).toBe(0)
})

test('tells about replies and quotes of own posts, also from other threads, but not about own posts', async () => {
  const [threadId, far] = [await open('Here'), await open('Far')]
  const own = await comment(threadId)
  const browser = createBrowser()
  await browser.watch({ threads: [{ id: threadId, isWatched: false }], posts: [own] })
  await comment(threadId)
  await send()
  expect(browser.messages()).toEqual([])
  await reply(threadId, own)
  await comment(far, `>>${own} quoted`)
  await send()
  expect(browser.messages().map(({ title, body }) => [title, body])).toEqual([
    ['Reply to you: Here', 'a reply'],
    ['Reply to you: Far', 'quoted'],
  ])

  const mine = await reply(threadId, own)
  await browser.watch({ threads: [{ id: threadId, readId: own }], posts: [own, mine] })
  await send()
  expect(browser.messages()).toHaveLength(2)
})

test('sends one alert per thread until the visitor opens it, or for half an hour', async () => {
  const threadId = await open()
  const browser = createBrowser()
  await browser.watch({ threads: [{ id: threadId }] })
  await comment(threadId)
  const second = await comment(threadId)
  await send()
  await comment(threadId)
  await send()
  expect(browser.messages()).toHaveLength(1)
  await browser.watch({ threads: [{ id: threadId, readId: second + 1 }] })
  await comment(threadId)
  await send()
  expect(browser.messages()).toHaveLength(2)
  await comment(threadId)
  await send()
  expect(browser.messages()).toHaveLength(2)
  now += 30 * MINUTE_MS
  await comment(threadId)
  await send()
  expect(browser.messages()).toHaveLength(3)
})

test('does not tell about posts that the visitor has seen, or that are deleted', async () => {
  const threadId = await open()
  const browser = createBrowser()
  await browser.watch({ threads: [{ id: threadId }] })
  const seen = await comment(threadId)
  await browser.watch({ threads: [{ id: threadId, readId: seen }] })
  const deleted = await comment(threadId)
  await callApi(site, 'DELETE', `${BOARDS}/${boardId}/threads/${threadId}/comments/${deleted}`, { token: admin })
  await send()
  expect(browser.messages()).toEqual([])
})

test('tells about a held post when it is published, and not when a removed post is restored', async () => {
  const { db } = site.app.services
  const threadId = await open()
  const browser = createBrowser()
  await browser.watch({ threads: [{ id: threadId }] })
  const hold = (id: number, heldFor: string | null) =>
    db.insert(post).values({
      ...{ id, threadId, author: 'me', content: 'held text', createdAt: new Date(now) },
      ...{ state: heldFor === null ? 'removed' : 'held', stateAt: new Date(now), heldFor },
    })
  await hold(900_001, null)
  await hold(900_002, 'a filter')
  await send()
  expect(browser.messages()).toEqual([])
  await db.transaction((tx) => changeState(site.app.services, tx, [900_001], 'live'))
  await send()
  expect(browser.messages()).toEqual([])
  await db.transaction((tx) => changeState(site.app.services, tx, [900_002], 'live'))
  await send()
  expect(browser.messages()).toMatchObject([{ body: 'held text' }])
})

test('forgets a browser that is gone, that unsubscribes, or that stays away for ninety days', async () => {
  const { db } = site.app.services
  const threadId = await open()
  const [gone, broken, leaving] = [createBrowser('/gone'), createBrowser('/broken'), createBrowser('/leaving')]
  for (const browser of [gone, broken, leaving]) await browser.watch({ threads: [{ id: threadId }], posts: [threadId] })
  await call('delete', { endpoint: leaving.endpoint })
  respond = (path) => (path === '/gone' ? 410 : 500)
  await comment(threadId)
  await send()
  expect((await db.select().from(watcher)).map(({ endpoint }) => endpoint)).toEqual([broken.endpoint])
  now += 89 * DAY_MS
  await broken.watch({ threads: [{ id: threadId }] })
  now += 89 * DAY_MS
  await deleteOldWatchers(site.app.services)
  expect(await db.$count(watcher)).toBe(1)
  now += 2 * DAY_MS
  await deleteOldWatchers(site.app.services)
  expect([await db.$count(watcher), await db.$count(watchedThread), await db.$count(watchedPost)]).toEqual([0, 0, 0])
})

test('replaces what a browser watches, even twice at once', async () => {
  const { db } = site.app.services
  const browser = createBrowser()
  await browser.watch({ threads: [{ id: 1 }, { id: 2 }, { id: 2 }], posts: [5, 5, 6] })
  await Promise.all([1, 2, 3].map(() => browser.watch({ threads: [{ id: 2, readId: 9 }], posts: [7] })))
  const threads = await db.select().from(watchedThread)
  expect(threads.map(({ threadId, readId }) => [threadId, readId])).toEqual([[2, 9]])
  expect((await db.select().from(watchedPost)).map(({ postId }) => postId)).toEqual([7])
})

test('queues nothing while nobody wants alerts', async () => {
  await comment(await open())
  expect(await site.app.services.db.$count(outbox)).toBe(0)
})

test('refuses subscriptions and lists that it cannot use', async () => {
  const { endpoint, keys } = createBrowser()
  const form = { endpoint, keys, threads: [], posts: [] }
  const many = Array.from({ length: 101 }, (_, id) => id)
  const thread = { id: 1, readId: 1, isWatched: true }
  for (const [wrong, error] of [
    [{ ...form, endpoint: 'javascript:1' }, t('board.alertEndpoint')],
    [{ ...form, keys: { ...keys, p256dh: randomBytes(65).toString('base64url') } }, t('board.alertKeys')],
    [{ ...form, posts: many }, t('board.watchFollowed')],
    [{ ...form, posts: ['1'] }, t('board.watchFollowed')],
    [{ ...form, posts: [2 ** 60] }, t('board.watchFollowed')],
    [
      { ...form, threads: many.slice(0, watchLimits.threads + 1).map((id) => ({ ...thread, id })) },
      t('board.watchFollowed'),
    ],
    [{ ...form, threads: [{ ...thread, readId: -1 }] }, t('board.watchFollowed')],
    [{ ...form, threads: [{ id: 1 }] }, t('board.watchFollowed')],
    [{ ...form, threads: undefined }, t('board.watchFollowed')],
  ] as const) {
    expect(await call('save', wrong)).toEqual({ status: 400, error })
  }
  expect((await call('delete', {})).status).toBe(400)
  expect(await site.app.services.db.$count(watcher, eq(watcher.endpoint, endpoint))).toBe(0)
})

test('refuses endpoints that are no known push service, and limits how often a network saves', async () => {
  const strict = await startSite({ RATE_LIMIT: 'on', RATE_WATCH: '5/10m' })
  const { keys, endpoint } = createBrowser()
  const form = { keys, threads: [], posts: [] }
  const wrong = ['https://example.org/1', 'https://fcm.googleapis.com.example.org/1', 'https://evilpush.apple.com.org/']
  for (const url of [endpoint, ...wrong]) {
    const refusal = { status: 400, error: t('board.alertEndpoint') }
    expect(await call('save', { ...form, endpoint: url }, strict)).toEqual(refusal)
  }
  expect((await call('save', { ...form, endpoint: 'https://fcm.googleapis.com/1' }, strict)).status).toBe(200)
  expect((await call('save', { ...form, endpoint: 'https://web.push.apple.com/2' }, strict)).status).toBe(429)
  await strict.close()
})
