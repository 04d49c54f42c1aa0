import { eq, inArray, ne } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { post } from '#db/schema/index.ts'
import { changeModerator } from '#server/features/board/boards/boardChanges.ts'
import { BOARDS, callApi, createBoard, readThread } from '#tests/helpers/apiCalls.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'
import { createPng, createVisitor, type Visitor } from '#tests/helpers/visitor.ts'

let site: TestSite
let admin: string
let moderator: string
let boardId: string
let otherBoardId: string
let threadId: number
beforeAll(async () => {
  site = await startSite()
  admin = await site.createToken('admin@example.org', 'admin')
  moderator = await site.createToken('moderator@example.org')
  boardId = await createBoard(site, 'Held', admin)
  otherBoardId = await createBoard(site, 'Other', admin)
  await changeModerator(site.app.services, boardId, 'add', 'moderator@example.org')
  visitor = createVisitor(site, '203.0.113.9')
  threadId = await openThread({ title: 'Lasting' })
  const held = { kind: 'literal', value: 'doubtful', fields: ['post'], effect: 'hold' }
  await callApi(site, 'POST', '/api/moderation/filters', { token: admin, json: held })
})
afterEach(async () => {
  await site.app.services.db.delete(post).where(ne(post.state, 'live'))
})
afterAll(() => site.close())

type Held = { id: number; deleteToken: string; url: string }

let visitor: Visitor
const openThread = async (fields = {}) => (await visitor.postThread(boardId, fields)).body.thread.id as number
const comment = async (by = visitor) => (await by.postComment(boardId, threadId)).body.comment.id as number

const threads = `${BOARDS}/held/threads`
const content = 'doubtful'
async function holdThread(board = boardId, by = visitor): Promise<Held> {
  const { thread, deleteToken } = (await by.postThread(board, { content })).body
  return { id: thread.id, deleteToken, url: `${BOARDS}/${board}/threads/${thread.id}` }
}
async function holdComment(at = threadId, by = visitor, fields = {}): Promise<Held> {
  const { body } = await by.postComment(boardId, at, { content, ...fields })
  return { id: body.comment.id, deleteToken: body.deleteToken, url: `${threads}/${at}/comments/${body.comment.id}` }
}
async function holdReply(commentId: number): Promise<Held> {
  const { body } = await visitor.postReply(boardId, threadId, commentId, { content })
  const url = `${threads}/${threadId}/comments/${commentId}/replies/${body.reply.id}`
  return { id: body.reply.id, deleteToken: body.deleteToken, url }
}

const remove = ({ url }: Held, deleteToken?: string, token?: string) =>
  callApi(site, 'DELETE', deleteToken === undefined ? url : `${url}?deleteToken=${deleteToken}`, { token })
const readStatus = async ({ id, deleteToken }: Held) => {
  const { status, body } = await callApi(site, 'GET', `/api/dtpchan/posts/${id}/status?deleteToken=${deleteToken}`)
  expect(status).toBe(200)
  return body
}
const listHeldIds = async () =>
  (await site.app.services.db.select({ id: post.id }).from(post).where(eq(post.state, 'held')).orderBy(post.id)).map(
    ({ id }) => id,
  )
const act = (postId: number, action: string) =>
  callApi(site, 'POST', '/api/moderation/act', { token: admin, json: { boardId, postId, action } })
const restore = async (logId: number) =>
  (await callApi(site, 'POST', '/api/moderation/restore', { token: admin, json: { logId } })).body
const readLog = async () => (await callApi(site, 'GET', '/api/moderation/log')).body.entries
const published = async (at = threadId) => JSON.stringify((await readThread(site, boardId, at)).body)

describe('the author of a held post', () => {
  test.each([
    ['thread', () => holdThread()],
    ['comment', () => holdComment()],
    ['reply', async () => holdReply(await comment())],
  ])('deletes the %s with the delete token', async (_kind, hold) => {
    const held = await hold()
    const other = await holdComment()
    expect(await readStatus(held)).toMatchObject({ status: 'held', heldUntil: null })
    expect((await remove(held, held.deleteToken)).status).toBe(200)
    expect(await readStatus(held)).toMatchObject({ status: 'removed' })
    expect(await listHeldIds()).toEqual([other.id])
    expect((await readLog())[0]).toMatchObject({ action: 'delete', role: 'author', count: 1, canRestore: false })
    expect((await remove(held, held.deleteToken)).status).toBe(404)
    expect(await published()).not.toContain('doubtful')
  })

  test('needs the token of this post, and its place', async () => {
    const held = await holdComment()
    const other = await holdComment()
    const elsewhere = [
      { ...held, url: held.url.replace(`/threads/${threadId}/`, '/threads/999999/') },
      { ...held, url: held.url.replace('/held/', '/other/') },
      { ...held, url: held.url.replace('/held/', '/%00/') },
      { ...held, url: `${threads}/${held.id}` },
      { ...held, url: `${threads}/${threadId}/comments/${other.id}/replies/${held.id}` },
    ]
    for (const wrong of elsewhere) expect((await remove(wrong, held.deleteToken)).status).toBe(404)
    expect((await remove(held, other.deleteToken)).status).toBe(403)
    expect((await remove(held)).status).toBe(401)
    expect(await listHeldIds()).toEqual([held.id, other.id])
  })

  test('is the only one for whom the post exists', async () => {
    const held = await holdComment()
    const member = await site.createToken('member@example.org')
    // As for a post that never existed.
    for (const token of [member, moderator, admin]) {
      expect((await remove(held, undefined, token)).status).toBe(404)
    }
    expect(await listHeldIds()).toEqual([held.id])
  })

  test('learns what became of it, and nobody else does', async () => {
    const [approved, refused, waiting] = [await holdComment(), await holdComment(), await holdComment()]
    const decide = (id: number, verb: string, json = {}) =>
      callApi(site, 'POST', `/api/moderation/held/${id}/${verb}`, { token: moderator, json })
    await decide(approved.id, 'approve')
    await decide(refused.id, 'refuse', { reason: 'Spam' })
    const until = new Date(Date.now() + 60_000)
    await site.app.services.db.update(post).set({ releaseAt: until }).where(eq(post.id, waiting.id))
    expect(await readStatus(approved)).toEqual({ success: true, status: 'published', heldUntil: null, reason: '' })
    expect(await readStatus(refused)).toEqual({ success: true, status: 'removed', heldUntil: null, reason: 'Spam' })
    expect(await readStatus(waiting)).toMatchObject({ status: 'held', heldUntil: until.toISOString() })
    await site.app.services.db.delete(post).where(ne(post.state, 'live'))
    expect(await readStatus(refused)).toMatchObject({ status: 'removed', reason: '' })
    for (const [id, token, status] of [
      [waiting.id, refused.deleteToken, 403],
      [waiting.id, 'x', 403],
      [waiting.id, '', 403],
      ['x', waiting.deleteToken, 403],
      ['%00', waiting.deleteToken, 403],
      ['99999999999999999999', waiting.deleteToken, 403],
      [waiting.id, 'x'.repeat(101), 400],
    ] as const) {
      const url = `/api/dtpchan/posts/${id}/status?deleteToken=${token}`
      expect([id, (await callApi(site, 'GET', url)).status]).toEqual([id, status])
    }
    expect((await callApi(site, 'GET', `/api/dtpchan/posts/${waiting.id}/status`)).status).toBe(400)
  })

  test('deletes it once, while a moderator publishes it', async () => {
    for (let round = 0; round < 5; round++) {
      const held = await holdComment()
      const [removal] = await Promise.all([
        remove(held, held.deleteToken),
        callApi(site, 'POST', `/api/moderation/held/${held.id}/approve`, { token: moderator, json: {} }),
      ])
      expect(removal.status).toBe(200)
      expect(await readStatus(held)).toMatchObject({ status: 'removed' })
      expect(await published()).not.toContain(`"id":${held.id},`)
    }
  })
})

describe('everything by a poster', () => {
  const removePoster = async (postId: number, json = {}, token = moderator) =>
    (await callApi(site, 'POST', '/api/moderation/poster/delete', { token, json: { boardId, postId, ...json } })).body
  const ban = (scope: string) => ({
    ban: { endsAt: new Date(Date.now() + 60_000).toISOString(), scope },
    reason: 'Spam',
  })

  test.each([
    ['board', false],
    ['board', true],
    ['site', false],
    ['site', true],
  ] as const)('on the %s, with a ban: %s, includes held posts', async (scope, bans) => {
    const spammer = createVisitor(site, `198.51.100.${bans ? 1 : 2}${scope.length}`)
    const own = await comment(spammer)
    const first = await holdComment(threadId, spammer, { image: await createPng() })
    const second = await holdThread(boardId, spammer)
    const elsewhere = await holdThread(otherBoardId, spammer)
    const stranger = await holdComment()
    const url = `/api/moderation/poster?boardId=${boardId}&postId=${own}&scope=${scope}`
    const count = scope === 'board' ? 3 : 4
    expect((await callApi(site, 'GET', url, { token: admin })).body.posts).toBe(count)
    const result = await removePoster(own, { scope, ...(bans && ban(scope)) }, admin)
    expect(result).toMatchObject({ count, banId: bans ? expect.any(Number) : null })
    expect(await listHeldIds()).toEqual(scope === 'board' ? [elsewhere.id, stranger.id] : [stranger.id])
    for (const held of [first, second]) expect(await readStatus(held)).toMatchObject({ status: 'removed' })
    // Nobody has reviewed them, so they wait again.
    const held = count - 1
    expect(await restore(result.logId)).toEqual({ success: true, restored: count, waiting: 0, held })
    expect(await listHeldIds()).toHaveLength(4)
    const shown = await published()
    for (const { id } of [first, second]) expect(shown).not.toContain(`"id":${id},`)
  })

  test('starts from a held post, of a poster with no other posts', async () => {
    const held = await holdComment(threadId, createVisitor(site, '198.51.100.99'))
    expect(await removePoster(held.id)).toMatchObject({ count: 1 })
    expect(await listHeldIds()).toEqual([])
  })
})

describe('held posts are removed with', () => {
  test('their thread, and are held again when it is restored', async () => {
    const doomed = await openThread()
    const held = await holdComment(doomed)
    const other = await holdComment()
    const { logId, count } = (await act(doomed, 'delete')).body
    expect([count, await listHeldIds()]).toEqual([2, [other.id]])
    expect(await readStatus(held)).toMatchObject({ status: 'removed' })
    expect(await restore(logId)).toMatchObject({ restored: 2, held: 1, waiting: 0 })
    expect([await listHeldIds(), await published(doomed)]).toEqual([
      [held.id, other.id],
      expect.not.stringContaining('doubtful'),
    ])
    await callApi(site, 'POST', `/api/moderation/held/${held.id}/approve`, { token: moderator, json: {} })
    expect(await published(doomed)).toContain('doubtful')
  })

  test('their comment', async () => {
    const parent = await comment()
    const held = await holdReply(parent)
    const sibling = await holdReply(await comment())
    expect((await act(parent, 'delete')).body.count).toBe(2)
    expect(await listHeldIds()).toEqual([sibling.id])
    expect(await readStatus(held)).toMatchObject({ status: 'removed' })
  })

  test('their board', async () => {
    const doomed = await createBoard(site, 'Doomed', admin)
    const held = await holdThread(doomed)
    await callApi(site, 'DELETE', `${BOARDS}/${doomed}`, { token: admin })
    expect([await listHeldIds(), await readStatus(held)]).toEqual([[], expect.objectContaining({ status: 'removed' })])
  })

  test('a takedown of their thread or comment, for good', async () => {
    const doomed = await openThread()
    const parent = await comment()
    await holdComment(doomed)
    await holdReply(parent)
    const takeDown = (url: string) =>
      callApi(site, 'POST', '/api/moderation/takedowns', { token: admin, json: { url, reason: 'Illegal' } })
    const page = '/dtpchan/board/held/thread'
    expect((await takeDown(`${page}/${doomed}`)).status).toBe(200)
    expect((await takeDown(`${page}/${threadId}#p${parent}`)).status).toBe(200)
    expect(await site.app.services.db.$count(post, inArray(post.state, ['held', 'removed']))).toBe(0)
  })
})
