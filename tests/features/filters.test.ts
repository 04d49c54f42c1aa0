import { eq, sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { filter, post, thread } from '#db/schema/index.ts'
import { changeModerator } from '#server/features/board/boards/boardChanges.ts'
import { filterLimits } from '#src/contract/filters.ts'
import { t } from '#src/i18n/t.ts'
import { callApi, createBoard, postComment, postThread } from '#tests/helpers/apiCalls.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

const FILTERS = '/api/moderation/filters'
const pills = { kind: 'literal', value: 'cheap pills', fields: ['post'], effect: 'refuse' }

let site: TestSite
let admin: string
let boardId: string
beforeAll(async () => {
  site = await startSite()
  admin = await site.createToken('admin@example.org', 'admin')
  boardId = await createBoard(site, 'Filters', admin)
})
afterEach(async () => {
  site.setNow(null)
  await site.app.services.db.delete(filter)
})
afterAll(() => site.close())

const add = (fields: object = {}, token = admin) =>
  callApi(site, 'POST', FILTERS, { token, json: { ...pills, ...fields } })
const list = async () => (await callApi(site, 'GET', FILTERS, { token: admin })).body.filters
const dryRun = async (fields: object) =>
  (await callApi(site, 'POST', `${FILTERS}/dry-run`, { token: admin, json: { ...pills, ...fields } })).body

describe('the filters of admins', () => {
  test('are listed, changed and deleted', async () => {
    const { status, body } = await add({
      value: '  Spam.Example.  ',
      kind: 'domain',
      fields: ['paste', 'post', 'post'],
    })
    expect(status).toBe(200)
    expect(body.filter).toEqual({
      id: expect.any(Number),
      kind: 'domain',
      value: 'spam.example',
      fields: ['post', 'paste'],
      effect: 'refuse',
      message: '',
      replacement: '',
      enabled: true,
      createdAt: expect.any(String),
    })
    const { id } = body.filter
    const second = (await add()).body.filter
    expect(await list()).toEqual([second, body.filter])
    const change = { ...pills, value: 'pills', effect: 'hold', message: ' No pills. ', enabled: false }
    const changed = await callApi(site, 'PUT', `${FILTERS}/${id}`, { token: admin, json: change })
    expect(changed.body.filter).toEqual({ ...body.filter, ...change, message: 'No pills.' })
    const gone = await callApi(site, 'DELETE', `${FILTERS}/${second.id}`, { token: admin })
    expect([gone.status, await list()]).toEqual([200, [changed.body.filter]])
  })

  test.each([
    ['an unknown kind', { kind: 'regex' }, t('moderation.filterKind')],
    ['no value', { value: ' \u200b ' }, t('moderation.filterValue')],
    ['a value of several lines', { value: 'a\nb' }, /one line/],
    ['a value of the wrong type', { value: ['x'] }, t('moderation.filterValue')],
    ['a long value', { value: 'x'.repeat(filterLimits.value + 1) }, /at most 200/],
    ['NUL', { value: 'a\0b' }, /cannot be stored/],
    ['an invalid pattern', { kind: 'pattern', value: '(a' }, /^This pattern is not valid: .*missing closing \)/],
    ['a backreference', { kind: 'pattern', value: '(a)\\1' }, /^This pattern is not valid/],
    ['a pattern that matches every text', { kind: 'pattern', value: '.*' }, t('moderation.filterMatchesAll')],
    ['a large pattern', { kind: 'pattern', value: '(\\pL{99}){10}x' }, t('moderation.filterPatternSize')],
    ['a URL as a domain', { kind: 'domain', value: 'https://a.example/' }, t('moderation.filterDomain')],
    ['no field', { fields: [] }, t('moderation.filterFields')],
    ['an unknown field', { fields: ['image'] }, t('moderation.filterFields')],
    ['fields of the wrong type', { fields: 'post' }, t('moderation.filterFields')],
    ['too many fields', { fields: Array(1000).fill('post') }, t('moderation.filterFields')],
    ['an unknown effect', { effect: 'ban' }, t('moderation.filterEffect')],
    ['a message of several lines', { message: 'a\nb' }, t('moderation.filterMessage')],
    ['a long message', { message: 'x'.repeat(filterLimits.message + 1) }, /at most 300/],
    ['enabled of the wrong type', { enabled: 'true' }, t('failure.flag', { field: 'enabled' })],
  ])('are refused with %s', async (_, fields, text) => {
    const { status, body } = await add(fields)
    expect([status, body.error]).toEqual([400, expect.stringMatching(text)])
    expect(await list()).toEqual([])
  })

  test('exist only once, even if they are added at the same time', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => add()))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409])
    const other = (await add({ value: 'other' })).body.filter
    const same = await callApi(site, 'PUT', `${FILTERS}/${other.id}`, { token: admin, json: pills })
    expect([same.status, same.body.error]).toEqual([409, t('moderation.filterExists')])
  })

  test('are limited in number', async () => {
    const row = { ...pills, createdAt: new Date() } as typeof filter.$inferInsert
    const rows = Array.from({ length: filterLimits.filters }, (_, index) => ({ ...row, value: `value ${index}` }))
    await site.app.services.db.insert(filter).values(rows)
    const { status, body } = await add()
    expect([status, body.error]).toEqual([409, t('moderation.filterTooMany', { max: 500 })])
  })

  test.each(['0', '-1', 'x', '1e3', '99999', '99999999999', '4294967297'])('answer 404 for the id %s', async (id) => {
    // Another filter is the same.
    await add()
    for (const method of ['PUT', 'DELETE']) {
      const { status, body } = await callApi(site, method, `${FILTERS}/${id}`, { token: admin, json: pills })
      expect([status, body.error]).toEqual([404, t('moderation.filterNotFound')])
    }
    const invalid = await callApi(site, 'PUT', `${FILTERS}/${id}`, { token: admin, json: { ...pills, kind: 'domain' } })
    expect([invalid.status, invalid.body.error]).toEqual([400, t('moderation.filterDomain')])
  })

  test('are for admins only', async () => {
    const moderator = await site.createToken('moderator@example.org')
    await changeModerator(site.app.services, boardId, 'add', 'moderator@example.org')
    const { id } = (await add()).body.filter
    const calls = [
      ['GET', FILTERS],
      ['POST', FILTERS],
      ['POST', `${FILTERS}/dry-run`],
      ['PUT', `${FILTERS}/${id}`],
      ['DELETE', `${FILTERS}/${id}`],
    ] as const
    for (const [method, url] of calls) {
      const json = method === 'GET' ? undefined : pills
      expect((await callApi(site, method, url, { json })).status).toBe(401)
      expect((await callApi(site, method, url, { json, token: moderator })).status).toBe(403)
    }
  })
})

describe('a dry run', () => {
  test('shows apart the posts that have the text in links only', async () => {
    const at = { boardId, threadId: (await postThread(site, boardId)).body.thread.id }
    const post = async (content: string) => (await postComment(site, at, { content })).body.comment.id
    const inLink = await post('>>4104104')
    const inUrl = await post('https://a.example/4104104')
    const inText = await post('>>4104104 is 4104104')
    const ids = (posts: { id: number }[]) => posts.map(({ id }) => id)
    const found = await dryRun({ value: '4104104' })
    expect([found.count, ids(found.posts)]).toEqual([1, [inText]])
    expect([found.inLinks, ids(found.linkPosts)]).toEqual([2, [inUrl, inLink]])
    const pattern = await dryRun({ kind: 'pattern', value: '4104104' })
    expect([pattern.count, pattern.inLinks, pattern.linkPosts]).toEqual([3, 0, []])
  })

  test('lists the posts of the last week that the filter would have caught, newest first', async () => {
    const titled = (await postThread(site, boardId, { title: 'CHEAP  pills', content: 'first' })).body.thread.id
    const inContent = (await postComment(site, { boardId, threadId: titled }, { content: 'cheap pi\u200blls' })).body
    const linked = { content: 'look', links: '["https://www.pills.example/x"]' }
    const inLink = (await postComment(site, { boardId, threadId: titled }, linked)).body.comment.id
    const named = (await postComment(site, { boardId, threadId: titled }, { author: 'Cheap Pills' })).body.comment.id
    const found = await dryRun({})
    expect(found).toMatchObject({ success: true, count: 2, complete: true })
    expect(found.posts).toEqual([
      {
        id: inContent.comment.id,
        boardId,
        threadId: titled,
        author: 'ferrite',
        excerpt: expect.stringContaining('cheap'),
        createdAt: expect.any(String),
        withheld: false,
      },
      expect.objectContaining({ id: titled, excerpt: expect.stringContaining('CHEAP') }),
    ])
    expect((await dryRun({ kind: 'domain', value: 'pills.example' })).posts[0].id).toBe(inLink)
    expect((await dryRun({ fields: ['name'] })).posts.map(({ id }: { id: number }) => id)).toEqual([named])
    expect((await dryRun({ fields: ['paste'] })).count).toBe(0)
    site.setNow(new Date(Date.now() + 8 * 24 * 3600 * 1000))
    expect(await dryRun({})).toMatchObject({ count: 0, posts: [], complete: true })
  })

  test('includes held and removed posts', async () => {
    const { db } = site.app.services
    const id = 900_000
    const at = new Date()
    await db.insert(thread).values({ id, boardId, title: 'Removed', lastActivity: at, deletedAt: at })
    const removed = { state: 'removed', stateAt: at } as const
    await db
      .insert(post)
      .values({ id, threadId: id, author: 'me', content: 'withheld words', createdAt: at, ...removed })
    const { posts } = await dryRun({ value: 'withheld words' })
    expect(posts).toMatchObject([{ id, withheld: true, excerpt: 'Removed withheld words' }])
    await db.delete(thread).where(eq(thread.id, id))
  })

  test('counts all posts, but lists only the newest', async () => {
    const { db } = site.app.services
    const threadId = (await postThread(site, boardId)).body.thread.id
    await db.execute(sql`insert into post (id, thread_id, author, content, created_at)
      select nextval('post_number'), ${threadId}, 'someone', 'many posts', now() from generate_series(1, 1200)`)
    const { count, posts, checked, complete } = await dryRun({ value: 'many posts' })
    expect([count, posts.length, complete]).toEqual([1200, filterLimits.dryRunPosts, true])
    expect(checked).toBeGreaterThanOrEqual(1200)
    const ids = posts.map((post: { id: number }) => post.id)
    expect(ids).toEqual(ids.toSorted((a: number, b: number) => b - a))
    await db.delete(thread)
  })

  test('refuses what a filter would refuse', async () => {
    const answer = await dryRun({ kind: 'pattern', value: '(' })
    expect(answer).toMatchObject({ success: false, error: expect.stringContaining('missing closing') })
  })
})
