import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { originEpoch, post, posterLabelKey } from '#db/schema/index.ts'
import { endOriginEpochs } from '#server/features/moderation/origins/epochs.ts'
import { BOARDS, callApi, createBoard, readThread } from '#tests/helpers/apiCalls.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'
import { createVisitor } from '#tests/helpers/visitor.ts'

const DAY_MS = 24 * 60 * 60 * 1000

let site: TestSite
let admin: string
let boardId: string
beforeAll(async () => {
  site = await startSite()
  admin = await site.createToken('admin@example.org', 'admin')
  boardId = await createBoard(site, 'Labels', admin)
})
afterEach(() => site.setNow(null))
afterAll(() => site.close())

const one = () => createVisitor(site, '203.0.113.7')
const other = () => createVisitor(site, '203.0.113.8')
const change = (fields: object, token?: string) =>
  callApi(site, 'PUT', `${BOARDS}/${boardId}`, {
    json: { name: 'Labels', description: 'All about Labels', rules: '', ...fields },
    ...(token && { token }),
  })
const labelOf = async (answer: Promise<{ body: Record<string, { posterLabel: string | null }> }>, kind: string) =>
  (await answer).body[kind]?.posterLabel
const startThread = async (visitor = one()) => (await visitor.postThread(boardId)).body.thread

test('only admins switch labels on', async () => {
  expect((await startThread()).posterLabel).toBeNull()
  const member = await site.createToken('member@example.org')
  expect((await change({ posterLabels: true })).status).toBe(401)
  expect((await change({ posterLabels: true }, member)).status).toBe(403)
  for (const posterLabels of ['true', 1, null]) {
    const { status, body } = await change({ posterLabels }, admin)
    expect({ status, ...body }).toEqual({ status: 400, success: false, error: 'posterLabels must be true or false' })
  }
  expect((await change({ posterLabels: true }, admin)).body).toEqual({ success: true })
  // A change without the setting keeps it.
  await change({ description: 'Other' }, admin)
  const { boards } = (await callApi(site, 'GET', BOARDS)).body
  expect(boards).toMatchObject([{ id: boardId, description: 'Other', posterLabels: true }])
  const { body } = await callApi(site, 'GET', '/boards.json')
  expect(body.boards).toMatchObject([{ user_ids: 1 }])
})

test('a poster has one label in a thread, another one in other threads, and nobody else has it', async () => {
  const [first, second] = [await startThread(), await startThread()]
  expect(first.posterLabel).toMatch(/^[A-Za-z0-9+/]{8}$/)
  const { comment } = (await one().postComment(boardId, first.id, { content: `>>${first.id}` })).body
  const reply = labelOf(one().postReply(boardId, first.id, comment.id), 'reply')
  expect([comment.posterLabel, await reply]).toEqual([first.posterLabel, first.posterLabel])
  const others = [
    second.posterLabel,
    await labelOf(other().postComment(boardId, first.id), 'comment'),
    await labelOf(other().postComment(boardId, second.id), 'comment'),
  ]
  expect(new Set([first.posterLabel, ...others]).size).toBe(4)
  const { thread } = (await readThread(site, boardId, first.id)).body
  expect(thread.comments).toMatchObject([
    { posterLabel: first.posterLabel, replies: [{ posterLabel: first.posterLabel }] },
    { posterLabel: others[1] },
  ])
  const { body } = await callApi(site, 'GET', `/${boardId}/thread/${first.id}.json`)
  expect(body.posts.map(({ id }: { id: string }) => id)).toEqual([...Array(3).fill(first.posterLabel), others[1]])
})

test('a held post has the label that it would have had at once', async () => {
  const filter = { kind: 'literal', value: 'doubtful', fields: ['post'], effect: 'hold' }
  await callApi(site, 'POST', '/api/moderation/filters', { token: admin, json: filter })
  const thread = await startThread()
  const held = (await one().postComment(boardId, thread.id, { content: 'doubtful' })).body.comment
  const opening = (await one().postThread(boardId, { content: 'doubtful' })).body.thread
  expect(held.posterLabel).toBe(thread.posterLabel)
  for (const id of [held.id, opening.id]) {
    await callApi(site, 'POST', `/api/moderation/held/${id}/approve`, { token: admin })
  }
  const read = async (id: number) => (await readThread(site, boardId, id)).body.thread
  expect((await read(thread.id)).comments).toMatchObject([{ posterLabel: thread.posterLabel }])
  const answer = await labelOf(one().postComment(boardId, opening.id), 'comment')
  expect([(await read(opening.id)).posterLabel, answer]).toEqual([opening.posterLabel, opening.posterLabel])
})

test('a label outlives its epoch, and the next epoch gives another one', async () => {
  const thread = await startThread()
  const { db } = site.app.services
  // The ban keeps the key of the epoch. Labels have a key of their own.
  const banned = await createVisitor(site, '203.0.113.9').postComment(boardId, thread.id)
  const ban = { endsAt: new Date(Date.now() + 100 * DAY_MS), width: 'host', scope: 'site' }
  const json = { boardId, postId: banned.body.comment.id, reason: 'Spam', deletePosts: false, ban }
  expect((await callApi(site, 'POST', '/api/moderation/poster/delete', { token: admin, json })).status).toBe(200)
  const keys = await db.select().from(posterLabelKey)
  expect(keys).toHaveLength(1)
  site.setNow(new Date(Date.now() + 40 * DAY_MS))
  await endOriginEpochs(site.app.services)
  expect(await db.select().from(originEpoch)).toMatchObject([{ id: keys[0]?.epochId }])
  expect(await db.select().from(posterLabelKey)).toEqual([])
  const [stored] = await db.select().from(post).where(eq(post.id, thread.id))
  expect(stored?.posterLabel).toBe(thread.posterLabel)
  const later = await labelOf(one().postComment(boardId, thread.id), 'comment')
  expect(later).toMatch(/^[A-Za-z0-9+/]{8}$/)
  expect(later).not.toBe(thread.posterLabel)
})

test('a site without origins has no labels', async () => {
  const quiet = await startSite({ ORIGIN_DAYS: '0' })
  const token = await quiet.createToken('admin@example.org', 'admin')
  const id = await createBoard(quiet, 'Private', token)
  const json = { name: 'Private', description: 'text', rules: '', posterLabels: true }
  await callApi(quiet, 'PUT', `${BOARDS}/${id}`, { json, token })
  const { thread } = (await createVisitor(quiet, '203.0.113.7').postThread(id)).body
  await quiet.close()
  expect(thread.posterLabel).toBeNull()
})
