import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ban, origin, originEpoch } from '#db/schema/index.ts'
import { labelPosts, listByPoster } from '#server/features/moderation/origins/origins.ts'
import { createBoard } from '#tests/helpers/apiCalls.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'
import { createPng, createVisitor } from '#tests/helpers/visitor.ts'

const DAY_MS = 24 * 60 * 60 * 1000

let site: TestSite
let boardId: string
let threadId: number
beforeAll(async () => {
  site = await startSite()
  boardId = await createBoard(site, 'Origins', await site.createToken('member@example.org'))
  threadId = (await createVisitor(site, '192.0.2.200').postThread(boardId)).body.thread.id
})
afterAll(() => site.close())

const text = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString('hex')

async function originOf(kind: 'post' | 'paste' | 'image', itemId: string) {
  const rows = await site.app.services.db
    .select()
    .from(origin)
    .where(sql`${origin.kind} = ${kind} and ${origin.itemId} = ${itemId}`)
  expect(rows).toHaveLength(1)
  const [row] = rows
  return { host: text(row?.host), range: text(row?.range), epochId: row?.epochId }
}

async function postFrom(address: string, fields = {}) {
  const { body, status } = await createVisitor(site, address).postComment(boardId, threadId, fields)
  expect(status).toBe(200)
  return originOf('post', String(body.comment.id))
}

test('stores an origin with every post', async () => {
  const visitor = createVisitor(site, '192.0.2.1')
  const { thread } = (await visitor.postThread(boardId)).body
  const { comment } = (await visitor.postComment(boardId, thread.id)).body
  const quoting = (await visitor.postComment(boardId, thread.id, { content: `>>${comment.id}` })).body.comment
  const pictured = (await visitor.postComment(boardId, thread.id, { image: await createPng() })).body.comment
  const { reply } = (await visitor.postReply(boardId, thread.id, comment.id)).body
  const origins = await Promise.all(
    [thread, comment, quoting, pictured, reply].map(({ id }) => originOf('post', String(id))),
  )
  expect(new Set(origins.map(({ host }) => host)).size).toBe(1)
})

test('stores an origin with every paste and shared image, and the same visitor has the same hashes', async () => {
  const visitor = createVisitor(site, '192.0.2.2')
  const before = await site.app.services.db.$count(origin)
  expect((await visitor.createPaste()).status).toBe(200)
  expect((await visitor.shareImage()).status).toBe(200)
  const rows = await site.app.services.db.select().from(origin).where(sql`${origin.kind} <> 'post'`)
  expect(await site.app.services.db.$count(origin)).toBe(before + 2)
  const [one, other] = rows
  expect(text(one?.host)).toBe(text(other?.host))
  expect((await postFrom('192.0.2.2')).host).toBe(text(one?.host))
})

test.each([
  { of: 'an IPv4 address', one: '192.0.2.7', other: '192.0.2.7', host: true, range: true },
  { of: 'a mapped IPv4 address', one: '192.0.2.7', other: '::ffff:192.0.2.7', host: true, range: true },
  { of: 'one /24', one: '192.0.2.7', other: '192.0.2.8', host: false, range: true },
  { of: 'two /24', one: '192.0.2.7', other: '192.0.3.7', host: false, range: false },
  { of: 'one /64', one: '2001:db8:1:2::1', other: '2001:db8:1:2:ffff::9', host: true, range: true },
  { of: 'one /48', one: '2001:db8:1:2::1', other: '2001:db8:1:3::1', host: false, range: true },
  { of: 'two /48', one: '2001:db8:1:2::1', other: '2001:db8:2:2::1', host: false, range: false },
])('hashes two addresses of $of', async ({ one, other, host, range }) => {
  const [a, b] = [await postFrom(one), await postFrom(other)]
  expect([a.host === b.host, a.range === b.range]).toEqual([host, range])
})

test('uses a new key after an epoch', async () => {
  const { db } = site.app.services
  const before = await postFrom('192.0.2.9')
  site.setNow(new Date(Date.now() + 14 * DAY_MS + 1000))
  const after = await postFrom('192.0.2.9')
  expect(after.epochId).not.toBe(before.epochId)
  expect(after.host).not.toBe(before.host)
  expect(await db.$count(originEpoch)).toBe(2)
  site.setNow(null)
})

test('starts one epoch when several visitors post at once', async () => {
  const fresh = await startSite()
  const board = await createBoard(fresh, 'Fresh', await fresh.createToken('member@example.org'))
  await Promise.all(
    Array.from({ length: 8 }, (_, number) => createVisitor(fresh, `192.0.2.${number + 1}`).postThread(board)),
  )
  expect(await fresh.app.services.db.$count(originEpoch)).toBe(1)
  await fresh.close()
})

test('stores no origins with ORIGIN_DAYS=0', async () => {
  const silent = await startSite({ ORIGIN_DAYS: '0' })
  const board = await createBoard(silent, 'Silent', await silent.createToken('member@example.org'))
  const visitor = createVisitor(silent, '192.0.2.1')
  expect((await visitor.postThread(board)).status).toBe(200)
  expect((await visitor.createPaste()).status).toBe(200)
  expect((await visitor.shareImage()).status).toBe(200)
  const { db } = silent.app.services
  expect([await db.$count(origin), await db.$count(originEpoch)]).toEqual([0, 0])
  await silent.close()
})

test('refuses a banned visitor with reason, end and a token for an appeal', async () => {
  const { db, cache } = site.app.services
  const { body } = await createVisitor(site, '192.0.2.66').postComment(boardId, threadId)
  const endsAt = new Date(Date.now() + DAY_MS)
  const itemId = String(body.comment.id)
  const [banned] = await db.select().from(origin).where(sql`${origin.kind} = 'post' and ${origin.itemId} = ${itemId}`)
  if (!banned) throw new Error('The post has no origin')
  const values = { epochId: banned.epochId, hash: banned.host, width: 'host' as const, reason: 'Spam', endsAt }
  await db.insert(ban).values({ ...values, createdAt: new Date() })
  cache.clear()
  const refused = await createVisitor(site, '::ffff:192.0.2.66').postComment(boardId, threadId)
  expect(refused.status).toBe(403)
  expect(refused.body).toMatchObject({ success: false, ban: { reason: 'Spam', endsAt: endsAt.toISOString() } })
  expect(refused.body.error).toContain('Spam')
  expect(refused.body.ban.appealToken).toEqual(expect.any(String))
  expect((await createVisitor(site, '192.0.2.67').postComment(boardId, threadId)).status).toBe(200)
})

describe('posts of one poster', () => {
  test('are listed by host or range, on a board or the site', async () => {
    const { db } = site.app.services
    const otherBoard = await createBoard(site, 'Elsewhere', await site.createToken('member@example.org'))
    const [poster, neighbour] = [createVisitor(site, '203.0.113.5'), createVisitor(site, '203.0.113.6')]
    const here = (await poster.postComment(boardId, threadId)).body.comment.id
    const near = (await neighbour.postComment(boardId, threadId)).body.comment.id
    const elsewhere = (await poster.postThread(otherBoard)).body.thread.id
    await poster.createPaste()
    const list = (where: string | null, width: 'host' | 'range') =>
      listByPoster(db, { postId: here, boardId: where, width })
    expect(await list(boardId, 'host')).toEqual([here])
    expect(await list(boardId, 'range')).toEqual([here, near])
    expect(await list(null, 'host')).toEqual([here, elsewhere])
    expect(await list(null, 'range')).toEqual([here, near, elsewhere])
    expect(await listByPoster(db, { postId: 999_999, boardId: null, width: 'host' })).toEqual([])
  })

  test('have one label on a board, and other labels on other boards and on the site', async () => {
    const { db } = site.app.services
    const visitor = createVisitor(site, '203.0.113.9')
    const ids: number[] = []
    for (let count = 0; count < 2; count++) ids.push((await visitor.postComment(boardId, threadId)).body.comment.id)
    const labelsOn = async (boardId: string | null) => {
      const labels = await labelPosts(
        db,
        ids.map((id) => ({ id, boardId })),
      )
      return [...labels.values()]
    }
    const [first, second] = await labelsOn(boardId)
    expect(first).toMatch(/^[a-z2-9]{6}$/)
    expect(second).toBe(first)
    const others = [...(await labelsOn('other')), ...(await labelsOn(null))]
    expect(new Set([first, ...others]).size).toBe(3)
    expect(await labelPosts(db, [])).toEqual(new Map())
  })
})
