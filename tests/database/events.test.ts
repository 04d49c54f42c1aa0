import { inArray } from 'drizzle-orm'
import superjson from 'superjson'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { event } from '#db/schema/index.ts'
import type { TopicChange } from '#server/core/events/event.ts'
import { deleteOldEvents, publish, writeAndPublish } from '#server/core/events/writeAndPublish.ts'
import type { ShownPost, Topic } from '#src/contract/events.ts'
import { UNKNOWN_NOW_PLAYING } from '#src/contract/radio.ts'
import { BOARDS, callApi, createBoard, postComment, postThread } from '#tests/helpers/apiCalls.ts'
import { type EventConnection, openEventConnection } from '#tests/helpers/eventConnection.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

let site: TestSite
let origin: string
let admin: string
let boardId: string
const open: EventConnection[] = []
beforeAll(async () => {
  site = await startSite({ EVENT_BYTES_PER_CONNECTION: '2MB' })
  origin = await site.app.listen({ port: 0, host: '127.0.0.1' })
  admin = await site.createToken('admin@example.org', 'admin')
  boardId = await createBoard(site, 'Live', admin)
})
afterEach(() => {
  for (const connection of open.splice(0)) connection.close()
})
afterAll(() => site.close())

const connect = async (topics: Topic[], lastEventId?: string) => {
  const connection = await openEventConnection(origin, topics, lastEventId)
  open.push(connection)
  return connection
}
const thread = async () => (await postThread(site, boardId)).body.thread.id as number
const comment = async (threadId: number, content = 'hello') =>
  (await postComment(site, { boardId, threadId }, { content })).body.comment
const calledWith = (call: string, input: object) =>
  `/trpc/${call}?input=${encodeURIComponent(JSON.stringify({ json: input }))}`
/** Returns the last event id that a page rendered now would contain. */
const seen = async (threadId: number) =>
  (await callApi(site, 'GET', calledWith('board.thread', { boardId, threadId }))).body.result.data.json
    .lastEventId as string

test('sends a comment and a reply to all pages of the thread, completely', async () => {
  const threadId = await thread()
  const pages = await Promise.all([1, 2, 3].map(async () => connect([`thread:${threadId}`], await seen(threadId))))
  const made = await comment(threadId)
  for (const page of pages) {
    const { event } = await page.next()
    expect(event.topic).toBe(`thread:${threadId}`)
    expect(event.change).toEqual({ kind: 'post', postId: made.id })
    expect(event.post?.view).toMatchObject({ id: made.id, author: 'ferrite', content: 'hello' })
    expect(event.post?.view.createdAt.toISOString()).toBe(made.createdAt)
    expect(event.post).toMatchObject({ parentId: null, commentCount: 1, replyCount: 0 })
  }
  const reply = (await postComment(site, { boardId, threadId, commentId: made.id })).body.reply
  expect((await pages[0]?.next())?.event.post).toMatchObject({
    parentId: made.id,
    view: { id: reply.id },
    replyCount: 1,
  })
})

test('sends posts to pages as HTML in their language, and to programs as fields', async () => {
  const threadId = await thread()
  const at = await seen(threadId)
  const page = await openEventConnection(origin, [`thread:${threadId}`], at, undefined, 'de')
  open.push(page)
  const program = await connect([`thread:${threadId}`], at)
  const { id } = await comment(threadId, 'a <b>')
  const shown = (await page.next()).event.post as unknown as ShownPost
  expect(shown).toMatchObject({ threadId, parentId: null, commentCount: 1 })
  expect(shown.view).toEqual({ id, author: 'ferrite', quotes: [] })
  expect(shown.html).toMatch(/^<article class="post comment" .*>Antworten<.*<p>a &lt;b&gt;<\/p>/)
  expect((await program.next()).event.post).not.toHaveProperty('html')
  const answered = await callApi(site, 'GET', calledWith('board.shownPost', { postId: String(id), pageId: 1 }))
  expect(answered.body.result.data.json.html).toContain(`href=/dtpchan/board/${boardId}/thread/${threadId}#p${id}`)
})

test('sends deletions, also to pages with a quote by the deleted post', async () => {
  const far = await thread()
  const here = await thread()
  const page = await connect([`thread:${far}`], await seen(far))
  const quoting = await comment(here, `>>${far}`)
  expect((await page.next()).event.post?.view.quotedBy).toEqual([{ id: quoting.id, threadId: here, boardId }])
  const own = await connect([`thread:${here}`], await seen(here))
  await callApi(site, 'DELETE', `${BOARDS}/${boardId}/threads/${here}/comments/${quoting.id}`, { token: admin })
  const { change, post } = (await own.next()).event
  expect([change, post]).toEqual([{ kind: 'post', postId: quoting.id }, undefined])
  expect((await page.next()).event.post?.view.quotedBy).toEqual([])
  await callApi(site, 'DELETE', `${BOARDS}/${boardId}/threads/${here}`, { token: admin })
  expect((await own.next()).event.change).toEqual({ kind: 'thread-gone', threadId: here })
})

test('sends new threads to boards, and boards to the list of boards', async () => {
  const page = await connect(['boards', `board:${boardId}`], await seen(await thread()))
  const threadId = await thread()
  expect((await page.next()).event).toEqual({ topic: `board:${boardId}`, change: { kind: 'thread', threadId } })
  const doomed = await createBoard(site, 'Doomed', admin)
  expect((await page.next()).event.change).toEqual({ kind: 'boards' })
  await callApi(site, 'DELETE', `${BOARDS}/${doomed}`, { token: admin })
  expect((await page.next()).event.change).toEqual({ kind: 'board-gone', boardId: doomed })
})

test('replays changes between the page and its connection, including deletions', async () => {
  const threadId = await thread()
  const before = await seen(threadId)
  const first = await comment(threadId)
  const second = await comment(threadId)
  await callApi(site, 'DELETE', `${BOARDS}/${boardId}/threads/${threadId}/comments/${first.id}`, { token: admin })
  const page = await connect([`thread:${threadId}`], before)
  const kinds = []
  for (let number = 0; number < 3; number++) kinds.push((await page.next()).event)
  expect(kinds.map(({ change }) => change)).toEqual([
    { kind: 'post', postId: first.id },
    { kind: 'post', postId: second.id },
    { kind: 'post', postId: first.id },
  ])
  expect([kinds[0]?.post, kinds[2]?.post]).toEqual([undefined, undefined])
  expect(kinds[1]?.post?.view.id).toBe(second.id)
  const third = await comment(threadId)
  expect((await page.next()).event.post?.view.id).toBe(third.id)
})

test('sends many changes of one transaction in order, in notifications that PostgreSQL accepts', async () => {
  const page = await connect(['thread:1'], await seen(await thread()))
  // About 19,000 bytes; a notification has at most 8,000.
  const changes = Array.from(
    { length: 200 },
    (_, at): TopicChange => ({ topic: 'thread:1', change: { kind: 'thread-gone', threadId: 10 ** 14 + at } }),
  )
  await writeAndPublish(site.app.services, (tx) => publish(tx, new Date(), changes))
  for (const { change } of changes) expect((await page.next()).event.change).toEqual(change)
})

test('continues after the last received event when a connection is reopened', async () => {
  const threadId = await thread()
  const page = await connect([`thread:${threadId}`], await seen(threadId))
  await comment(threadId)
  const { id } = await page.next()
  page.close()
  site.setNow(new Date(Date.now() + 60_000))
  const missed = await comment(threadId)
  site.setNow(null)
  const again = await connect([`thread:${threadId}`], id)
  expect((await again.next()).event.post?.view.id).toBe(missed.id)
})

test('prefers the Last-Event-ID header of an automatic reconnect', async () => {
  const threadId = await thread()
  const before = await seen(threadId)
  const made = await comment(threadId)
  const page = await openEventConnection(origin, [`thread:${threadId}`], '999999999', before)
  open.push(page)
  expect((await page.next()).event.post?.view.id).toBe(made.id)
})

test('serialises an event once for all connections and sends all events in order', async () => {
  const pages = await Promise.all(Array.from({ length: 10 }, () => connect(['radio:9'])))
  await expect.poll(() => site.app.services.eventHub.connectionCount()).toBe(pages.length)
  const serialize = vi.spyOn(superjson, 'serialize')
  // more data than a socket's buffers hold
  const titles = Array.from({ length: 100 }, (_, number) => `${number} ${'sound '.repeat(1000)}`)
  for (const title of titles) {
    const nowPlaying = { ...UNKNOWN_NOW_PLAYING, song: { ...UNKNOWN_NOW_PLAYING.song, title } }
    site.app.services.eventHub.broadcast({ topic: 'radio:9', change: { kind: 'now-playing', nowPlaying } })
  }
  for (const page of pages) {
    for (const title of titles) {
      const { change } = (await page.next()).event
      expect(change.kind === 'now-playing' && change.nowPlaying.song.title).toBe(title)
    }
  }
  const serialized = serialize.mock.calls.filter(([value]) => (value as { topic?: string }).topic === 'radio:9')
  serialize.mockRestore()
  expect(serialized).toHaveLength(titles.length)
})

test('asks a page that missed too many events to reload', async () => {
  const threadId = await thread()
  const before = await seen(threadId)
  await comment(threadId)
  await comment(threadId)
  site.setNow(new Date(Date.now() + 25 * 3_600_000))
  await deleteOldEvents(site.app.services.db, site.app.services.now())
  await comment(threadId)
  site.setNow(null)
  const page = await connect([`thread:${threadId}`], before)
  expect((await page.next()).event.change).toEqual({ kind: 'stale' })
})

test('asks a page that was away for days to reload, even without changes', async () => {
  const threadId = await thread()
  const before = await seen(threadId)
  await comment(threadId)
  await comment(threadId)
  site.setNow(new Date(Date.now() + 50 * 3_600_000))
  await deleteOldEvents(site.app.services.db, site.app.services.now())
  site.setNow(null)
  const page = await connect([`thread:${threadId}`], before)
  expect((await page.next()).event.change).toEqual({ kind: 'stale' })
})

test.each([
  ['no topics', []],
  ['a foreign topic', ['users']],
  ['too many', Array.from({ length: 17 }, (_, id) => `thread:${id}`)],
])('refuses %s', async (_name, topics) => {
  const connection = await connect(topics as Topic[])
  await expect.poll(connection.errorCode).toBe('BAD_REQUEST')
})

test.each([
  '',
  '?input=',
  '?input=%7B',
  '?input=null',
  '?input=%7B%22json%22%3A1%2C%22meta%22%3A%7B%22values%22%3A7%7D%7D',
])('refuses unreadable input with an error that the client can parse: %s', async (query) => {
  const { statusCode, headers, body } = await site.app.inject({ url: `/trpc/site.events${query}` })
  expect([statusCode, headers['content-type']]).toEqual([200, 'text/event-stream'])
  const [, data = ''] = /^event: serialized-error\ndata: (.*)$/m.exec(body) ?? []
  expect(superjson.deserialize(JSON.parse(data))).toMatchObject({
    message: 'The request could not be read',
    data: { code: 'BAD_REQUEST', httpStatus: 400, path: 'site.events' },
  })
})

test('limits connections per address and releases them when they end', async () => {
  const all = await Promise.all(Array.from({ length: 30 }, () => connect(['boards'])))
  const refused = () => all.filter(({ errorCode }) => errorCode() === 'TOO_MANY_REQUESTS').length
  await expect.poll(refused).toBe(6)
  for (const connection of all) connection.close()
  const tryAgain = async () => {
    const connection = await connect(['boards'])
    await createBoard(site, 'Room', admin)
    return Promise.race([connection.next().then(() => 'told'), connection.ended])
  }
  await expect.poll(tryAgain).toBe('told')
})

test('sends now-playing events to subscribers over the same connection, without event rows', async () => {
  const { eventHub } = site.app.services
  const tell = (title: string) => {
    const nowPlaying = { ...UNKNOWN_NOW_PLAYING, song: { ...UNKNOWN_NOW_PLAYING.song, title } }
    eventHub.broadcast({ topic: 'radio:7', change: { kind: 'now-playing', nowPlaying } })
  }
  const threadId = await thread()
  const other = await connect([`thread:${threadId}`], await seen(threadId))
  expect(eventHub.hasSubscribers('radio:7')).toBe(false)
  const page = await connect([`thread:${threadId}`, 'radio:7'], await seen(threadId))
  await expect.poll(() => eventHub.hasSubscribers('radio:7')).toBe(true)
  tell('First song')
  const first = await page.next()
  expect(first.event).toMatchObject({ topic: 'radio:7', change: { nowPlaying: { song: { title: 'First song' } } } })
  const made = await comment(threadId)
  const posted = await page.next()
  expect(posted.event.change).toEqual({ kind: 'post', postId: made.id })
  tell('Second song')
  // The song event has the id of the last comment. A client that reconnects with it gets exactly the later comments.
  expect((await page.next()).id).toBe(posted.id)
  expect((await other.next()).event.change).toEqual({ kind: 'post', postId: made.id })
  page.close()
  await expect.poll(() => eventHub.hasSubscribers('radio:7')).toBe(false)
})

test('makes no query for a connection that subscribes to now-playing only', async () => {
  const page = await connect(['radio:8'])
  await expect.poll(() => site.app.services.eventHub.hasSubscribers('radio:8')).toBe(true)
  const change = { kind: 'now-playing' as const, nowPlaying: UNKNOWN_NOW_PLAYING }
  site.app.services.eventHub.broadcast({ topic: 'radio:8', change })
  expect((await page.next()).event.change).toEqual(change)
})

test('sends the state of a locked or pinned thread, so that pages need not reload', async () => {
  const threadId = await thread()
  const page = await connect([`thread:${threadId}`], await seen(threadId))
  for (const [action, state] of [
    ['lock', { locked: true, pinned: false }],
    ['pin', { locked: true, pinned: true }],
    ['unlock', { locked: false, pinned: true }],
  ] as const) {
    const json = { boardId, postId: threadId, action }
    await callApi(site, 'POST', '/api/moderation/act', { token: admin, json })
    const { event } = await page.next()
    expect(event.change).toEqual({ kind: 'post', postId: threadId })
    expect(event.post).toMatchObject({ view: { id: threadId }, ...state })
  }
})

test('repeats events from the time of the last one, and the last one only after earlier ones', async () => {
  const { db } = site.app.services
  const tomorrow = Date.now() + 24 * 3_600_000
  const times = [Date.now(), tomorrow - 20_000, tomorrow - 5_000, tomorrow + 5_000, tomorrow].map((ms) => new Date(ms))
  const rows = times.map((createdAt) => ({ topic: 'programs', change: { kind: 'programs' as const }, createdAt }))
  const ids = (await db.insert(event).values(rows).returning()).map(({ id }) => id)
  const abort = new AbortController()
  const topics: Topic[] = ['programs', 'boards']
  const stream = site.app.services.eventHub.subscribe(topics, ids.at(-1) ?? 0, '127.0.0.1', abort.signal)
  const next = async () => (await stream.next()).value
  expect([await next(), await next(), await next()].map((one) => one?.id)).toEqual(ids.slice(2))
  await createBoard(site, 'After', admin)
  expect((await next())?.event.topic).toBe('boards')
  abort.abort()
  await db.delete(event).where(inArray(event.id, ids))
})
