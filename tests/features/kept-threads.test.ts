import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/postgres-js'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { renderThread } from '#server/features/board/html/threadHtml.ts'
import { readThread } from '#server/features/board/read/threads.ts'
import type { PostView } from '#src/contract/post.ts'
import { callApi, createBoard, postComment, postThread } from '#tests/helpers/apiCalls.ts'
import { createDeferred } from '#tests/helpers/deferred.ts'
import { stillImage } from '#tests/helpers/sampleImages.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

let site: TestSite
let admin: string
let boardId: string
let threadId: number
let picture: File
beforeAll(async () => {
  site = await startSite({ SITE_URL: 'https://dtp.example' })
  admin = await site.createToken('admin@example.org', 'admin')
  boardId = await createBoard(site, 'Kept', admin)
  await createBoard(site, 'Other', admin)
  picture = new File([new Uint8Array(await stillImage(300, 200).png().toBuffer())], 'p.png', { type: 'image/png' })
})
afterAll(() => site.close())
beforeEach(async () => {
  threadId = (await postThread(site, boardId, { content: 'first' })).body.thread.id
})

const comment = async (fields = {}) => {
  const { body } = await postComment(site, { boardId, threadId }, fields)
  return { id: body.comment.id as number, deleteToken: body.deleteToken as string }
}
const reply = async (commentId: number, fields = {}) =>
  (await postComment(site, { boardId, threadId, commentId }, fields)).body.reply
const act = (postId: number, action: string, more = {}) =>
  callApi(site, 'POST', '/api/moderation/act', { token: admin, json: { boardId, postId, action, ...more } })
const read = async () => (await readThread(site.app.services, boardId, threadId)).thread

/** Reads and renders the thread again, and as a process that has not read it before. */
async function readTwice(onBoard = boardId) {
  const { services } = site.app
  const fresh = { ...services, db: drizzle(services.db.$client) as unknown as typeof services.db }
  const [kept, whole] = await Promise.all(
    [services, fresh].map(async (ctx) => renderThread(await readThread(ctx, onBoard, threadId))),
  )
  return { kept: { ...kept, source: kept?.source }, whole: { ...whole, source: whole?.source } }
}

test('what a thread shows is the same whether or not it was read before', async () => {
  const outside = (await postThread(site, boardId, { content: `see >>${threadId}` })).body.thread.id as number
  const first = await comment({ image: picture, links: '["https://example.org/"]' })
  const second = await comment({
    content: `>>${first.id}\n\`\`\`js\nlet a = 1\n\`\`\`\n>>>/other/ and >>>/kept/${outside}`,
  })
  const program = {
    name: 'tmux',
    link: 'https://example.org',
    description: 'Splits',
    addedBy: 'moss',
    category: 'Tools',
  }
  const { id } = (await callApi(site, 'POST', '/api/programs', { json: program, token: admin })).body.program
  const third = await comment({ content: `https://dtp.example/programs-we-love#program-${id}` })
  const answer = await reply(first.id, { content: `>>${second.id}` })
  let removed = 0
  const steps: (() => Promise<unknown>)[] = [
    () => comment({ content: `>>${answer.id} and >>${outside}` }),
    () => reply(first.id),
    () => reply(second.id, { content: `>>${first.id}`, author: 'other' }),
    () => postComment(site, { boardId, threadId: outside }, { content: `>>${second.id}` }),
    () => act(first.id, 'spoiler'),
    () => act(first.id, 'delete-image'),
    async () => {
      removed = (await act(second.id, 'delete')).body.logId
    },
    () => callApi(site, 'POST', '/api/moderation/restore', { token: admin, json: { logId: removed } }),
    () => callApi(site, 'DELETE', `/api/programs/${id}`, { token: admin }),
    () =>
      callApi(site, 'DELETE', `/api/dtpchan/boards/${boardId}/threads/${threadId}/comments/${first.id}`, {
        json: { deleteToken: first.deleteToken },
      }),
    () => act(answer.id, 'delete'),
    () => act(outside, 'delete'),
    () => act(threadId, 'lock'),
    () => site.app.services.db.execute(sql`update post set content = 'by hand' where id = ${third.id}`),
  ]
  for (const [index, step] of steps.entries()) {
    const before = await readTwice()
    await step()
    const { kept, whole } = await readTwice()
    expect(kept).toEqual(whole)
    expect(kept, `step ${index}`).not.toEqual(before.kept)
  }
  await act(threadId, 'move', { toBoard: 'other' })
  const { kept, whole } = await readTwice('other')
  expect(kept).toEqual(whole)
})

test('a comment leaves the views of other posts as they are', async () => {
  const first = await comment()
  await comment()
  // Other test files use the same server. While one of them has an open transaction, changed posts are read again.
  const keepsOthers = async () => {
    const before = await read()
    await comment({ content: `>>${first.id}` })
    const now = await read()
    expect(now.comments).toHaveLength(before.comments.length + 1)
    // It is quoted by one more now.
    expect(now.comments[0]).not.toBe(before.comments[0])
    return now.comments[1] === before.comments[1]
  }
  await expect.poll(keepsOthers, { timeout: 20_000 }).toBe(true)
})

test('shows the change of a transaction that began before the thread was read', async () => {
  const { id } = await comment()
  await read()
  const [changed, committed] = [createDeferred<void>(), createDeferred<void>()]
  const transaction = site.app.services.db.transaction(async (tx) => {
    await tx.execute(sql`update post set content = 'changed' where id = ${id}`)
    changed.resolve()
    await committed.promise
  })
  await changed.promise
  await comment()
  const contents = ({ comments }: { comments: PostView[] }) => comments.map(({ content }) => content)
  expect(contents(await read())).toEqual(['A comment', 'A comment'])
  committed.resolve()
  await transaction
  expect(contents(await read())).toEqual(['changed', 'A comment'])
})

test('reads all posts again after the connection to the database was lost', async () => {
  await comment()
  await read()
  const before = await read()
  // The connection that gets notifications does this when it is there again.
  site.app.services.cache.clear()
  const now = await read()
  expect(now).toEqual(before)
  expect(now.comments[0]).not.toBe(before.comments[0])
})

test('does not keep a thread whose texts are too long', async () => {
  const { id } = await comment()
  await site.app.services.db.execute(sql`update post set content = repeat('long text ', 400000) where id = ${id}`)
  await read()
  const before = await read()
  const now = await read()
  expect(now.comments[0]?.content).toHaveLength(4_000_000)
  expect(now.comments[0]).not.toBe(before.comments[0])
})
