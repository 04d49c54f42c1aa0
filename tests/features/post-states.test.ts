import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type PostState, post, thread } from '#db/schema/index.ts'
import { changeState } from '#server/features/board/states/changeState.ts'
import { eraseOldPosts } from '#server/features/board/states/cleanup.ts'
import { siteActor } from '#server/features/moderation/log/log.ts'
import { t } from '#src/i18n/t.ts'
import { BOARDS, callApi, createBoard, postComment, postThread, readThread } from '#tests/helpers/apiCalls.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'
import { createPng } from '#tests/helpers/visitor.ts'

let site: TestSite
let admin: string
let boardId: string
beforeAll(async () => {
  site = await startSite()
  admin = await site.createToken('admin@example.org', 'admin')
  boardId = await createBoard(site, 'States', admin)
})
afterAll(() => site.close())

async function listFiles(): Promise<string[]> {
  const names: string[] = []
  for await (const { name } of site.app.services.files.list()) names.push(name)
  return names.sort()
}

type Own = { id: number; deleteToken: string }
const open = async (fields = {}): Promise<Own> => {
  const { body } = await postThread(site, boardId, fields)
  return { id: body.thread.id, deleteToken: body.deleteToken }
}
const comment = async (threadId: number, fields = {}): Promise<Own> => {
  const { body } = await postComment(site, { boardId, threadId }, fields)
  return { id: body.comment.id, deleteToken: body.deleteToken }
}
const reply = async (threadId: number, commentId: number, fields = {}): Promise<Own> => {
  const { body } = await postComment(site, { boardId, threadId, commentId }, fields)
  return { id: body.reply.id, deleteToken: body.deleteToken }
}
const withdraw = (path: string, { deleteToken }: Own) =>
  callApi(site, 'DELETE', `${BOARDS}/${boardId}/threads/${path}?deleteToken=${deleteToken}`)
const act = async (postId: number) =>
  (await callApi(site, 'POST', '/api/moderation/act', { token: admin, json: { boardId, postId, action: 'delete' } }))
    .body
const restore = (logId: number) => callApi(site, 'POST', '/api/moderation/restore', { token: admin, json: { logId } })
const read = async (id: number) => (await readThread(site, boardId, id)).body.thread
const newestLog = async () => (await callApi(site, 'GET', '/api/moderation/log')).body.entries[0]
const statesOf = async (threadId: number) => {
  const rows = await site.app.services.db.select().from(post).where(eq(post.threadId, threadId)).orderBy(post.id)
  return rows.map(({ id, state, stub, content }) => ({ id, state, stub, content }))
}

describe('a comment that others answered', () => {
  test('leaves a stub when its author deletes it, until the last answer is gone', async () => {
    const { id: threadId } = await open()
    const alice = await comment(threadId, { content: 'words of alice', links: '["https://a.example/"]' })
    const bob = await reply(threadId, alice.id, { content: 'bob' })
    const carol = await reply(threadId, alice.id, { content: `>>${alice.id} carol` })
    expect((await withdraw(`${threadId}/comments/${alice.id}`, alice)).status).toBe(200)
    const thread = await read(threadId)
    expect(thread).toMatchObject({ commentCount: 0, replyCount: 2 })
    expect(thread.comments).toEqual([
      expect.objectContaining({ id: alice.id, deleted: true, author: '', content: '', links: [], image: null }),
    ])
    expect(thread.comments[0].replies.map(({ content }: { content: string }) => content)).toEqual([
      'bob',
      `>>${alice.id} carol`,
    ])
    const { body } = await site.app.inject(`/${boardId}/thread/${threadId}.json`)
    expect(body).toContain('carol')
    expect(body).not.toContain('words of alice')
    const json = JSON.parse(body)
    expect(json.posts[1]).toMatchObject({ no: alice.id, com: 'Deleted by its author' })

    // The conversation goes on.
    const later = await reply(threadId, alice.id, { content: 'later' })
    for (const one of [bob, carol, later]) await act(one.id)
    expect((await read(threadId)).comments).toEqual([])
    expect(await statesOf(threadId)).toMatchObject([
      { state: 'live' },
      ...Array(4).fill({ state: 'removed', stub: false }),
    ])
  })

  test('goes with its answers when a moderator removes it, and comes back with them', async () => {
    const { id: threadId } = await open()
    const alice = await comment(threadId)
    const bob = await reply(threadId, alice.id)
    const before = await read(threadId)
    const { logId, count } = await act(alice.id)
    expect([count, (await read(threadId)).comments]).toEqual([2, []])
    await restore(logId)
    expect(await read(threadId)).toEqual(before)
    // A stub goes with its answers too.
    await withdraw(`${threadId}/comments/${alice.id}`, alice)
    const branch = await act(alice.id)
    expect([branch.count, (await read(threadId)).comments]).toEqual([1, []])
    await restore(branch.logId)
    expect((await read(threadId)).comments).toMatchObject([{ id: alice.id, deleted: true, replies: [{ id: bob.id }] }])
  })
})

test('a thread that others answered stays, without the words of its author', async () => {
  const own = await open({ title: 'A question', content: 'words of alice' })
  const bob = await comment(own.id, { content: 'an answer' })
  await withdraw(`${own.id}`, own)
  expect(await read(own.id)).toMatchObject({ deleted: true, content: '', comments: [{ id: bob.id }] })
  const { threads } = (await callApi(site, 'GET', `${BOARDS}/${boardId}/threads`)).body
  expect(threads.find(({ id }: Own) => id === own.id)).toMatchObject({ deleted: true, content: '' })
  const { logId } = await act(bob.id)
  expect((await readThread(site, boardId, own.id)).status).toBe(404)
  expect((await site.app.inject(`/dtpchan/board/${boardId}/thread/${own.id}/feed.atom`)).statusCode).toBe(410)
  await restore(logId)
  expect(await read(own.id)).toMatchObject({ deleted: true, comments: [{ id: bob.id }] })
})

test('the title of a thread whose first post is erased goes with the last answer', async () => {
  const { db, now } = site.app.services
  const titleOf = async (id: number) =>
    (await db.select({ title: thread.title }).from(thread).where(eq(thread.id, id))).map(({ title }) => title)
  const [removed, takenDown] = [await open({ title: 'Removed words' }), await open({ title: 'Illegal words' })]
  const answers = [await comment(removed.id), await comment(takenDown.id)]
  for (const own of [removed, takenDown]) await withdraw(`${own.id}`, own)
  const pass = (days: number) => site.setNow(new Date(now().getTime() + days * 24 * 60 * 60 * 1000))
  try {
    pass(8)
    await eraseOldPosts(site.app.services)
    expect(await statesOf(removed.id)).toMatchObject([{ state: 'erased', stub: true }, { state: 'live' }])
    const json = { url: `/dtpchan/board/${boardId}/thread/${takenDown.id}` }
    const token = await site.createToken('later@example.org', 'admin')
    expect((await callApi(site, 'POST', '/api/moderation/takedowns', { token, json })).status).toBe(200)
    expect(await titleOf(takenDown.id)).toEqual([''])
    const acted = { boardId, postId: answers[0]?.id, action: 'delete' }
    await callApi(site, 'POST', '/api/moderation/act', { token, json: acted })
    expect(await titleOf(removed.id)).toEqual(['Removed words'])
    pass(8)
    await eraseOldPosts(site.app.services)
    expect(await titleOf(removed.id)).toEqual([''])
  } finally {
    site.setNow(null)
  }
})

test('what its author deleted stays deleted, and the moderator reads why', async () => {
  const { id: threadId } = await open()
  const alice = await comment(threadId, { content: 'words of alice' })
  await withdraw(`${threadId}/comments/${alice.id}`, alice)
  const entry = await newestLog()
  expect(entry).toMatchObject({ action: 'delete', role: 'author', canRestore: false })
  const { status, body } = await restore(entry.id)
  expect([status, body.error]).toEqual([409, t('moderation.deletedByAuthor')])
  const { logId } = await act(threadId)
  expect((await restore(logId)).body).toMatchObject({ restored: 1 })
  expect((await read(threadId)).comments).toEqual([])
})

test('after a week, only the place of a deleted post is left', async () => {
  const { id: threadId } = await open()
  const alice = await comment(threadId, { content: 'words of alice', image: await createPng() })
  const bob = await reply(threadId, alice.id)
  await withdraw(`${threadId}/comments/${alice.id}`, alice)
  await site.app.services.db.update(post).set({ stateAt: sql`now() - interval '8 days'` }).where(eq(post.id, alice.id))
  await eraseOldPosts(site.app.services)
  expect(await statesOf(threadId)).toMatchObject([{}, { state: 'erased', stub: true, content: '' }, { state: 'live' }])
  expect((await read(threadId)).comments).toMatchObject([{ id: alice.id, deleted: true, replies: [{ id: bob.id }] }])
})

test.each<[PostState, PostState]>([
  ['live', 'held'],
  ['live', 'removed'],
  ['live', 'erased'],
  ['held', 'live'],
  ['removed', 'live'],
  ['held', 'removed'],
  ['removed', 'held'],
])('a change from %s to %s that is interrupted leaves everything as it was', async (from, to) => {
  const { services } = site.app
  const own = await open({ content: 'a picture', image: await createPng() })
  const answer = await comment(own.id, { content: `>>${own.id}` })
  const ids = [own.id, answer.id]
  const record = { action: 'delete', actor: siteActor, boardId } as const
  const change = (state: PostState, end = () => {}) =>
    services.db.transaction(async (tx) => {
      await changeState(services, tx, ids, state, { record, heldFor: 'a test' })
      end()
    })
  if (from !== 'live') await change(from)
  const all = async () => ({
    rows: await statesOf(own.id),
    thread: await services.db.execute(sql`select * from thread where id = ${own.id}`),
    quotes: await services.db.execute(sql`select * from quote where to_id = ${own.id}`),
    words: await services.db.execute(sql`select * from post_search where post_id in (${own.id}, ${answer.id})`),
    log: await services.db.execute(sql`select count(*) from moderation_log`),
    events: await services.db.execute(sql`select count(*) from event`),
    files: await listFiles(),
  })
  const before = await all()
  const interrupt = () => {
    throw new Error('interrupted')
  }
  await expect(change(to, interrupt)).rejects.toThrow('interrupted')
  // The job repeats renamings that the crash left.
  await eraseOldPosts(services)
  expect(await all()).toEqual(before)
  await change(to)
  expect((await statesOf(own.id)).map(({ state }) => state)).toEqual([to, to])
})
