import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { post } from '#db/schema/index.ts'
import { changeModerator } from '#server/features/board/boards/boardChanges.ts'
import { eraseOldPosts } from '#server/features/board/states/cleanup.ts'
import { callApi, createBoard, postComment, postThread, readThread } from '#tests/helpers/apiCalls.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

const HELD = '/api/moderation/held'

let site: TestSite
let admin: string
let moderator: string
let filters: Record<string, string>
beforeAll(async () => {
  site = await startSite()
  admin = await site.createToken('admin@example.org', 'admin')
  moderator = await site.createToken('moderator@example.org')
  await createBoard(site, 'Mine', admin)
  await createBoard(site, 'Other', admin)
  await changeModerator(site.app.services, 'mine', 'add', 'moderator@example.org')
  for (const value of ['raid', 'doubtful']) {
    const filter = { kind: 'literal', value, fields: ['post'], effect: 'hold' }
    await callApi(site, 'POST', '/api/moderation/filters', { token: admin, json: filter })
  }
})
afterAll(() => site.close())

const list = async (token = admin) => (await callApi(site, 'GET', HELD, { token })).body
const refuseAll = (json: object, token: string | undefined = admin) =>
  callApi(site, 'POST', `${HELD}/refuse`, { token, json })

test('refuses the posts of one reason on the boards of the moderator, and holds them again when they are restored', async () => {
  const threads = new Map<string, number>()
  for (const boardId of ['mine', 'other']) {
    const { id } = (await postThread(site, boardId)).body.thread
    threads.set(boardId, id)
    for (const content of ['raid 1', `>>${id}\nraid 2`, 'doubtful'])
      await postComment(site, { boardId, threadId: id }, { content })
  }
  const { posts } = await list()
  filters = Object.fromEntries(posts.map((post: { content: string; heldFor: string }) => [post.content, post.heldFor]))
  const heldFor = filters['raid 1']
  const refused = await refuseAll({ heldFor, reason: 'A raid' }, moderator)
  expect(refused.body).toEqual({ success: true, count: 2 })
  expect((await list()).posts.map(({ boardId, content }: Record<string, string>) => [boardId, content])).toEqual([
    ['mine', 'doubtful'],
    ['other', 'raid 1'],
    ['other', expect.stringMatching(/raid 2$/)],
    ['other', 'doubtful'],
  ])
  const { entries } = (await callApi(site, 'GET', '/api/moderation/log')).body
  expect(entries[0]).toMatchObject({ action: 'refuse', role: 'moderator', boardId: 'mine', reason: 'A raid', count: 2 })
  const restored = await callApi(site, 'POST', '/api/moderation/restore', {
    token: moderator,
    json: { logId: entries[0].id },
  })
  expect(restored.body).toMatchObject({ restored: 2, held: 2 })
  expect((await readThread(site, 'mine', threads.get('mine') as number)).body.thread.comments).toEqual([])
  const own = (await list(moderator)).posts
  expect(own.map(({ heldFor }: { heldFor: string }) => heldFor)).toEqual([heldFor, heldFor, filters.doubtful])
  for (const { id } of own.slice(0, 2)) await callApi(site, 'POST', `${HELD}/${id}/approve`, { token: moderator })
  const { comments } = (await readThread(site, 'mine', threads.get('mine') as number)).body.thread
  expect(comments).toMatchObject([
    { content: 'raid 1', quotes: [] },
    { content: expect.stringMatching(/raid 2$/), quotes: [{ id: threads.get('mine') }] },
  ])
})

test('refuses each post once if two moderators refuse all at the same time', async () => {
  const answers = await Promise.all([1, 2].map(() => refuseAll({ heldFor: filters['raid 1'] })))
  expect(answers.map(({ body }) => body.count).sort()).toEqual([0, 2])
})

test.each([[{}], [{ heldFor: '' }], [{ heldFor: 7 }], [{ heldFor: ['x'] }]])('answers 400 to %j', async (json) => {
  expect((await refuseAll(json)).status).toBe(400)
})

test('is for moderators', async () => {
  const member = await site.createToken('member@example.org')
  expect((await refuseAll({ heldFor: 'x' }, member)).status).toBe(403)
  expect((await callApi(site, 'POST', `${HELD}/refuse`, { json: { heldFor: 'x' } })).status).toBe(401)
})

test('deletes held posts that nobody reviewed for 30 days', async () => {
  const { total } = await list()
  expect(total).toBe(2)
  const age = (days: number) =>
    site.app.services.db.update(post).set({ stateAt: sql`now() - ${`${days} days`}::interval` })
  await age(29)
  await eraseOldPosts(site.app.services)
  expect((await list()).total).toBe(total)
  await age(31)
  await eraseOldPosts(site.app.services)
  expect((await list()).total).toBe(0)
})
