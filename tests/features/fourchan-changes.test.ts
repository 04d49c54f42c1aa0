import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { board } from '#db/schema/index.ts'
import { archiveThreads } from '#server/features/board/write/threadArchive.ts'
import { BOARDS, callApi, createBoard, postComment, postThread } from '#tests/helpers/apiCalls.ts'
import { createFourchanReader, type FourchanReader, picture } from '#tests/helpers/fourchanReader.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

let site: TestSite
let reader: FourchanReader
let admin: string
let boardId: string
let threadId: number
let own: { id: number; deleteToken: string }

beforeAll(async () => {
  site = await startSite()
  reader = createFourchanReader(site)
  admin = await site.createToken('admin@example.org', 'admin')
  // After the start of the server, which counts as the last change of all content.
  site.setNow(new Date(Date.now() + 3_600_000))
})
beforeEach(async () => {
  boardId = await createBoard(site, `Changes ${Math.random()}`, admin)
  const { thread, deleteToken } = (await postThread(site, boardId, { image: await picture(40, 40) })).body
  threadId = thread.id
  own = { id: threadId, deleteToken }
  wait(10)
})
afterAll(() => site.close())

/** Moves the clock on, or back, in seconds. */
const wait = (seconds: number) => site.setNow(new Date(site.app.services.now().getTime() + seconds * 1000))
const now = () => Math.floor(site.app.services.now().getTime() / 1000)
const comment = async (fields = {}): Promise<typeof own> => {
  const { comment, deleteToken } = (await postComment(site, { boardId, threadId }, fields)).body
  return { id: comment.id, deleteToken }
}
const act = async (postId: number, action: string) => {
  const json = { boardId, postId, action }
  return (await callApi(site, 'POST', '/api/moderation/act', { token: admin, json })).body
}

/** Returns when the thread changed, which all JSON of the thread tells alike. */
async function readLastModified(): Promise<number> {
  const { posts } = await reader.read('thread', `/${boardId}/thread/${threadId}.json`)
  const [page] = await reader.read('threads', `/${boardId}/threads.json`)
  const [catalogPage] = await reader.read('catalog', `/${boardId}/catalog.json`)
  const { threads } = await reader.read('page', `/${boardId}/1.json`)
  const times = [posts[0], page.threads[0], catalogPage.threads[0], threads[0].posts[0]].map((one) => one.last_modified)
  expect(new Set(times).size).toBe(1)
  return times[0]
}

const urls = () => [`thread/${threadId}`, 'threads', 'catalog', '1'].map((name) => `/${boardId}/${name}.json`)

type Change = () => Promise<unknown>
test.each<[string, (change: (work: Change) => Promise<void>) => Promise<void>]>([
  [
    'locking and pinning',
    async (change) => {
      for (const action of ['lock', 'unlock', 'pin', 'unpin']) await change(() => act(threadId, action))
    },
  ],
  [
    'covering and deleting an image',
    async (change) => {
      for (const action of ['spoiler', 'unspoiler', 'delete-image']) await change(() => act(threadId, action))
    },
  ],
  [
    'posts, also without a bump',
    async (change) => {
      await change(() => comment())
      await change(() => comment({ sage: 'true' }))
    },
  ],
  [
    'deleting the newest post and restoring it',
    async (change) => {
      await comment()
      const newest = await comment()
      let logId = 0
      await change(async () => {
        logId = (await act(newest.id, 'delete')).logId
      })
      await change(() => callApi(site, 'POST', '/api/moderation/restore', { token: admin, json: { logId } }))
    },
  ],
  [
    'deleting a post in the middle',
    async (change) => {
      const middle = await comment()
      await comment()
      await change(() => act(middle.id, 'delete'))
    },
  ],
  [
    'the deletion of the opening post by its author',
    async (change) => {
      await comment()
      const url = `/api/dtpchan/boards/${boardId}/threads/${threadId}?deleteToken=${own.deleteToken}`
      await change(() => callApi(site, 'DELETE', url))
    },
  ],
])('last_modified tells %s', async (_, run) => {
  await run(async (work) => {
    wait(10)
    const before = await Promise.all(urls().map((url) => reader.get(url)))
    const modified = await readLastModified()
    wait(10)
    await work()
    expect(await readLastModified()).toBe(now())
    expect(now()).toBeGreaterThan(modified)
    for (const [index, url] of urls().entries()) {
      const since = String(before[index]?.headers['last-modified'])
      expect([url, (await reader.get(url, { 'if-modified-since': since })).statusCode]).toEqual([url, 200])
    }
  })
})

test('last_modified never goes back, also if the clock does', async () => {
  const middle = await comment()
  wait(10)
  const newest = await comment()
  const last = await readLastModified()
  wait(-30)
  for (const work of [
    () => act(newest.id, 'delete'),
    () => act(threadId, 'lock'),
    () => act(threadId, 'delete-image'),
    () => act(threadId, 'unlock'),
    () => comment(),
    () => act(middle.id, 'delete'),
  ]) {
    await work()
    expect(await readLastModified()).toBe(last)
  }
})

test('an image that a moderator deleted is filedeleted, and one of several is only gone', async () => {
  const images = [await picture(40, 40), await picture(50, 50)]
  const { id } = await comment({ image: images })
  const url = `/${boardId}/thread/${threadId}.json`
  const shown = async () => (await reader.read('thread', url)).posts[1]
  const [first] = (await callApi(site, 'GET', `/api/dtpchan/boards/${boardId}/threads/${threadId}`)).body.thread
    .comments
  const json = { boardId, postId: id, action: 'delete-image', image: first.image }
  await callApi(site, 'POST', '/api/moderation/act', { token: admin, json })
  expect(await shown()).toMatchObject({ no: id, w: 50 })
  expect(await shown()).not.toHaveProperty('filedeleted')
  await act(id, 'delete-image')
  expect(await shown()).toMatchObject({ no: id, filedeleted: 1 })
  expect(await shown()).not.toHaveProperty('tim')
})

test('archive.json answers 304 while its body is the same', async () => {
  const archived = `/${boardId}/archive.json`
  wait(10)
  const { headers, body } = await reader.get(archived)
  const poll = () => reader.get(archived, { 'if-modified-since': String(headers['last-modified']) })
  expect([body, (await poll()).statusCode]).toEqual(['[]', 304])
  // These change the board, but not the list.
  await comment()
  await act(threadId, 'lock')
  wait(10)
  const newer = (await postThread(site, boardId)).body.thread.id
  expect((await poll()).statusCode).toBe(304)
  wait(10)
  await site.app.services.db.update(board).set({ threadLimit: 1 }).where(eq(board.id, boardId))
  await archiveThreads(site.app.services, new AbortController().signal)
  wait(10)
  const changed = await poll()
  expect([changed.statusCode, changed.json()]).toEqual([200, [threadId]])
  const later = { 'if-modified-since': String(changed.headers['last-modified']) }
  wait(10)
  await postComment(site, { boardId, threadId: newer })
  expect((await reader.get(archived, later)).statusCode).toBe(304)
})

test('keeps Last-Modified if nothing changed, also with a query that is ignored', async () => {
  const url = `/${boardId}/thread/${threadId}.json`
  const { headers } = await reader.get(url)
  wait(10)
  await createBoard(site, `Another ${Math.random()}`, admin)
  expect((await reader.get(`${url}?ignored`)).headers['last-modified']).toBe(headers['last-modified'])
})

test('a thread is modified when a post of another board is deleted that it links to by the name of the board', async () => {
  // Each request reads the thread, as those after a minute do.
  const uncached = await startSite({ PAGE_CACHE: 'off' })
  const start = Math.floor(Date.now() / 1000) * 1000 + 3_600_000
  uncached.setNow(new Date(start))
  const token = await uncached.createToken('admin@example.org', 'admin')
  for (const name of ['Here', 'There']) await createBoard(uncached, name, token)
  const { thread: target, deleteToken } = (await postThread(uncached, 'there')).body
  const { thread } = (await postThread(uncached, 'here', { content: `see >>>/there/${target.id}` })).body
  const url = `/here/thread/${thread.id}.json`
  const { get } = createFourchanReader(uncached)
  await get(url)
  // An event of the same second that changes nothing in the thread.
  uncached.setNow(new Date(start + 1))
  await createBoard(uncached, 'Third', token)
  uncached.setNow(new Date(start + 10_000))
  const { headers, body } = await get(url)
  const poll = () => get(url, { 'if-modified-since': String(headers['last-modified']) })
  expect([body.includes(`#p${target.id}`), (await poll()).statusCode]).toEqual([true, 304])
  await callApi(uncached, 'DELETE', `${BOARDS}/there/threads/${target.id}`, { json: { deleteToken } })
  uncached.setNow(new Date(start + 20_000))
  const changed = await poll()
  expect([changed.statusCode, changed.body.includes(`#p${target.id}`)]).toEqual([200, false])
  await uncached.close()
})
