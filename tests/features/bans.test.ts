import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ban, moderationLog, moderator, origin } from '#db/schema/index.ts'
import { findUser } from '#server/features/auth/service.ts'
import { endOriginEpochs } from '#server/features/moderation/origins/epochs.ts'
import { t } from '#src/i18n/t.ts'
import { callApi, createBoard } from '#tests/helpers/apiCalls.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'
import { createPng, createVisitor } from '#tests/helpers/visitor.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const BANS = '/api/moderation/bans'

let site: TestSite
let tokens: { admin: string; moderator: string; member: string }
let boardId: string
let otherBoard: string
let threadId: number
beforeAll(async () => {
  site = await startSite({ SONG_REQUESTS: 'on' })
  const tokenOf = (name: string, role?: 'admin') => site.createToken(`${name}@example.org`, role)
  tokens = {
    admin: await tokenOf('admin', 'admin'),
    moderator: await tokenOf('moderator'),
    member: await tokenOf('member'),
  }
  boardId = await createBoard(site, 'Bans', tokens.moderator)
  otherBoard = await createBoard(site, 'Others', tokens.member)
  threadId = (await createVisitor(site, '192.0.2.200').postThread(boardId)).body.thread.id
})
afterAll(() => site.close())

const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()
const change = (url: string, token: string, json: object = {}) => callApi(site, 'POST', url, { json, token })

let nextHost = 0
/** Returns a visitor in a /24 of its own, and the number of its post. */
async function createPoster(board = boardId) {
  const visitor = createVisitor(site, `10.1.${++nextHost}.5`)
  const { body } = await visitor.postThread(board)
  return { visitor, itemId: String(body.thread.id), range: `10.1.${nextHost}` }
}
const banPost = (itemId: string, token: string, more: object = {}) =>
  change(BANS, token, { kind: 'post', itemId, boardId, width: 'host', reason: 'Spam', endsAt: inDays(1), ...more })

describe('a banned poster', () => {
  test('cannot post threads, comments, replies or images on the board', async () => {
    const { visitor, itemId } = await createPoster()
    const { comment } = (await createVisitor(site, '192.0.2.200').postComment(boardId, threadId)).body
    expect((await banPost(itemId, tokens.moderator)).status).toBe(200)
    const refused = [
      await visitor.postThread(boardId),
      await visitor.postComment(boardId, threadId),
      await visitor.postComment(boardId, threadId, { content: `>>${threadId}` }),
      await visitor.postComment(boardId, threadId, { image: await createPng() }),
      await visitor.postReply(boardId, threadId, comment.id),
    ]
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403])
    expect(refused[0]?.body.ban).toMatchObject({ reason: 'Spam', appealToken: expect.any(String) })
    expect((await visitor.postThread(otherBoard)).status).toBe(200)
    expect((await visitor.createPaste()).status).toBe(200)
  })

  test('of the site cannot post, paste, share images or request songs anywhere', async () => {
    const { visitor, itemId } = await createPoster()
    expect((await banPost(itemId, tokens.admin, { boardId: null })).status).toBe(200)
    const refused = [
      await visitor.postThread(otherBoard),
      await visitor.createPaste(),
      await visitor.shareImage(),
      await visitor.post('/api/radio/requests', { trackId: 1 }),
    ]
    expect(refused.map(({ status, body }) => [status, body.ban?.reason])).toEqual(Array(4).fill([403, 'Spam']))
  })

  test.each(['paste', 'image'] as const)('is found by a %s', async (kind) => {
    const visitor = createVisitor(site, kind === 'paste' ? '10.2.1.1' : '10.2.2.1')
    const { db } = site.app.services
    await (kind === 'paste' ? visitor.createPaste() : visitor.shareImage())
    const [row] = await db.select().from(origin).where(sql`${origin.kind} = ${kind}`).orderBy(sql`ctid desc`).limit(1)
    const banned = await change(BANS, tokens.admin, {
      ...{ kind, itemId: row?.itemId, boardId: null, width: 'host', reason: 'Spam', endsAt: inDays(1) },
    })
    expect(banned.status).toBe(200)
    expect((await visitor.postThread(boardId)).status).toBe(403)
  })

  test('is found by the id in the URL of a paste', async () => {
    const visitor = createVisitor(site, '10.2.3.1')
    const { url } = (await visitor.createPaste()).body
    const { status } = await banPost(url.split('/').at(-1), tokens.admin, { kind: 'paste', boardId: null })
    expect(status).toBe(200)
    expect((await visitor.createPaste()).status).toBe(403)
  })

  test('of a range takes its neighbours along, and a banned host does not', async () => {
    const [one, two] = [await createPoster(), await createPoster()]
    await banPost(one.itemId, tokens.moderator, { width: 'range' })
    await banPost(two.itemId, tokens.moderator)
    const neighbourOf = (range: string) => createVisitor(site, `${range}.77`).postThread(boardId)
    expect((await neighbourOf(one.range)).status).toBe(403)
    expect((await neighbourOf(two.range)).status).toBe(200)
  })

  test('is banned with the whole /64, and by a mapped IPv4 address', async () => {
    const { body } = await createVisitor(site, '2001:db8:77:1::1').postThread(boardId)
    await banPost(String(body.thread.id), tokens.moderator)
    expect((await createVisitor(site, '2001:db8:77:1:abcd::9').postThread(boardId)).status).toBe(403)
    expect((await createVisitor(site, '2001:db8:77:2::1').postThread(boardId)).status).toBe(200)
    const { visitor, itemId } = await createPoster()
    await banPost(itemId, tokens.moderator)
    expect((await createVisitor(site, `::ffff:${visitor.address}`).postThread(boardId)).status).toBe(403)
  })

  test('posts again when the ban is lifted or has ended', async () => {
    const { visitor, itemId } = await createPoster()
    const { body } = await banPost(itemId, tokens.moderator)
    expect((await visitor.postThread(boardId)).status).toBe(403)
    expect((await change(`${BANS}/${body.ban.id}/lift`, tokens.moderator)).status).toBe(200)
    expect((await visitor.postThread(boardId)).status).toBe(200)
    expect((await change(`${BANS}/${body.ban.id}/lift`, tokens.moderator)).status).toBe(404)
    await banPost(itemId, tokens.moderator)
    expect((await visitor.postThread(boardId)).status).toBe(403)
    site.setNow(new Date(Date.now() + DAY_MS + 1000))
    expect((await visitor.postThread(boardId)).status).toBe(200)
    site.setNow(null)
  })

  test('stays banned in later epochs', async () => {
    const { visitor, itemId } = await createPoster()
    await banPost(itemId, tokens.moderator, { endsAt: inDays(30) })
    site.setNow(new Date(Date.now() + 20 * DAY_MS))
    await endOriginEpochs(site.app.services)
    site.app.services.cache.clear()
    expect((await visitor.postThread(boardId)).status).toBe(403)
    site.setNow(null)
  })

  test('gets the ban in the data of a tRPC error', async () => {
    const { visitor, itemId } = await createPoster()
    await banPost(itemId, tokens.admin, { boardId: null })
    const { status, body } = await visitor.post('/trpc/paste.create', { json: { content: 'x', expiryHours: 24 } })
    expect(status).toBe(403)
    expect(body.error.json.data.ban).toMatchObject({ reason: 'Spam', appealToken: expect.any(String) })
  })
})

describe('a ban', () => {
  test('is for moderators of the board; only admins ban from the site', async () => {
    const { itemId } = await createPoster()
    const elsewhere = await createPoster(otherBoard)
    const status = async (call: ReturnType<typeof banPost>) => (await call).status
    expect(await status(banPost(itemId, tokens.member))).toBe(403)
    expect(await status(banPost(itemId, 'wrong'))).toBe(401)
    expect(await status(banPost(itemId, tokens.moderator, { boardId: null }))).toBe(403)
    expect(await status(banPost(itemId, tokens.moderator, { boardId: otherBoard }))).toBe(403)
    expect(await status(banPost(elsewhere.itemId, tokens.moderator))).toBe(403)
    expect(await status(banPost(elsewhere.itemId, tokens.admin))).toBe(200)
    expect(await status(banPost(itemId, tokens.moderator, { boardId: 'nowhere' }))).toBe(404)
  })

  test.each([
    ['no reason', { reason: ' ' }, 400],
    ['a past end', { endsAt: inDays(-1) }, 400],
    ['an end in two years', { endsAt: inDays(730) }, 400],
    ['an end that is not a date', { endsAt: 'tomorrow' }, 400],
    ['an unknown width', { width: 'world' }, 400],
    ['no board', { boardId: undefined }, 400],
    ['an item with NUL', { itemId: 'a\0b' }, 400],
    ['an item that is an object', { itemId: {} }, 400],
    ['a program', { kind: 'program' }, 400],
    ['an unknown post', { itemId: '999999999999999', boardId: null }, 404],
    ['a post with a huge number', { itemId: '9'.repeat(64), boardId: null }, 404],
    ['a post with a number that is none', { itemId: 'x', boardId: null }, 404],
    ['an unknown paste', { kind: 'paste', itemId: 'x'.repeat(22), boardId: null }, 404],
    ['an unknown image', { kind: 'image', itemId: 'x'.repeat(22), boardId: null }, 404],
  ])('is refused for %s', async (_of, more, status) => {
    const { itemId } = await createPoster()
    expect((await banPost(itemId, tokens.admin, more)).status).toBe(status)
  })

  test('is refused with 404 for an unknown post also if a moderator sends it, and with 409 without an origin', async () => {
    const unknown = await banPost('999999999999999', tokens.moderator)
    expect([unknown.status, unknown.body.error]).toEqual([404, 'Post not found'])
    const { itemId } = await createPoster()
    await site.app.services.db.delete(origin).where(eq(origin.itemId, itemId))
    const forgotten = await banPost(itemId, tokens.moderator)
    expect([forgotten.status, forgotten.body.error]).toEqual([409, 'The site no longer knows who posted this'])
  })

  test('changes the live ban of the same poster, also when two are sent at once', async () => {
    const { itemId } = await createPoster()
    const answers = await Promise.all(
      [1, 2, 3].map((days) => banPost(itemId, tokens.moderator, { endsAt: inDays(days) })),
    )
    expect(new Set(answers.map(({ body }) => body.ban.id)).size).toBe(1)
  })

  test('is logged by role, without item or name', async () => {
    const { itemId } = await createPoster()
    const { body } = await banPost(itemId, tokens.moderator, { reason: 'Logged' })
    await change(`${BANS}/${body.ban.id}/lift`, tokens.admin)
    const { db } = site.app.services
    const rows = await db.select().from(moderationLog).orderBy(moderationLog.id)
    expect(rows.slice(-2)).toMatchObject([
      { action: 'ban', role: 'moderator', boardId, reason: 'Logged', itemId: null },
      { action: 'lift-ban', role: 'admin', boardId, itemId: null },
    ])
  })

  test('is listed for admins and for moderators of its board', async () => {
    const { itemId } = await createPoster()
    await banPost(itemId, tokens.admin, { boardId: null, reason: 'Site ban' })
    await banPost(itemId, tokens.moderator, { reason: 'Board ban' })
    const list = async (token: string) => (await callApi(site, 'GET', BANS, { token })).body
    expect((await list(tokens.admin)).bans.slice(0, 2)).toMatchObject([
      { reason: 'Board ban', boardId, createdBy: 'moderator@example.org', appeal: null },
      { reason: 'Site ban', boardId: null, width: 'host', label: expect.stringMatching(/^[a-z2-9]{6}$/) },
    ])
    const own = (await list(tokens.moderator)).bans
    expect(own.every((one: { boardId: string }) => one.boardId === boardId)).toBe(true)
    expect((await list(tokens.member)).bans).toEqual([])
    expect((await callApi(site, 'GET', BANS)).status).toBe(401)
    expect(JSON.stringify(own)).not.toMatch(/hash|key/)
  })

  test('is not shown to somebody who no longer moderates', async () => {
    const { db } = site.app.services
    const former = await findUser(db, 'member@example.org')
    const { itemId } = await createPoster(otherBoard)
    const { body } = await banPost(itemId, tokens.member, { boardId: otherBoard })
    await db.delete(moderator).where(sql`${moderator.userId} = ${former?.id}`)
    expect((await callApi(site, 'GET', BANS, { token: tokens.member })).body.bans).toEqual([])
    expect((await change(`${BANS}/${body.ban.id}/lift`, tokens.member)).status).toBe(403)
  })
})

describe('an appeal', () => {
  async function createAppeal() {
    const { visitor, itemId } = await createPoster()
    const { id } = (await banPost(itemId, tokens.moderator)).body.ban
    const { appealToken } = (await visitor.postThread(boardId)).body.ban
    const appeal = (text: unknown = 'Sorry', token: unknown = appealToken) =>
      visitor.post('/api/moderation/appeals', { appealToken: token, text })
    return { visitor, id, appealToken, appeal }
  }

  test('is accepted once, also when it is sent twice at once', async () => {
    const { visitor, id, appeal } = await createAppeal()
    const answers = await Promise.all([appeal('One'), appeal('Two')])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect((await appeal()).body.error).toBe(t('moderation.banAlreadyAppealed'))
    expect((await visitor.postThread(boardId)).body.ban.appealToken).toBeNull()
    const { bans } = (await callApi(site, 'GET', `${BANS}?appeals=true`, { token: tokens.moderator })).body
    expect(bans[0]).toMatchObject({ id, appeal: expect.stringMatching(/One|Two/) })
  })

  test('is answered by lifting or keeping the ban', async () => {
    const [lifted, kept] = [await createAppeal(), await createAppeal()]
    for (const { appeal } of [lifted, kept]) await appeal()
    const answer = (id: number, outcome: string, token = tokens.moderator) =>
      change(`${BANS}/${id}/answer`, token, { outcome })
    const other = await site.createToken('elsewhere@example.org')
    await createBoard(site, 'Elsewhere', other)
    for (const token of [tokens.member, other]) {
      expect((await answer(lifted.id, 'lift', token)).status).toBe(403)
      expect((await change(`${BANS}/${lifted.id}/lift`, token)).status).toBe(403)
      expect((await callApi(site, 'GET', BANS, { token })).body.bans).toEqual([])
    }
    expect((await answer(lifted.id, 'maybe')).status).toBe(400)
    expect((await answer(lifted.id, 'lift')).status).toBe(200)
    expect((await answer(kept.id, 'keep')).status).toBe(200)
    expect((await answer(kept.id, 'keep')).status).toBe(409)
    expect((await lifted.visitor.postThread(boardId)).status).toBe(200)
    expect((await kept.visitor.postThread(boardId)).status).toBe(403)
    expect((await kept.appeal()).status).toBe(409)
  })

  test.each([
    ['an empty text', ' ', undefined, 400],
    ['a huge text', 'x'.repeat(1001), undefined, 400],
    ['a text with NUL', 'a\0b', undefined, 400],
    ['a text that is a list', ['x'], undefined, 400],
    ['an empty token', 'Sorry', '', 404],
    ['a token of another kind', 'Sorry', 7, 400],
    ['a forged token', 'Sorry', `1.${'A'.repeat(43)}`, 404],
    ['a huge token', 'Sorry', 'x'.repeat(5000), 400],
  ])('is refused with %s', async (_of, text, token, status) => {
    const { appeal } = await createAppeal()
    expect((await appeal(text, token)).status).toBe(status)
    expect((await appeal()).status).toBe(200)
  })

  test('of an ended ban is refused', async () => {
    const { id, appeal } = await createAppeal()
    await site.app.services.db.update(ban).set({ endsAt: new Date() }).where(sql`${ban.id} = ${id}`)
    expect((await appeal()).status).toBe(409)
  })
})
