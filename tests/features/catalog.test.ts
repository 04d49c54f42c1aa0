import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CatalogPage, CatalogThread } from '#src/contract/thread.ts'
import { BOARDS, callApi, createBoard, postComment, postThread } from '#tests/helpers/apiCalls.ts'
import { stillImage } from '#tests/helpers/sampleImages.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

let site: TestSite
let admin: string
beforeAll(async () => {
  site = await startSite()
  admin = await site.createToken('admin@example.org', 'admin')
})
afterAll(() => site.close())

const picture = async () => new File([await stillImage(600, 400).png().toBuffer()], 'x.png', { type: 'image/png' })
const catalog = async (boardId: string) =>
  (await callApi(site, 'GET', `${BOARDS}/${boardId}/catalog`)).body as Pick<CatalogPage, 'threads' | 'nextCursor'>
const act = (boardId: string, postId: number, action: string) =>
  callApi(site, 'POST', '/api/moderation/act', { token: admin, json: { boardId, postId, action } })
const imagesOf = async (boardId: string) => (await catalog(boardId)).threads[0]?.imageCount

test('lists pinned threads first, then by activity, with what a card shows', async () => {
  const boardId = await createBoard(site, 'Cards', admin)
  const pinned = (await postThread(site, boardId, { title: 'Pinned' })).body.thread.id
  const threadId = (await postThread(site, boardId, { title: 'Bumped', image: await picture() })).body.thread.id
  const quiet = (await postThread(site, boardId, { content: 'o'.repeat(20_000) })).body.thread.id
  const commentId = (await postComment(site, { boardId, threadId })).body.comment.id
  await postComment(site, { boardId, threadId, commentId })
  await act(boardId, pinned, 'pin')
  const { threads, nextCursor } = await catalog(boardId)
  expect(nextCursor).toBeNull()
  expect(threads).toMatchObject([
    { id: pinned, pinned: true },
    { id: threadId, commentCount: 1, replyCount: 1, imageCount: 1, picture: { width: 600, height: 400 } },
    { id: quiet, imageCount: 0, picture: null, preview: `${'o'.repeat(200)}…` },
  ])
  expect(Object.keys(threads[0] as CatalogThread).toSorted()).toEqual([
    'boardId',
    'bumplocked',
    'commentCount',
    'createdAt',
    'cyclical',
    'id',
    'imageCount',
    'lastActivity',
    'locked',
    'picture',
    'pinned',
    'preview',
    'replyCount',
    'spoiler',
    'title',
  ])
})

test('renders the catalog of open pages in their order and language', async () => {
  const boardId = await createBoard(site, 'Ordered', admin)
  const [older, newer] = [await postThread(site, boardId), await postThread(site, boardId)]
  const [olderId, newerId] = [older.body.thread.id, newer.body.thread.id]
  await postComment(site, { boardId, threadId: olderId })
  const read = async (path: string) => (await callApi(site, 'GET', `/dtpchan/board/${boardId}/catalog.${path}`)).body
  const ids = ({ html }: { html: string }) => [...html.matchAll(/ id=t(\d+)/g)].map(([, id]) => Number(id))
  expect(ids(await read('en.json'))).toEqual([olderId, newerId])
  expect(ids(await read('en.json?sort=created'))).toEqual([newerId, olderId])
  expect(ids(await read('en.json?sort=nothing&sort=created'))).toEqual([olderId, newerId])
  const { html, ...rest } = await read('de.json?sort=replies')
  expect(html).toContain('1<span class=visually-hidden> Antwort</span>')
  expect(rest).toMatchObject({ board: { id: boardId }, count: 2, matching: 2, nextCursor: null })
})

test('counts the images of a thread through posts, deletions and restorations', async () => {
  const boardId = await createBoard(site, 'Counts', admin)
  const threadId = (await postThread(site, boardId, { image: await picture() })).body.thread.id
  const comment = (await postComment(site, { boardId, threadId }, { image: await picture() })).body.comment.id
  const quoting = { content: `>>${threadId}`, image: await picture() }
  const reply = (await postComment(site, { boardId, threadId, commentId: comment }, quoting)).body.reply.id
  await postComment(site, { boardId, threadId })
  expect(await imagesOf(boardId)).toBe(3)
  await Promise.all([act(boardId, reply, 'delete-image'), act(boardId, reply, 'delete-image')])
  expect(await imagesOf(boardId)).toBe(2)
  const { logId } = (await act(boardId, comment, 'delete')).body
  expect(await imagesOf(boardId)).toBe(1)
  await callApi(site, 'POST', '/api/moderation/restore', { token: admin, json: { logId } })
  expect(await imagesOf(boardId)).toBe(2)
  const whole = (await act(boardId, threadId, 'delete')).body
  expect((await catalog(boardId)).threads).toEqual([])
  await callApi(site, 'POST', '/api/moderation/restore', { token: admin, json: { logId: whole.logId } })
  expect(await imagesOf(boardId)).toBe(2)
})

test('answers 404 for an unknown board', async () => {
  for (const path of ['catalog.en.json', 'catalog', 'archive']) {
    expect((await callApi(site, 'GET', `/dtpchan/board/nowhere/${path}`)).status).toBe(404)
  }
  for (const list of ['catalog', 'archive', 'archive?cursor=1-1']) {
    for (const boardId of ['nowhere', '%00', 'x'.repeat(300)]) {
      const { status, body } = await callApi(site, 'GET', `${BOARDS}/${encodeURIComponent(boardId)}/${list}`)
      expect({ status, ...body }).toEqual({ status: 404, success: false, error: 'Board not found' })
    }
  }
})
