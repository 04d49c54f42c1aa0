import { eq, ne, sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { event, moderationLog, post } from '#db/schema/index.ts'
import { changeModerator } from '#server/features/board/boards/boardChanges.ts'
import { listHeldPosts } from '#server/features/moderation/queue/heldPostList.ts'
import { releaseHeldPosts } from '#server/features/moderation/queue/heldPosts.ts'
import { t } from '#src/i18n/t.ts'
import { BOARDS, callApi, createBoard, postComment, postThread, readThread } from '#tests/helpers/apiCalls.ts'
import { withQueryLog } from '#tests/helpers/queryPlans.ts'
import { stillImage } from '#tests/helpers/sampleImages.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

const HELD = '/api/moderation/held'

let site: TestSite
let admin: string
let moderator: string
let otherModerator: string
let member: string
let boardId: string
let threadId: number
beforeAll(async () => {
  site = await startSite()
  admin = await site.createToken('admin@example.org', 'admin')
  moderator = await site.createToken('moderator@example.org')
  otherModerator = await site.createToken('elsewhere@example.org')
  member = await site.createToken('member@example.org')
  boardId = await createBoard(site, 'Held', admin)
  await changeModerator(site.app.services, boardId, 'add', 'moderator@example.org')
  await createBoard(site, 'Elsewhere', otherModerator)
  threadId = (await postThread(site, boardId)).body.thread.id
  const held = { kind: 'literal', value: 'doubtful', fields: ['post'], effect: 'hold' }
  await callApi(site, 'POST', '/api/moderation/filters', { token: admin, json: held })
})
afterEach(async () => {
  site.setNow(null)
  await site.app.services.db.delete(post).where(ne(post.state, 'live'))
})
afterAll(() => site.close())

const holdComment = async (fields: Record<string, string | Blob> = {}, at = threadId) =>
  (await postComment(site, { boardId, threadId: at }, { content: 'doubtful', ...fields })).body
const list = async (token = moderator) => (await callApi(site, 'GET', HELD, { token })).body
const decide = (id: number, verb: 'approve' | 'refuse', token: string | undefined = moderator, json: object = {}) =>
  callApi(site, 'POST', `${HELD}/${id}/${verb}`, { token, json })
/** Moves a held post, as if its thread or comment was deleted while it was sent. */
const place = (id: number, to: { threadId: number } | { parentId: number }) =>
  site.app.services.db.update(post).set(to).where(eq(post.id, id))
const read = async (id = threadId) => (await readThread(site, boardId, id)).body.thread
const commentIds = async (id = threadId) => (await read(id)).comments.map((comment: { id: number }) => comment.id)
/** Lists the topics of all events, the newest last. */
const topics = async () => (await site.app.services.db.select().from(event).orderBy(event.id)).map(({ topic }) => topic)
const logOf = (id: number) =>
  site.app.services.db
    .select({ action: moderationLog.action, role: moderationLog.role, reason: moderationLog.reason })
    .from(moderationLog)
    .where(eq(moderationLog.itemId, String(id)))

describe('a held post', () => {
  test('is answered like any post, with a mark, and appears nowhere', async () => {
    const before = await read()
    const events = await topics()
    const answer = await holdComment({ links: '["https://a.example/"]' })
    expect(answer).toMatchObject({
      success: true,
      comment: {
        id: expect.any(Number),
        author: 'ferrite',
        content: 'doubtful',
        createdAt: expect.any(String),
        image: null,
        picture: null,
        links: ['https://a.example/'],
        quotes: [],
        quotedBy: [],
        replies: [],
      },
      deleteToken: expect.any(String),
      held: true,
      heldUntil: null,
    })
    expect(await read()).toEqual(before)
    // Only moderators hear of it.
    expect((await topics()).slice(events.length)).toEqual(['moderation'])
    const board = await callApi(site, 'GET', `${BOARDS}/${boardId}/threads`)
    expect(JSON.stringify(board.body)).not.toContain('doubtful')
    expect((await callApi(site, 'GET', `/api/dtpchan/posts/${answer.comment.id}`)).status).toBe(404)
  })

  test('has no mark if nothing holds it', async () => {
    const answer = await holdComment({ content: 'good' })
    expect([answer.held, await commentIds()]).toEqual([undefined, expect.arrayContaining([answer.comment.id])])
  })

  test('is listed with its context for moderators of its board', async () => {
    const parent = (await holdComment({ content: 'a question' })).comment.id
    const { reply } = (await postComment(site, { boardId, threadId, commentId: parent }, { content: 'doubtful' })).body
    const thread = (await postThread(site, boardId, { title: 'New', content: 'doubtful' })).body.thread
    const { posts, total } = await list()
    expect(total).toBe(2)
    expect(posts).toEqual([
      {
        id: reply.id,
        boardId,
        threadId,
        parentId: parent,
        threadTitle: 'A title',
        label: expect.stringMatching(/^[a-z2-9]{6}$/),
        context: { relation: 'answers', id: parent, author: 'ferrite', excerpt: 'a question' },
        author: 'ferrite',
        tripcode: null,
        content: 'doubtful',
        links: [],
        hasImage: false,
        imageCount: 0,
        heldFor: expect.stringMatching(/^filter \d+: doubtful$/),
        alike: 2,
        createdAt: expect.any(String),
        releaseAt: null,
      },
      expect.objectContaining({ id: thread.id, threadId: thread.id, threadTitle: 'New', context: null }),
    ])
    expect(await list(admin)).toEqual({ success: true, posts, total })
    const { db, queries } = withQueryLog(site.app.services.db)
    await listHeldPosts({ db }, null)
    expect(queries.filter(({ query }) => query.includes('group by'))).toHaveLength(1)
    expect(await list(otherModerator)).toEqual({ success: true, posts: [], total: 0 })
  })

  test('does not count towards its thread, and an unknown place answers 404', async () => {
    const nowhere = await postComment(site, { boardId, threadId: 999_999 }, { content: 'doubtful' })
    expect([nowhere.status, (await list()).total]).toEqual([404, 0])
    const noBoard = await postThread(site, 'no-board', { content: 'doubtful' })
    expect([noBoard.status, (await list()).total]).toEqual([404, 0])
  })

  test('keeps its picture from the public, but shows it to moderators', async () => {
    const bytes = new Uint8Array(await stillImage(640, 480).png().toBuffer())
    const image = new File([bytes], 'a.png', { type: 'image/png' })
    const { comment, held } = await holdComment({ image })
    expect([held, comment.image, comment.picture]).toEqual([true, null, null])
    const [row] = await site.app.services.db.select().from(post).where(eq(post.id, comment.id))
    const url = `/dtpchan/uploads/${row?.image?.name}`
    expect((await callApi(site, 'GET', url)).status).toBe(404)
    const shown = await callApi(site, 'GET', `${HELD}/${comment.id}/image`, { token: moderator })
    expect(shown.body.image).toEqual({
      url: expect.stringMatching(/^data:image\/\w+;base64,/),
      width: expect.any(Number),
      height: expect.any(Number),
    })
    for (const [token, status] of [
      [undefined, 401],
      [member, 403],
      [otherModerator, 403],
    ] as const) {
      expect((await callApi(site, 'GET', `${HELD}/${comment.id}/image`, { token })).status).toBe(status)
    }
    await decide(comment.id, 'approve')
    expect((await callApi(site, 'GET', url)).status).toBe(200)
    expect((await read()).comments.find(({ id }: { id: number }) => id === comment.id).image).toContain(url)
    expect((await callApi(site, 'GET', `${HELD}/${comment.id}/image`, { token: moderator })).status).toBe(404)
  })
})

describe('approving', () => {
  test('publishes the post at its place, with its number, time and quotes, and logs it', async () => {
    const { comment } = await holdComment({ content: `>>${threadId}\ndoubtful` })
    const later = (await holdComment({ content: 'later' })).comment.id
    expect((await decide(comment.id, 'approve')).status).toBe(200)
    const ids = await commentIds()
    expect(ids.indexOf(comment.id)).toBe(ids.indexOf(later) - 1)
    const published = (await read()).comments.find(({ id }: { id: number }) => id === comment.id)
    expect(published).toMatchObject({ createdAt: comment.createdAt, quotes: [{ id: threadId }] })
    const events = await site.app.services.db.execute(
      sql`select change from event where topic = ${`thread:${threadId}`} order by id desc limit 2`,
    )
    expect(events).toContainEqual({ change: { kind: 'post', postId: comment.id } })
    expect(await logOf(comment.id)).toEqual([{ action: 'approve', role: 'moderator', reason: '' }])
    expect((await list()).total).toBe(0)
  })

  test('opens a held thread', async () => {
    const held = (await postThread(site, boardId, { title: 'Opened', content: 'doubtful' })).body.thread
    expect((await readThread(site, boardId, held.id)).status).toBe(404)
    expect((await decide(held.id, 'approve', admin)).status).toBe(200)
    expect(await read(held.id)).toMatchObject({ id: held.id, title: 'Opened', content: 'doubtful', commentCount: 0 })
    expect(await logOf(held.id)).toMatchObject([{ action: 'approve', role: 'admin' }])
  })

  test('publishes once if two moderators act at the same time', async () => {
    const { comment } = await holdComment()
    const { commentCount } = await read()
    const answers = await Promise.all([admin, moderator, admin].map((token) => decide(comment.id, 'approve', token)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404])
    expect((await read()).commentCount).toBe(commentCount + 1)
    expect(await logOf(comment.id)).toHaveLength(1)
  })

  test('and refusing at the same time leave one decision', async () => {
    for (let round = 0; round < 5; round++) {
      const { comment } = await holdComment()
      const [approved, refused] = await Promise.all([
        decide(comment.id, 'approve'),
        decide(comment.id, 'refuse', admin),
      ])
      expect([approved.status, refused.status].sort()).toEqual([200, 404])
      expect((await commentIds()).includes(comment.id)).toBe(approved.status === 200)
      expect(await logOf(comment.id)).toHaveLength(1)
    }
  })

  test('answers 409 if the thread or comment was deleted while the post was sent', async () => {
    const doomed = (await postThread(site, boardId)).body.thread.id
    const parent = (await holdComment({ content: 'a question' })).comment.id
    const other = (await holdComment({ content: 'another question' })).comment.id
    const { comment } = await holdComment()
    const { reply } = (await postComment(site, { boardId, threadId, commentId: other }, { content: 'doubtful' })).body
    await callApi(site, 'DELETE', `${BOARDS}/${boardId}/threads/${doomed}`, { token: admin })
    await callApi(site, 'DELETE', `${BOARDS}/${boardId}/threads/${threadId}/comments/${parent}`, { token: admin })
    await place(comment.id, { threadId: doomed })
    await place(reply.id, { parentId: parent })
    for (const id of [comment.id, reply.id]) {
      const { status, body } = await decide(id, 'approve')
      expect([status, body.error]).toEqual([409, t('moderation.heldPlaceGone')])
      expect(await logOf(id)).toEqual([])
      expect((await decide(id, 'refuse')).status).toBe(200)
    }
  })
})

describe('refusing', () => {
  test('removes the post, with a reason in the log, from which it can be restored', async () => {
    const { comment } = await holdComment({ content: `>>${threadId}\ndoubtful` })
    expect((await decide(comment.id, 'refuse', moderator, { reason: 'Spam' })).status).toBe(200)
    expect(await commentIds()).not.toContain(comment.id)
    expect((await list()).total).toBe(0)
    expect(await logOf(comment.id)).toEqual([{ action: 'refuse', role: 'moderator', reason: 'Spam' }])
    const [entry] = await site.app.services.db
      .select({ id: moderationLog.id })
      .from(moderationLog)
      .where(eq(moderationLog.itemId, String(comment.id)))
    const restored = await callApi(site, 'POST', '/api/moderation/restore', {
      token: moderator,
      json: { logId: entry?.id },
    })
    expect(restored.body).toMatchObject({ success: true, restored: 1 })
    const published = (await read()).comments.find(({ id }: { id: number }) => id === comment.id)
    expect(published.quotes).toMatchObject([{ id: threadId }])
  })

  test('does not apply to posts that were removed', async () => {
    const { comment } = await holdComment({ content: 'good' })
    await callApi(site, 'DELETE', `${BOARDS}/${boardId}/threads/${threadId}/comments/${comment.id}`, { token: admin })
    for (const verb of ['approve', 'refuse'] as const) {
      const { status, body } = await decide(comment.id, verb)
      expect([status, body.error]).toEqual([404, t('moderation.heldNotHeld')])
    }
  })
})

describe('the calls', () => {
  test.each(['approve', 'refuse'] as const)('to %s are for moderators of the board', async (verb) => {
    const { comment } = await holdComment()
    const refused = [
      [undefined, 401],
      [member, 403],
      [otherModerator, 403],
    ] as const
    for (const [token, status] of refused) {
      const headers = token === undefined ? {} : { token }
      expect((await callApi(site, 'POST', `${HELD}/${comment.id}/${verb}`, { json: {}, ...headers })).status).toBe(
        status,
      )
      expect((await callApi(site, 'GET', HELD, headers)).status).toBe(token === otherModerator ? 200 : status)
    }
    expect((await decide(comment.id, verb, otherModerator)).body.error).toBe(t('auth.forbidden'))
    expect((await list()).total).toBe(1)
  })

  test.each(['0', '-1', 'x', '1e3', '1.5', '99999999999999999999', '%00'])('refuse the number %s', async (id) => {
    for (const verb of ['approve', 'refuse']) {
      const { status } = await callApi(site, 'POST', `${HELD}/${id}/${verb}`, { token: admin, json: {} })
      expect(status).toBe(404)
    }
    expect((await callApi(site, 'GET', `${HELD}/${id}/image`, { token: admin })).status).toBe(404)
  })

  test('refuse a reason that is no line of text', async () => {
    const { comment } = await holdComment()
    for (const reason of [['x'], 'a\nb', 'a\0b', 'x'.repeat(301)]) {
      expect((await decide(comment.id, 'refuse', admin, { reason })).status).toBe(400)
    }
    expect((await list()).total).toBe(1)
  })
})

describe('a release', () => {
  const releaseIn = (id: number, ms: number) =>
    site.app.services.db
      .update(post)
      .set({ releaseAt: new Date(Date.now() + ms) })
      .where(eq(post.id, id))

  test('publishes due posts once, even if two processes run it', async () => {
    const due = (await holdComment()).comment.id
    const later = (await holdComment()).comment.id
    await releaseIn(due, -1000)
    await releaseIn(later, 60_000)
    const { commentCount } = await read()
    const { services } = site.app
    await Promise.all([releaseHeldPosts(services), releaseHeldPosts(services)])
    expect(await commentIds()).toEqual(expect.arrayContaining([due]))
    expect((await read()).commentCount).toBe(commentCount + 1)
    expect((await list()).posts).toMatchObject([{ id: later, releaseAt: expect.any(String) }])
    site.setNow(new Date(Date.now() + 61_000))
    await releaseHeldPosts(services)
    expect(await commentIds()).toEqual(expect.arrayContaining([later]))
  })

  test('leaves a post whose thread was deleted to the moderators', async () => {
    const doomed = (await postThread(site, boardId)).body.thread.id
    const { comment } = await holdComment()
    await releaseIn(comment.id, -1000)
    await callApi(site, 'DELETE', `${BOARDS}/${boardId}/threads/${doomed}`, { token: admin })
    await place(comment.id, { threadId: doomed })
    await releaseHeldPosts(site.app.services)
    expect((await list()).posts).toMatchObject([{ id: comment.id, releaseAt: null, threadTitle: null }])
  })

  test('lists posts that wait for a moderator first', async () => {
    const waiting = []
    for (let index = 0; index < 3; index++) waiting.push((await holdComment()).comment.id)
    await releaseIn(waiting[0] as number, 60_000)
    const { posts } = await list()
    expect(posts.map(({ id }: { id: number }) => id)).toEqual([waiting[1], waiting[2], waiting[0]])
  })
})
