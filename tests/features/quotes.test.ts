import { afterAll, beforeAll, expect, test } from 'vitest'
import { BOARDS, callApi, createBoard, postComment, postThread, readThread } from '#tests/helpers/apiCalls.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

let site: TestSite
let admin: string
let boardId: string
beforeAll(async () => {
  site = await startSite()
  admin = await site.createToken('admin@example.org', 'admin')
  boardId = await createBoard(site, 'Quotes', admin)
})
afterAll(() => site.close())

const thread = async (content = 'text') => (await postThread(site, boardId, { content })).body.thread.id as number
const comment = async (threadId: number, content: string) =>
  (await postComment(site, { boardId, threadId }, { content })).body.comment
const read = async (threadId: number) => (await readThread(site, boardId, threadId)).body.thread
const at = (id: number, threadId: number) => ({ id, threadId, boardId })

test('links a quote to its post on any page, and the post back to the quote', async () => {
  const far = await thread()
  const here = await thread()
  const quoting = await comment(here, `>>${far} and >>${here}, not >>999999 nor >>>${far}`)
  expect(quoting.quotes).toEqual([at(far, far), at(here, here)])
  expect((await read(far)).quotedBy).toEqual([at(quoting.id, here)])
  expect((await read(here)).quotedBy).toEqual([at(quoting.id, here)])
  expect((await read(here)).comments[0].quotes).toEqual(quoting.quotes)
})

test('lists replies and comments that are quoted, each once', async () => {
  const threadId = await thread()
  const first = await comment(threadId, 'first')
  const reply = (
    await postComment(site, { boardId, threadId, commentId: first.id }, { content: `>>${first.id} >>${first.id}` })
  ).body.reply
  const last = await comment(threadId, `>>${reply.id}`)
  const now = await read(threadId)
  expect(now.comments[0].quotedBy).toEqual([at(reply.id, threadId)])
  expect(now.comments[0].replies[0].quotedBy).toEqual([at(last.id, threadId)])
})

test('counts the first fifty distinct quotes of a post', async () => {
  const threadId = await thread()
  const ids: number[] = []
  for (let number = 0; number < 52; number++) ids.push((await comment(threadId, 'x')).id)
  const quoting = await comment(threadId, ids.map((id) => `>>${id} >>${id}`).join('\n'))
  expect(quoting.quotes.map(({ id }: { id: number }) => id)).toEqual(ids.slice(0, 50))
})

test('removes the quotes of a deleted post from both sides', async () => {
  const far = await thread()
  const here = await thread()
  const quoting = await comment(here, `>>${far}`)
  const answer = await comment(far, `>>${quoting.id}`)
  const remove = (id: number, threadId: number) =>
    callApi(site, 'DELETE', `${BOARDS}/${boardId}/threads/${threadId}/comments/${id}`, { token: admin })
  expect((await remove(quoting.id, here)).status).toBe(200)
  expect((await read(far)).quotedBy).toEqual([])
  expect((await read(far)).comments.find(({ id }: { id: number }) => id === answer.id).quotes).toEqual([])
})

test('links to posts that waited or were removed when they were quoted, once they are published', async () => {
  const filter = { kind: 'literal', value: 'doubtful', fields: ['post'], effect: 'hold' }
  await callApi(site, 'POST', '/api/moderation/filters', { token: admin, json: filter })
  const [far, here] = [await thread(), await thread()]
  const held = await comment(here, 'doubtful')
  const removed = await comment(here, 'text')
  const act = { boardId, postId: removed.id, action: 'delete' }
  const { logId } = (await callApi(site, 'POST', '/api/moderation/act', { token: admin, json: act })).body
  const quoting = await comment(far, `>>${held.id} and >>${removed.id}`)
  expect(quoting.quotes).toEqual([])
  expect((await read(far)).comments[0].quotes).toEqual([])
  await callApi(site, 'POST', `/api/moderation/held/${held.id}/approve`, { token: admin })
  await callApi(site, 'POST', '/api/moderation/restore', { token: admin, json: { logId } })
  expect((await read(far)).comments[0].quotes).toEqual([at(held.id, here), at(removed.id, here)])
  const backlinks = (await read(here)).comments.map(({ quotedBy }: { quotedBy: object[] }) => quotedBy)
  expect(backlinks).toEqual([[at(quoting.id, far)], [at(quoting.id, far)]])
})

test('links to the place of a post that its author deleted, wherever it is quoted', async () => {
  const [far, here] = [await thread(), await thread()]
  const { comment: deleted, deleteToken } = (await postComment(site, { boardId, threadId: here })).body
  const answer = { boardId, threadId: here, commentId: deleted.id }
  const before = (await postComment(site, answer, { content: `>>${deleted.id}` })).body.reply
  await comment(far, `>>${deleted.id} and >>>/${boardId}/${deleted.id}`)
  await callApi(site, 'DELETE', `${BOARDS}/${boardId}/threads/${here}/comments/${deleted.id}`, {
    json: { deleteToken },
  })
  const after = (await postComment(site, answer, { content: `>>${deleted.id}` })).body.reply
  expect(after.quotes).toEqual([at(deleted.id, here)])
  for (const { id } of [before, after]) {
    const { post } = (await callApi(site, 'GET', `/api/dtpchan/posts/${id}`)).body
    expect(post.quotes).toEqual([at(deleted.id, here)])
  }
  const [outside] = (await read(far)).comments
  expect(outside.quotes).toEqual([at(deleted.id, here)])
  expect(outside.boardLinks).toMatchObject([{ threadId: here, id: deleted.id }])
  const catalog = (await callApi(site, 'GET', `/${boardId}/catalog.json`)).body
  const texts = JSON.stringify(catalog[0].threads.find(({ no }: { no: number }) => no === far).last_replies)
  expect(texts).toContain(`thread/${here}#p${deleted.id}`)
  expect(texts).not.toContain('deadlink')
  const shown = encodeURIComponent(JSON.stringify({ json: { postId: String(deleted.id), pageId: far } }))
  const preview = await callApi(site, 'GET', `/trpc/board.shownPost?input=${shown}`)
  expect(preview.body.result.data.json.html).toContain('Deleted by its author')
})

test('gives one post with its thread, and no removed or unknown post', async () => {
  const far = await thread('the far one')
  const here = await thread()
  const quoting = await comment(here, `>>${far}`)
  const readPost = (id: number | string) => callApi(site, 'GET', `/api/dtpchan/posts/${id}`)
  const { body } = await readPost(far)
  expect(body.post).toMatchObject({ id: far, threadId: far, boardId, content: 'the far one' })
  expect(body.post.quotedBy).toEqual([at(quoting.id, here)])
  const found = (await readPost(quoting.id)).body.post
  expect(found.path).toBe(`/dtpchan/board/${boardId}/thread/${here}#p${quoting.id}`)
  expect(found.threadTitle).toBe((await read(here)).title)
  for (const id of [999_999, 0, '-1', 'x', '1e3', '9'.repeat(30)]) expect((await readPost(id)).status).toBe(404)

  await callApi(site, 'DELETE', `${BOARDS}/${boardId}/threads/${here}`, { token: admin })
  expect(await readPost(quoting.id)).toMatchObject({ status: 404, body: { success: false, error: 'Post not found' } })
})
