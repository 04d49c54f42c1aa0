import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { t } from '#src/i18n/t.ts'
import { callApi, createBoard, postComment, postThread, readThread } from '#tests/helpers/apiCalls.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

const SECRET = 'correct-horse-battery'

let site: TestSite
let admin: string
let boardId: string
let threadId: number
let code: string
beforeAll(async () => {
  site = await startSite()
  admin = await site.createToken('admin@example.org', 'admin')
  boardId = await createBoard(site, 'Codes', admin)
  const { thread } = (await postThread(site, boardId, { author: `gl1tch##${SECRET}` })).body
  threadId = thread.id
  code = thread.tripcode
})
afterAll(() => site.close())

const comment = (author: string) => postComment(site, { boardId, threadId }, { author })
const read = async () => (await readThread(site, boardId, threadId)).body.thread

describe('a tripcode', () => {
  test('cannot be sent, nor another column that the form does not name', async () => {
    const columns = { tripcode: '!!abcdefghijk', posterLabel: 'x', spoiler: 'true', note: 'x', state: 'held', id: '1' }
    const { status, body } = await postComment(site, { boardId, threadId }, { ...columns, stub: 'true' })
    expect([status, body.comment]).toEqual([200, expect.objectContaining({ tripcode: null, spoiler: false })])
    const stored = (await read()).comments.at(-1)
    expect(stored).toMatchObject({ id: body.comment.id, tripcode: null, posterLabel: null, spoiler: false })
    expect('note' in stored).toBe(false)
  })

  test('is the same for the same secret, whatever the nick, and another for other secrets', async () => {
    expect(code).toMatch(/^!![\w-]{11}$/)
    expect((await read()).tripcode).toBe(code)
    const posted = await Promise.all(
      [
        `  other ## ${SECRET} `,
        `gl1tch#${SECRET}`,
        `gl1tch ＃${SECRET}`,
        `gl1tch##${SECRET}!`,
        'gl1tch###',
        'gl1tch',
      ].map(async (author) => (await comment(author)).body.comment),
    )
    expect(posted.map(({ author }) => author)).toEqual(['other', ...Array(5).fill('gl1tch')])
    const codes = posted.map(({ tripcode }) => tripcode)
    expect(codes.slice(0, 3)).toEqual([code, code, code])
    expect(codes.at(-1)).toBeNull()
    expect(new Set(codes).size).toBe(4)
    // The same letters, composed and decomposed.
    const [one, two] = await Promise.all(['gl1tch##caf\u00e9', 'gl1tch##cafe\u0301'].map((author) => comment(author)))
    expect(one?.body.comment.tripcode).toBe(two?.body.comment.tripcode)
  })

  test('is in the feed, in the JSON of 4chan, and kept by a removal and a restoration', async () => {
    const feed = await site.app.inject(`/dtpchan/board/${boardId}/thread/${threadId}/feed.atom`)
    expect(feed.body).toContain(`<name>gl1tch ${code}</name>`)
    const { body } = await callApi(site, 'GET', `/${boardId}/thread/${threadId}.json`)
    expect(body.posts[0]).toMatchObject({ name: 'gl1tch', trip: code })
    const json = { boardId, postId: threadId, action: 'delete' }
    const { logId } = (await callApi(site, 'POST', '/api/moderation/act', { token: admin, json })).body
    await callApi(site, 'POST', '/api/moderation/restore', { token: admin, json: { logId } })
    expect((await read()).tripcode).toBe(code)
  })

  test('belongs to a held post too, which filters find by its nick', async () => {
    const filter = { kind: 'literal', value: 'gl1tch', fields: ['name'], effect: 'hold' }
    const { id } = (await callApi(site, 'POST', '/api/moderation/filters', { token: admin, json: filter })).body.filter
    const { comment: held } = (await comment(`gl1tch##${SECRET}`)).body
    expect(held).toMatchObject({ author: 'gl1tch', tripcode: code })
    const list = await callApi(site, 'GET', '/api/moderation/held', { token: admin })
    expect(list.body.posts.at(-1).tripcode).toBe(code)
    expect(JSON.stringify(list.body)).not.toContain(SECRET)
    await callApi(site, 'POST', `/api/moderation/held/${held.id}/approve`, { token: admin })
    expect((await read()).comments.at(-1)).toMatchObject({ id: held.id, tripcode: code })
    await callApi(site, 'DELETE', `/api/moderation/filters/${id}`, { token: admin })
  })
})

test.each<[string, string]>([
  ['wow!', 'wow!'],
  ['wow！！', 'wow!'],
  ['wow !\u200b!', 'wow !'],
])('shortens the exclamation marks of the name %j', async (typed, shown) => {
  expect((await comment(typed)).body.comment).toMatchObject({ author: shown, tripcode: null })
  expect((await comment(`${typed}##${SECRET}`)).body.comment).toMatchObject({ author: shown, tripcode: code })
})

test.each<[string, string]>([
  ['gl1tch##', t('board.tripcodeSecret')],
  ['gl1tch## \u200b ', t('board.tripcodeSecret')],
  ['gl1tch#', t('board.tripcodeSecret')],
  ['Tripfag !ozOtJW9BFA', t('board.authorCode')],
  [`Tripfag ！！ozOtJW9BFA#${SECRET}`, t('board.authorCode')],
  ['Nightowl !!radio', t('board.authorCode')],
  ['Bob ♯♯ Admin', t('board.authorCode')],
  [`##${SECRET}`, t('board.authorRequired')],
  [`＃${SECRET}`, t('board.authorRequired')],
  [`x##${SECRET}`, t('board.authorRequired')],
  [`!!##${SECRET}`, t('board.authorRequired')],
  [`${'x'.repeat(65)}##${SECRET}`, 'Username must be at most 64 characters'],
  [`gl1tch##${'s'.repeat(129)}`, 'The secret after # must be at most 128 characters'],
  [`gl1tch##a\u0007${SECRET}`, 'The secret after # must be one line without control or text direction characters'],
  [`gl1tch##a\0${SECRET}`, 'Text contains characters that cannot be stored'],
])('refuses %j without repeating it', async (author, error) => {
  const { status, body } = await comment(author)
  expect({ status, ...body }).toEqual({ status: 400, success: false, error })
})

test('no visitor looks like the poster of an imported post', async () => {
  const { comment: posted } = (await comment('Bob ＃＃ Admin')).body
  expect(posted).toMatchObject({ author: 'Bob', tripcode: expect.stringMatching(/^!![\w-]{11}$/) })
})

test('the secret is not stored', async () => {
  for (const mark of ['#', '＃', '﹟', '##']) expect((await comment(`gl1tch${mark}${SECRET}`)).status).toBe(200)
  const { db } = site.app.services
  const tables = await db.execute<{ name: string }>(
    sql`select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`,
  )
  expect(tables.length).toBeGreaterThan(20)
  for (const { name } of tables) {
    const found = await db.execute(`select 1 from ${name} as t where t::text like '%${SECRET}%' limit 1`)
    expect([name, found.length]).toEqual([name, 0])
  }
})
