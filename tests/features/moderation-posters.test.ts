import { afterAll, beforeAll, expect, test } from 'vitest'
import { callApi, createBoard, readThread } from '#tests/helpers/apiCalls.ts'
import { isDeep } from '#tests/helpers/depth.ts'
import { repeatSpam } from '#tests/helpers/repeatedSpam.ts'
import { stillImage } from '#tests/helpers/sampleImages.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'
import { createVisitor } from '#tests/helpers/visitor.ts'

const POSTERS = isDeep ? 20 : 4
const POSTS_PER_POSTER = 25

let site: TestSite
let admin: string
let boardId: string
let otherBoardId: string

beforeAll(async () => {
  site = await startSite()
  admin = await site.createToken('admin@example.org', 'admin')
  boardId = await createBoard(site, 'Here', admin)
  otherBoardId = await createBoard(site, 'Elsewhere', admin)
})
afterAll(() => site.close())

const removePoster = (postId: number, fields = {}) =>
  callApi(site, 'POST', '/api/moderation/poster/delete', { token: admin, json: { boardId, postId, ...fields } })
const readPoster = async (postId: number, query = '') =>
  (await callApi(site, 'GET', `/api/moderation/poster?boardId=${boardId}&postId=${postId}${query}`, { token: admin }))
    .body
const listComments = async (threadId: number) => (await readThread(site, boardId, threadId)).body.thread.comments

test('removes the posts of one poster on a board or on the site, and restores them together', async () => {
  const [spammer, honest] = [createVisitor(site, '198.51.100.1'), createVisitor(site, '203.0.113.5')]
  const thread = (await honest.postThread(boardId)).body.thread.id
  const spam = (await spammer.postThread(boardId)).body.thread.id
  const comment = (await spammer.postComment(boardId, thread)).body.comment.id
  const reply = (await honest.postReply(boardId, thread, comment)).body.reply.id
  await honest.postComment(boardId, thread)
  const elsewhere = (await spammer.postThread(otherBoardId)).body.thread.id
  const before = (await readThread(site, boardId, thread)).body.thread

  expect(await readPoster(comment)).toMatchObject({ posts: 2, label: expect.stringMatching(/^[a-z2-9]{6}$/) })
  expect(await readPoster(comment, '&scope=site')).toMatchObject({ posts: 3 })
  const onBoard = (await removePoster(comment, { reason: 'spam' })).body
  // The reply of the other poster goes with its comment.
  expect(onBoard.count).toBe(3)
  const after = (await readThread(site, boardId, thread)).body.thread
  expect([after.commentCount, after.replyCount]).toEqual([1, 0])
  expect((await readThread(site, boardId, spam)).status).toBe(404)
  expect((await readThread(site, otherBoardId, elsewhere)).status).toBe(200)

  const onSite = (await removePoster(comment, { scope: 'site' })).body
  expect(onSite.count).toBe(1)
  expect((await readThread(site, otherBoardId, elsewhere)).status).toBe(404)
  for (const logId of [onSite.logId, onBoard.logId]) {
    const restored = await callApi(site, 'POST', '/api/moderation/restore', { token: admin, json: { logId } })
    expect(restored.body).toMatchObject({ success: true, waiting: 0 })
  }
  expect((await readThread(site, boardId, thread)).body.thread).toEqual(before)
  expect(before.comments[0].replies[0].id).toBe(reply)
})

test('bans the poster and removes all posts in one call', async () => {
  const spammer = createVisitor(site, '192.0.2.77')
  const thread = (await spammer.postThread(boardId)).body.thread.id
  const endsAt = new Date(Date.now() + 60 * 60 * 1000).toISOString()
  const ban = { endsAt, width: 'host', scope: 'board' }
  for (const [fields, error] of [
    [{ ban }, 'reason'],
    [{ ban: { ...ban, endsAt: 'soon' }, reason: 'spam' }, 'end'],
    [{ ban: { ...ban, endsAt: new Date(0).toISOString() }, reason: 'spam' }, 'end'],
    [{ deletePosts: false }, 'ban the poster'],
  ] as const) {
    const refused = await removePoster(thread, fields)
    expect([refused.status, refused.body.error]).toEqual([400, expect.stringContaining(error)])
  }
  const { body } = await removePoster(thread, { ban, reason: 'spam' })
  expect(body).toMatchObject({ success: true, count: 1, banId: expect.any(Number) })
  const refused = await spammer.postThread(boardId)
  expect([refused.status, refused.body.ban.reason]).toEqual([403, 'spam'])
  expect((await spammer.postThread(otherBoardId)).status).toBe(200)
  const { entries } = (await callApi(site, 'GET', '/api/moderation/log')).body
  expect(entries.slice(0, 2).map(({ action }: { action: string }) => action)).toEqual(['delete-by-poster', 'ban'])
})

test('leaves no post of a poster who goes on posting during the ban', async () => {
  const thread = (await createVisitor(site, '203.0.113.5').postThread(boardId)).body.thread.id
  const spammer = createVisitor(site, '192.0.2.78')
  const { comment } = (await spammer.postComment(boardId, thread)).body
  const image = new File([new Uint8Array(await stillImage(1600, 1200).png().toBuffer())], 'p.png', {
    type: 'image/png',
  })
  const spam = async (fields = {}) => {
    let status: number
    do status = (await spammer.postComment(boardId, thread, fields)).status
    while (status === 200)
    expect(status).toBe(403)
  }
  const spamming = [spam(), spam(), spam(), spam({ image })]
  const endsAt = new Date(Date.now() + 60 * 60 * 1000).toISOString()
  await expect.poll(() => listComments(thread)).not.toHaveLength(1)
  await removePoster(comment.id, { ban: { endsAt, width: 'host', scope: 'board' }, reason: 'spam' })
  await Promise.all(spamming)
  expect(await listComments(thread)).toEqual([])
})

test('refuses to remove posts of an unknown poster', async () => {
  expect((await removePoster(999_999)).status).toBe(404)
  const thread = (await createVisitor(site, '198.51.100.1').postThread(boardId)).body.thread.id
  for (const fields of [
    { scope: 'all' },
    { width: 'x' },
    { reason: 'x'.repeat(301) },
    { reason: 'a\nb' },
    { reason: 1 },
  ]) {
    expect((await removePoster(thread, fields)).status).toBe(400)
  }
})

test(`removes ${POSTERS * POSTS_PER_POSTER} posts by ${POSTERS} posters`, async () => {
  const threads: number[] = []
  for (let n = 0; n < 10; n++)
    threads.push((await createVisitor(site, '203.0.113.5').postThread(boardId)).body.thread.id)
  const first: number[] = []
  const content = `spam >>${threads[0]}`
  for (let poster = 0; poster < POSTERS; poster++) {
    const spammer = createVisitor(site, `198.51.100.${10 + poster}`)
    first.push((await spammer.postThread(boardId)).body.thread.id)
    await spammer.postComment(boardId, threads[0] ?? 0, { content })
  }
  await repeatSpam(site.app.services.db, { content, threadIds: threads, rounds: POSTS_PER_POSTER - 1 })
  for (const id of threads) expect((await listComments(id)).length).toBeGreaterThanOrEqual(2 * POSTERS)
  for (const postId of first) expect((await removePoster(postId)).body.count).toBe(POSTS_PER_POSTER)
  for (const id of threads) expect((await readThread(site, boardId, id)).body.thread.comments).toEqual([])
})
