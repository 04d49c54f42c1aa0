import { createHmac } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { post } from '#db/schema/index.ts'
import {
  BOARDS,
  callApi,
  createBoard,
  postComment,
  postThread,
  readBoard,
  readThread,
} from '#tests/helpers/apiCalls.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

let site: TestSite
let admin: string
let boardId: string
let threadId: number
let threadToken: string

beforeAll(async () => {
  site = await startSite()
  admin = await site.createToken('admin@example.org', 'admin')
  boardId = await createBoard(site, 'Here', admin)
})
beforeEach(async () => {
  const { body } = await postThread(site, boardId)
  threadId = body.thread.id
  threadToken = body.deleteToken
})
afterAll(() => site.close())

async function comment() {
  const { body } = await postComment(site, { boardId, threadId })
  return { url: `${BOARDS}/${boardId}/threads/${threadId}/comments/${body.comment.id}`, token: body.deleteToken }
}
const remove = (url: string, options = {}) => callApi(site, 'DELETE', url, options)
const countComments = async () => (await readThread(site, boardId, threadId)).body.thread.comments.length

test('accepts the token in the query, as JSON, and as a header', async () => {
  const [query, json, header] = [await comment(), await comment(), await comment()]
  expect((await remove(`${query.url}?deleteToken=${query.token}`)).status).toBe(200)
  expect((await remove(json.url, { json: { deleteToken: json.token } })).status).toBe(200)
  const headers = { 'x-delete-token': header.token }
  expect((await site.app.inject({ method: 'DELETE', url: header.url, headers })).statusCode).toBe(200)
  expect(await countComments()).toBe(0)
})

test('accepts the token over tRPC, where the result of posting contains it', async () => {
  const { url, token } = await comment()
  const commentId = url.split('/').at(-1)
  const json = { json: { boardId, threadId: String(threadId), commentId, deleteToken: token } }
  expect((await callApi(site, 'POST', '/trpc/board.deleteComment', { json })).status).toBe(200)
  expect(await countComments()).toBe(0)
})

test('refuses the token of a lost post after another one got its number', async () => {
  const { db } = site.app.services
  const { url, token } = await comment()
  const id = Number(url.split('/').at(-1))
  // After the restore of an older backup, the post is missing and the sequence gives its number again.
  await db.delete(post).where(eq(post.id, id))
  await db.execute(sql`select setval('post_number', ${id}::bigint - 1)`)
  site.setNow(new Date(Date.now() + 1000))
  const other = await comment()
  site.setNow(null)
  expect(other.url).toBe(url)
  expect((await remove(`${url}?deleteToken=${token}`)).status).toBe(403)
  expect((await remove(`${url}?deleteToken=${other.token}`)).status).toBe(200)
})

test('accepts a token from before tokens contained the time of the post', async () => {
  const { url } = await comment()
  const key = site.app.services.secrets.postDeletion
  const token = createHmac('sha256', key)
    .update(`post ${url.split('/').at(-1)}`)
    .digest('base64url')
  expect((await remove(`${url}?deleteToken=${token}`)).status).toBe(200)
})

describe('deleting an own thread', () => {
  const removeThread = () => remove(`${BOARDS}/${boardId}/threads/${threadId}?deleteToken=${threadToken}`)
  const feedStatus = async () =>
    (await site.app.inject(`/dtpchan/board/${boardId}/thread/${threadId}/feed.atom`)).statusCode

  test('leaves a stub if others answered, and their answers stay', async () => {
    await comment()
    expect((await removeThread()).status).toBe(200)
    const { status, body } = await readThread(site, boardId, threadId)
    expect([status, body.thread]).toEqual([200, expect.objectContaining({ deleted: true, content: '' })])
    expect(await countComments()).toBe(1)
    expect(await feedStatus()).toBe(200)
  })

  test('says so in every list and feed', async () => {
    await comment()
    await removeThread()
    const read = async (url: string) => (await callApi(site, 'GET', url)).body
    const page = `/dtpchan/board/${boardId}`
    const { result } = await read(`/trpc/board.latest?input=${encodeURIComponent('{"json":{"count":20}}')}`)
    const lists = [
      await readBoard(site, boardId),
      await read(`${BOARDS}/${boardId}/catalog`),
      await read('/api/dtpchan/threads'),
      { threads: result.data.json },
    ]
    for (const name of ['page', 'catalog'])
      expect((await read(`${page}/${name}.en.json`)).html).toContain('<p class=excerpt>Deleted by its author</p>')
    for (const { threads } of lists) {
      expect(threads.map(({ deleted }: { deleted?: true }) => deleted)).toContain(true)
      expect(threads.find(({ id }: { id: number }) => id === threadId)).toMatchObject({ deleted: true })
    }
    const { items } = await read(`${page}/feed.json`)
    const item = items.find(({ url }: { url: string }) => url.endsWith(`/thread/${threadId}`))
    expect(item.authors).toEqual([{ name: 'Anonymous' }])
    expect(item.content_html).toMatch(/^<p>Deleted by its author<\/p>/)
    expect(await read(`${page}/feed.atom`)).toContain('Deleted by its author')
  })

  test('deletes a thread without answers', async () => {
    expect((await removeThread()).status).toBe(200)
    expect((await readThread(site, boardId, threadId)).status).toBe(404)
    expect(await feedStatus()).toBe(410)
  })
})

test('refuses the token of another post, a changed token, and no token', async () => {
  const [own, other] = [await comment(), await comment()]
  const changed = `${own.token.slice(0, -2)}AA`
  const refused = { success: false, error: 'This delete token is not valid for this post' }
  for (const token of [other.token, changed, threadToken, '', 'x', '%00', 'é'.repeat(40)]) {
    const { status, body } = await remove(`${own.url}?deleteToken=${encodeURIComponent(token)}`)
    expect([token, status, body]).toEqual([token, 403, refused])
  }
  for (const deleteToken of [1, null, {}, [], 'x'.repeat(101)]) {
    expect((await remove(own.url, { json: { deleteToken } })).status).toBe(400)
  }
  expect((await remove(own.url)).status).toBe(401)
  expect(await countComments()).toBe(2)
})

test('logs the deletion by its author, which nobody can undo', async () => {
  const { url, token } = await comment()
  await remove(`${url}?deleteToken=${token}`)
  const { entries } = (await callApi(site, 'GET', '/api/moderation/log')).body
  expect(entries[0]).toMatchObject({ action: 'delete', role: 'author', boardId, count: 1, canRestore: false })
  const json = { logId: entries[0].id }
  expect((await callApi(site, 'POST', '/api/moderation/restore', { token: admin, json })).status).toBe(409)
  expect(await countComments()).toBe(0)
})

test('answers 404 to a second deletion', async () => {
  const { url, token } = await comment()
  const statuses = [1, 2].map(async () => (await remove(`${url}?deleteToken=${token}`)).status)
  expect((await Promise.all(statuses)).every((status) => status === 200 || status === 404)).toBe(true)
  expect((await remove(`${url}?deleteToken=${token}`)).status).toBe(404)
  const { entries } = (await callApi(site, 'GET', '/api/moderation/log')).body
  expect(entries[0].id).toBe(
    (await callApi(site, 'GET', `/api/moderation/log?before=${entries[0].id + 1}`)).body.entries[0].id,
  )
})
