import { eq, isNull, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ban, post, report } from '#db/schema/index.ts'
import { changeModerator } from '#server/features/board/boards/boardChanges.ts'
import { changeState } from '#server/features/board/states/changeState.ts'
import type { Queue, Waiting } from '#src/contract/queue.ts'
import { BOARDS, callApi, createBoard, readThread, solveChallenge } from '#tests/helpers/apiCalls.ts'
import { openEventConnection } from '#tests/helpers/eventConnection.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'
import { createVisitor } from '#tests/helpers/visitor.ts'

const QUEUE = '/api/moderation/queue'
const DAY_MS = 86_400_000

let site: TestSite
let admin: string
let moderator: string
let here: string
let elsewhere: string
let visitors = 0
let origin: string | undefined

beforeAll(async () => {
  site = await startSite()
  admin = await site.createToken('admin@example.org', 'admin')
  moderator = await site.createToken('moderator@example.org')
  here = await createBoard(site, 'Here', admin)
  elsewhere = await createBoard(site, 'Elsewhere', admin)
  await changeModerator(site.app.services, here, 'add', 'moderator@example.org')
  const held = { kind: 'literal', value: 'doubtful', fields: ['post'], effect: 'hold' }
  await callApi(site, 'POST', '/api/moderation/filters', { token: admin, json: held })
})
beforeEach(async () => {
  const { db } = site.app.services
  await Promise.all([db.delete(report), db.delete(post).where(eq(post.state, 'held')), db.delete(ban)])
})
afterAll(() => site.close())

const createPoster = () => createVisitor(site, `10.7.${Math.floor(++visitors / 250)}.${(visitors % 250) + 1}`)
const read = (query = '', token = admin) => callApi(site, 'GET', `${QUEUE}${query}`, { token })
const readQueue = async (query = '', token = admin): Promise<Queue> => (await read(query, token)).body
const sendReport = async (url: string, reason = 'spam') =>
  callApi(site, 'POST', '/api/moderation/reports', { json: { url, reason, ...(await solveChallenge(site)) } })

async function createThread(boardId = here, fields = {}, poster = createPoster()) {
  const { thread } = (await poster.postThread(boardId, fields)).body
  return { id: thread.id as number, path: `/dtpchan/board/${boardId}/thread/${thread.id}`, poster }
}

async function reportThread(boardId = here, reason = 'spam') {
  const thread = await createThread(boardId)
  expect((await sendReport(thread.path, reason)).status).toBe(200)
  return thread
}

const holdThread = (boardId = here) => createThread(boardId, { content: 'doubtful' })

/** Bans a new poster, who appeals. `boardId` is null for the whole site. */
async function createAppeal(boardId: string | null = here) {
  const thread = await createThread(boardId ?? here, { content: 'against the rules' })
  const endsAt = new Date(Date.now() + DAY_MS)
  const item = { kind: 'post', itemId: String(thread.id), boardId, width: 'host', reason: 'Spam', endsAt }
  const banned = await callApi(site, 'POST', '/api/moderation/bans', { token: admin, json: item })
  const { appealToken } = (await thread.poster.postThread(boardId ?? here)).body.ban
  await thread.poster.post('/api/moderation/appeals', { appealToken, text: 'I am sorry' })
  return { ...thread, banId: banned.body.ban.id as number }
}

/** Names the queue's items by kind and number. */
const namesOf = ({ items }: Queue) =>
  items.map((item) => {
    if (item.kind === 'report') return `report ${item.report.reportId}`
    return item.kind === 'held' ? `held ${item.post.id}` : `appeal ${item.ban.id}`
  })

test('shows how a held post is signed', async () => {
  const { id, poster } = await createThread()
  const { comment } = (await poster.postComment(here, id, { content: 'doubtful' })).body
  await site.app.services.db.update(post).set({ capcode: 'mod' }).where(eq(post.id, comment.id))
  const [item] = (await readQueue('?kind=held')).items
  expect(item).toMatchObject({ kind: 'held', post: { id: comment.id, author: 'ferrite', capcode: 'mod' } })
})

describe('the order of the queue', () => {
  test('has illegal content first, then what waits longest, then what is published by itself', async () => {
    const soon = await holdThread()
    const releaseAt = new Date(Date.now() + 60_000)
    await site.app.services.db.update(post).set({ releaseAt }).where(eq(post.id, soon.id))
    const appeal = await createAppeal()
    const spam = await reportThread()
    const held = await holdThread()
    const illegal = await reportThread(here, 'illegal')
    const rows = await site.app.services.db.select().from(report).orderBy(report.id)
    const queue = await readQueue()
    expect(namesOf(queue)).toEqual([
      `report ${rows[1]?.id}`,
      `appeal ${appeal.banId}`,
      `report ${rows[0]?.id}`,
      `held ${held.id}`,
      `held ${soon.id}`,
    ])
    expect(queue.items[0]).toMatchObject({ report: { path: `${illegal.path}#p${illegal.id}` } })
    expect(queue.items[2]).toMatchObject({ report: { path: `${spam.path}#p${spam.id}` }, since: expect.any(String) })
    expect(queue.counts).toEqual({ report: 2, held: 2, appeal: 1 })
  })

  test('moves an item to the front when a second report calls it illegal', async () => {
    const [first, second] = [await reportThread(), await reportThread()]
    await sendReport(second.path, 'illegal')
    const paths = (await readQueue()).items.map((item) => item.kind === 'report' && item.report.path)
    expect(paths).toEqual([`${second.path}#p${second.id}`, `${first.path}#p${first.id}`])
  })

  test('continues after any item, and lists one kind', async () => {
    for (let made = 0; made < 4; made++) {
      await reportThread(here, made === 3 ? 'illegal' : 'spam')
      await holdThread()
      await createAppeal()
    }
    const first = await readQueue()
    const rest = await readQueue(`?after=${first.items.at(-1)?.cursor}`)
    expect([first.items.length, rest.items.length]).toEqual([10, 2])
    const all = [...namesOf(first), ...namesOf(rest)]
    expect(new Set(all).size).toBe(12)
    for (const [at, { cursor }] of first.items.entries()) {
      expect(namesOf(await readQueue(`?after=${cursor}`))).toEqual(all.slice(at + 1, at + 11))
    }
    for (const kind of ['report', 'held', 'appeal']) {
      const only = await readQueue(`?kind=${kind}`)
      expect(namesOf(only)).toEqual(all.filter((name) => name.startsWith(kind)))
      expect(only.counts).toEqual({ report: 4, held: 4, appeal: 4 })
      expect(namesOf(await readQueue(`?kind=${kind}&after=${only.items[1]?.cursor}`))).toEqual(namesOf(only).slice(2))
    }
  })

  test.each([
    '?after=x',
    '?after=',
    '?after=1.2.report',
    '?after=9.1.report.1',
    `?after=1.${'9'.repeat(15)}.report.1`,
    `?after=1.1.report.${'9'.repeat(16)}`,
    '?after=1.1.report.1&after=2',
    '?after=%00',
    '?kind=all',
    '?kind=held&kind=report',
  ])('refuses %s', async (query) => {
    expect((await read(query)).status).toBe(400)
  })

  test('accepts the largest cursor', async () => {
    await reportThread()
    expect(namesOf(await readQueue(`?after=2.${'9'.repeat(14)}.report.${'9'.repeat(15)}`))).toEqual([])
  })
})

describe('the queue of a moderator', () => {
  test('has only items of their boards, and counts only those', async () => {
    for (const boardId of [here, elsewhere]) {
      await reportThread(boardId)
      await holdThread(boardId)
      await createAppeal(boardId)
    }
    await createAppeal(null)
    const paste = (await createPoster().createPaste()).body.url
    await sendReport(new URL(paste).pathname)
    const own = await readQueue('', moderator)
    expect(own.counts).toEqual({ report: 1, held: 1, appeal: 1 })
    expect(own.items).toMatchObject([
      { kind: 'report', report: { boardId: here } },
      { kind: 'held', post: { boardId: here, alike: 1 } },
      { kind: 'appeal', ban: { boardId: here } },
    ])
    expect((await readQueue()).counts).toEqual({ report: 3, held: 2, appeal: 3 })
  })

  test('refuses others', async () => {
    const member = await site.createToken('member@example.org')
    expect((await read('', member)).status).toBe(403)
    expect((await callApi(site, 'GET', QUEUE)).status).toBe(401)
  })
})

describe('the count of what waits', () => {
  const readWaiting = async (token: string) => {
    const response = await site.app.inject({
      url: '/trpc/moderation.waiting',
      headers: { authorization: `Bearer ${token}` },
    })
    return response.json().result.data.json as Waiting | null
  }
  const follow = async ({ topic, lastEventId }: Waiting) => {
    origin ??= await site.app.listen({ port: 0, host: '127.0.0.1' })
    return openEventConnection(origin, [topic], lastEventId)
  }

  test('is that of the boards of a moderator, and null for other members', async () => {
    await reportThread(here)
    await holdThread(here)
    await holdThread(elsewhere)
    await createAppeal(null)
    expect(await readWaiting(admin)).toMatchObject({ count: 4 })
    expect(await readWaiting(moderator)).toMatchObject({ count: 2 })
    expect(await readWaiting(await site.createToken('member@example.org'))).toBeNull()
    const guest = await site.app.inject('/trpc/moderation.waiting')
    expect(guest.statusCode).toBe(401)
  })

  test('changes with an event without content for each item that comes or goes', async () => {
    const gone = await createBoard(site, 'Gone', admin)
    const moved = { boardId: here, postId: (await createThread(here)).id, toBoard: gone }
    const start = (await readWaiting(admin)) as Waiting
    const connection = await follow(start)
    const held = await holdThread()
    const reported = await reportThread()
    const appeal = await createAppeal()
    const { reportId } = ((await readQueue('?kind=report')).items[0] as { report: { reportId: number } }).report
    const act = (path: string, json: object) =>
      callApi(site, 'POST', `/api/moderation/${path}`, { token: moderator, json })
    const steps: (() => Promise<unknown>)[] = [
      () => act(`reports/${reportId}`, { action: 'dismiss' }),
      () => act(`held/${held.id}/approve`, {}),
      () => act(`bans/${appeal.banId}/answer`, { outcome: 'keep' }),
      () => sendReport(reported.path),
      () => act('act', { boardId: here, postId: reported.id, action: 'delete' }),
      () => callApi(site, 'POST', '/api/moderation/act', { token: admin, json: { ...moved, action: 'move' } }),
      () => callApi(site, 'DELETE', `${BOARDS}/${gone}`, { token: admin }),
    ]
    // One for the held post, the report, the ban and its appeal.
    const isBare = { topic: start.topic, change: { kind: 'queue' } }
    for (let event = 0; event < 4; event++) expect((await connection.next()).event).toEqual(isBare)
    for (const step of steps) {
      await step()
      expect((await connection.next()).event).toEqual(isBare)
    }
    connection.close()
  })

  test('cannot be followed by those who do not know the topic', async () => {
    const { lastEventId } = (await readWaiting(admin)) as Waiting
    const connection = await follow({ topic: `queue:${'0'.repeat(64)}`, lastEventId, count: 0 })
    let arrived = 0
    void connection.next().then(
      () => arrived++,
      () => {},
    )
    const known = await follow((await readWaiting(admin)) as Waiting)
    await holdThread()
    await known.next()
    expect(arrived).toBe(0)
    for (const one of [connection, known]) one.close()
  })
})

describe('an item', () => {
  test('shows the quoted post, the answered comment, or the opening post, and the poster', async () => {
    const thread = await createThread(here, { title: 'Context', content: 'the opening' })
    const poster = createPoster()
    const comment = (await poster.postComment(here, thread.id, { content: 'a comment' })).body.comment.id
    const reply = (await poster.postReply(here, thread.id, comment, { content: 'a reply' })).body.reply.id
    const content = `>>999999\n>>${reply} no`
    const quoting = (await poster.postComment(here, thread.id, { content })).body.comment.id
    for (const id of [thread.id, comment, reply, quoting]) await sendReport(`${thread.path}#p${id}`)
    const { items } = await readQueue()
    const contexts = items.map((item) => item.kind === 'report' && item.report.content)
    expect(contexts).toMatchObject([
      { title: 'Context', context: null, isRemoved: false },
      { context: { relation: 'opening', id: thread.id, author: 'ferrite', excerpt: 'the opening' } },
      { context: { relation: 'answers', id: comment, excerpt: 'a comment' } },
      { context: { relation: 'quotes', id: reply, excerpt: 'a reply' } },
    ])
    const labels = items.map((item) => item.kind === 'report' && item.report.label)
    expect(labels[1]).toMatch(/^[a-z2-9]{6}$/)
    expect(new Set(labels).size).toBe(2)
  })

  test('shows an appeal with its ban and what the poster wrote where the ban applies', async () => {
    const appeal = await createAppeal()
    await createThread(elsewhere, { content: 'on another board' }, appeal.poster)
    await callApi(site, 'DELETE', `${BOARDS}/${here}/threads/${appeal.id}`, { token: admin })
    const { items } = await readQueue('', moderator)
    expect(items).toMatchObject([
      {
        kind: 'appeal',
        ban: { id: appeal.banId, reason: 'Spam', appeal: 'I am sorry', width: 'host', boardId: here },
        posts: [{ id: appeal.id, boardId: here, excerpt: 'against the rules', isRemoved: true }],
      },
    ])
    expect(JSON.stringify(items)).not.toContain('hash')
  })

  test('leaves the queue when its appeal is answered or its ban ends', async () => {
    const [kept, lifted, ended] = [await createAppeal(), await createAppeal(), await createAppeal()]
    const answer = (banId: number, outcome: string) =>
      callApi(site, 'POST', `/api/moderation/bans/${banId}/answer`, { token: moderator, json: { outcome } })
    await answer(kept.banId, 'keep')
    await answer(lifted.banId, 'lift')
    expect(namesOf(await readQueue())).toEqual([`appeal ${ended.banId}`])
    await site.app.services.db.update(ban).set({ endsAt: new Date() }).where(eq(ban.id, ended.banId))
    expect(await readQueue()).toMatchObject({ items: [], counts: { appeal: 0 } })
  })
})

test('a deleted board takes its reports and appeals away', async () => {
  const gone = await createBoard(site, 'Gone', admin)
  await reportThread(gone)
  await createAppeal(gone)
  const kept = await reportThread()
  await callApi(site, 'DELETE', `${BOARDS}/${gone}`, { token: admin })
  const { items, counts } = await readQueue()
  expect(items).toMatchObject([{ report: { path: `${kept.path}#p${kept.id}` } }])
  expect(counts).toEqual({ report: 1, held: 0, appeal: 0 })
})

test('deleting a thread closes the reports of its answers, except those of illegal content', async () => {
  const remove = {
    'by its menu': async (id: number) => {
      const json = { boardId: here, postId: id, action: 'delete' }
      return callApi(site, 'POST', '/api/moderation/act', { token: moderator, json })
    },
    'by its report': async (id: number) => {
      const items = (await readQueue('', moderator)).items.flatMap((item) =>
        item.kind === 'report' ? item.report : [],
      )
      const found = items.find(({ path }) => path?.endsWith(`#p${id}`))
      const url = `/api/moderation/reports/${found?.reportId}`
      return callApi(site, 'POST', url, { token: moderator, json: { action: 'delete' } })
    },
    'by its call': (id: number) => callApi(site, 'DELETE', `${BOARDS}/${here}/threads/${id}`, { token: moderator }),
  }
  for (const [way, removeThread] of Object.entries(remove)) {
    const { id, path, poster } = await reportThread()
    const [spam, illegal] = [
      (await poster.postComment(here, id, {})).body.comment.id,
      (await poster.postComment(here, id, {})).body.comment.id,
    ]
    await sendReport(`${path}#p${spam}`)
    await sendReport(`${path}#p${illegal}`, 'illegal')
    expect([way, (await removeThread(id)).status]).toEqual([way, 200])
    const open = await site.app.services.db.select().from(report).where(isNull(report.closedAt))
    expect([way, ...open.map(({ itemId }) => itemId)]).toEqual([way, String(illegal)])
    await site.app.services.db.delete(report)
  }
})

test('refusing held posts leaves the reports of one that another moderator has just approved', async () => {
  const [approved, held] = [await reportThread(), await holdThread()]
  const { services } = site.app
  const reason = { from: ['held' as const], withAnswers: false }
  const { ids } = await services.db.transaction((tx) =>
    changeState(services, tx, [approved.id, held.id], 'removed', reason),
  )
  expect(ids).toEqual([held.id])
  expect((await readQueue()).items).toMatchObject([{ report: { path: `${approved.path}#p${approved.id}` } }])
})

describe('deleting everything by a poster', () => {
  const removePoster = (postId: number, fields = {}) =>
    callApi(site, 'POST', '/api/moderation/poster/delete', {
      token: moderator,
      json: { boardId: here, postId, reason: 'Spam', ...fields },
    })

  test('takes their held posts on the board out of the queue, and counts them', async () => {
    const poster = createPoster()
    const thread = await createThread(here, {}, poster)
    const held = await createThread(here, { content: 'doubtful' }, poster)
    const other = await createThread(elsewhere, { content: 'doubtful' }, poster)
    const stranger = await holdThread()
    const found = await callApi(site, 'GET', `/api/moderation/poster?boardId=${here}&postId=${held.id}`, {
      token: moderator,
    })
    expect(found.body.posts).toBe(2)
    expect((await removePoster(held.id)).body.count).toBe(2)
    expect((await readThread(site, here, thread.id)).status).toBe(404)
    expect(namesOf(await readQueue())).toEqual([`held ${other.id}`, `held ${stranger.id}`])
    const { entries } = (await callApi(site, 'GET', '/api/moderation/log')).body
    expect(entries[0]).toMatchObject({ action: 'delete-by-poster', count: 2, reason: 'Spam' })
  })

  test('closes the reports of the posts, except those of illegal content', async () => {
    const poster = createPoster()
    const [spam, illegal, other] = [
      await createThread(here, {}, poster),
      await createThread(here, {}, poster),
      await reportThread(),
    ]
    await sendReport(spam.path)
    await sendReport(illegal.path, 'spam')
    await sendReport(illegal.path, 'illegal')
    expect((await removePoster(spam.id)).body.count).toBe(2)
    const { items } = await readQueue('', moderator)
    expect(items).toMatchObject([
      { report: { count: 1, reports: [{ reason: 'illegal' }], content: { isRemoved: true } } },
      { report: { path: `${other.path}#p${other.id}` } },
    ])
    const rows = await site.app.services.db.execute(sql`select outcome from report where closed_at is not null`)
    expect(rows.map((row) => row.outcome)).toEqual(['deleted', 'deleted'])
    const { reportId } = (items[0] as { report: { reportId: number } }).report
    const taken = await callApi(site, 'POST', `/api/moderation/reports/${reportId}`, {
      token: moderator,
      json: { action: 'take-down' },
    })
    expect(taken.status).toBe(200)
  })

  test('keeps held posts and reports when it only bans', async () => {
    const held = await holdThread()
    const ban = { endsAt: new Date(Date.now() + DAY_MS), width: 'host', scope: 'board' }
    expect((await removePoster(held.id, { deletePosts: false, ban })).status).toBe(200)
    expect(namesOf(await readQueue())).toEqual([`held ${held.id}`])
  })
})
