import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { board } from '#db/schema/index.ts'
import { PAGES } from '#server/features/board/fourchan/documents.ts'
import { archiveThreads } from '#server/features/board/write/threadArchive.ts'
import { BOARDS, callApi, createBoard, postComment, postThread } from '#tests/helpers/apiCalls.ts'
import { createFourchanReader, type FourchanReader, picture } from '#tests/helpers/fourchanReader.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

let site: TestSite
let get: FourchanReader['get']
let read: FourchanReader['read']
let admin: string
let boardId: string
const threads: number[] = []
/** Moves the clock on, in seconds. */
const wait = (seconds: number) => site.setNow(new Date(site.app.services.now().getTime() + seconds * 1000))

beforeAll(async () => {
  site = await startSite()
  ;({ get, read } = createFourchanReader(site))
  admin = await site.createToken('admin@example.org', 'admin')
  boardId = await createBoard(site, 'Lists', admin)
  for (let number = 1; number <= 17; number++) {
    wait(10)
    threads.unshift((await postThread(site, boardId, { title: `Thread ${number}` })).body.thread.id)
  }
  const oldest = threads.at(-1) as number
  for (let number = 1; number <= 6; number++) {
    const image = number < 3 ? await picture(30, 30) : undefined
    wait(1)
    await postComment(site, { boardId, threadId: oldest }, { content: `comment ${number}`, image })
  }
  threads.unshift(threads.pop() as number)
  wait(10)
})
afterAll(() => site.close())

test('lists have the same order and pages', async () => {
  const list = await read('threads', `/${boardId}/threads.json`)
  const catalog = await read('catalog', `/${boardId}/catalog.json`)
  const numbers = (pages: { page: number; threads: { no: number }[] }[]) =>
    pages.map(({ page, threads }) => [page, threads.map(({ no }) => no)])
  expect(numbers(list)).toEqual([
    [1, threads.slice(0, 15)],
    [2, threads.slice(15)],
  ])
  expect(numbers(catalog)).toEqual(numbers(list))
  for (const [page, expected] of numbers(list)) {
    const { threads: shown } = await read('page', `/${boardId}/${page}.json`)
    expect(shown.map(({ posts }: { posts: { no: number }[] }) => posts[0]?.no)).toEqual(expected)
  }
  expect((await get(`/${boardId}/0.json`)).body).toBe((await get(`/${boardId}/1.json`)).body)
  expect(await read('page', `/${boardId}/${PAGES}.json`)).toEqual({ threads: [] })
  expect((await get(`/${boardId}/${PAGES + 1}.json`)).statusCode).toBe(404)
  expect(await read('archive', `/${boardId}/archive.json`)).toEqual([])
})

test('lists count answers and images, and show the newest ones', async () => {
  const [[first]] = [(await read('catalog', `/${boardId}/catalog.json`))[0].threads]
  expect(first).toMatchObject({ replies: 6, images: 2, omitted_posts: 4, omitted_images: 2, sub: 'Thread 1' })
  expect(first.last_replies.map(({ com }: { com: string }) => com)).toEqual(['comment 5', 'comment 6'])
  const [{ posts }] = (await read('page', `/${boardId}/1.json`)).threads
  expect(posts[0]).toMatchObject({ omitted_posts: 1, omitted_images: 1 })
  expect(posts.slice(1).map(({ com }: { com: string }) => com)).toEqual(
    [2, 3, 4, 5, 6].map((number) => `comment ${number}`),
  )
  const [page] = await read('threads', `/${boardId}/threads.json`)
  const time = Math.floor(site.app.services.now().getTime() / 1000) - 10
  expect(page.threads[0]).toEqual({ no: threads[0], last_modified: time, replies: 6 })
})

test('lists and threads do not count posts that only keep their place', async () => {
  const own = await createBoard(site, 'Places', admin)
  const threadId = (await postThread(site, own)).body.thread.id
  const { comment, deleteToken } = (await postComment(site, { boardId: own, threadId })).body
  await postComment(site, { boardId: own, threadId, commentId: comment.id })
  await callApi(site, 'DELETE', `${BOARDS}/${own}/threads/${threadId}/comments/${comment.id}`, {
    json: { deleteToken },
  })
  const [opening, ...others] = (await read('thread', `/${own}/thread/${threadId}.json`)).posts
  expect(others[0]).toMatchObject({ com: 'Deleted by its author', dtp_text: 'Deleted by its author' })
  const [{ threads: listed }] = await read('threads', `/${own}/threads.json`)
  const [{ threads: shown }] = await read('catalog', `/${own}/catalog.json`)
  expect([opening.replies, listed[0].replies, shown[0].replies, others.length]).toEqual([1, 1, 1, 2])
  for (let number = 0; number < 2; number++) await postComment(site, { boardId: own, threadId })
  const [{ threads: later }] = await read('catalog', `/${own}/catalog.json`)
  expect(later[0]).toMatchObject({ replies: 3, omitted_posts: 1 })
})

test('lists begin with pinned threads', async () => {
  const last = threads.at(-1) as number
  const pin = { boardId, postId: last, action: 'pin', reason: '' }
  await callApi(site, 'POST', '/api/moderation/act', { token: admin, json: pin })
  expect((await read('threads', `/${boardId}/threads.json`))[0].threads[0].no).toBe(last)
  expect((await read('page', `/${boardId}/1.json`)).threads[0].posts[0]).toMatchObject({ no: last, sticky: 1 })
})

test('lists name archived threads in the archive only', async () => {
  const small = await createBoard(site, 'Small', admin)
  const old = (await postThread(site, small)).body.thread.id
  wait(10)
  const fresh = (await postThread(site, small)).body.thread.id
  await site.app.services.db.update(board).set({ threadLimit: 1 }).where(eq(board.id, small))
  await archiveThreads(site.app.services, new AbortController().signal)
  expect(await read('archive', `/${small}/archive.json`)).toEqual([old])
  const [page] = await read('threads', `/${small}/threads.json`)
  expect(page.threads.map(({ no }: { no: number }) => no)).toEqual([fresh])
  const [opening] = (await read('thread', `/${small}/thread/${old}.json`)).posts
  const archivedOn = Math.floor(site.app.services.now().getTime() / 1000)
  expect(opening).toMatchObject({ closed: 1, archived: 1, archived_on: archivedOn })
})

test('lists have no held, removed or withheld posts', async () => {
  const quiet = await createBoard(site, 'Quiet', admin)
  const held = { kind: 'literal', value: 'doubtful', fields: ['post'], effect: 'hold' }
  await callApi(site, 'POST', '/api/moderation/filters', { token: admin, json: held })
  const shown = (await postThread(site, quiet)).body.thread.id
  await postThread(site, quiet, { content: 'doubtful' })
  await postComment(site, { boardId: quiet, threadId: shown }, { content: 'doubtful' })
  const removed = (await postComment(site, { boardId: quiet, threadId: shown })).body.comment.id
  await callApi(site, 'DELETE', `${BOARDS}/${quiet}/threads/${shown}/comments/${removed}`, { token: admin })
  const [[thread, ...others]] = [(await read('catalog', `/${quiet}/catalog.json`))[0].threads]
  expect([thread.no, thread.replies, thread.last_replies, others]).toEqual([shown, 0, undefined, []])
  expect((await read('thread', `/${quiet}/thread/${shown}.json`)).posts).toHaveLength(1)
  expect((await read('threads', `/${quiet}/threads.json`))[0].threads).toHaveLength(1)
})

test('lists are empty on an empty board, and missing on an unknown one', async () => {
  const empty = await createBoard(site, 'Empty', admin)
  expect(await read('threads', `/${empty}/threads.json`)).toEqual([{ page: 1, threads: [] }])
  expect(await read('catalog', `/${empty}/catalog.json`)).toEqual([{ page: 1, threads: [] }])
  for (const name of ['threads', 'catalog', 'archive', '1']) {
    const response = await get(`/nowhere/${name}.json`)
    expect([response.statusCode, response.json()]).toEqual([404, { success: false, error: 'Board not found' }])
  }
})

test('lists mark a link to a deleted post as dead, as the thread does', async () => {
  const boardId = await createBoard(site, 'Dead', admin)
  const threadId = (await postThread(site, boardId)).body.thread.id
  const quoted = (await postComment(site, { boardId, threadId })).body
  await postComment(site, { boardId, threadId }, { content: `see >>${quoted.comment.id}` })
  const url = `${BOARDS}/${boardId}/threads/${threadId}/comments/${quoted.comment.id}`
  await callApi(site, 'DELETE', url, { json: { deleteToken: quoted.deleteToken } })
  wait(10)
  const dead = `see <span class="deadlink">&gt;&gt;${quoted.comment.id}</span>`
  expect((await get(`/${boardId}/thread/${threadId}.json`)).json().posts.at(-1).com).toBe(dead)
  expect((await read('page', `/${boardId}/1.json`)).threads[0].posts.at(-1).com).toBe(dead)
  expect((await read('catalog', `/${boardId}/catalog.json`))[0].threads[0].last_replies.at(-1).com).toBe(dead)
})
