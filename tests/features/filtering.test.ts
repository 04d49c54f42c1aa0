import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { filter } from '#db/schema/index.ts'
import { changeModerator } from '#server/features/board/boards/boardChanges.ts'
import { t } from '#src/i18n/t.ts'
import { callApi, createBoard, postComment, postThread, readThread, solveChallenge } from '#tests/helpers/apiCalls.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

const FILTERS = '/api/moderation/filters'
const pills = { kind: 'literal', value: 'cheap pills', fields: ['post'], effect: 'refuse' }

let site: TestSite
let admin: string
let boardId: string
let threadId: number
beforeAll(async () => {
  site = await startSite()
  admin = await site.createToken('admin@example.org', 'admin')
  boardId = await createBoard(site, 'Filtered', admin)
  threadId = (await postThread(site, boardId)).body.thread.id
})
afterEach(async () => {
  const { db, cache } = site.app.services
  await db.delete(filter)
  cache.clear()
})
afterAll(() => site.close())

const add = async (fields: object = {}) =>
  (await callApi(site, 'POST', FILTERS, { token: admin, json: { ...pills, ...fields } })).body.filter
const comment = (fields: Record<string, string>, token?: string) =>
  postComment(site, { boardId, threadId }, fields, token)
const paste = (json: object, token?: string) => callApi(site, 'POST', '/api/paste', { json, token })
const commentCount = async () => (await readThread(site, boardId, threadId)).body.thread.commentCount

describe('a filter that refuses', () => {
  test.each<[string, () => ReturnType<typeof comment>, string?]>([
    ['the title of a thread', () => postThread(site, boardId, { title: 'CHEAP PILLS' })],
    ['the content of a thread', () => postThread(site, boardId, { content: 'cheap\npills' })],
    ['the content of a comment', () => comment({ content: 'che\u200bap pills' })],
    ['a word with a spoiler in it', () => comment({ content: 'cheap p[spoiler]il[/Spoiler]ls' })],
    ['a quoting comment', () => comment({ content: `>>${threadId}\ncheap pills` })],
    ['a link', () => comment({ links: '["https://a.example/cheap-pills"]' }), '/cheap-pills'],
  ])('keeps out %s', async (_, post, value = 'cheap pills') => {
    await add({ value, message: 'Not here.' })
    const before = await commentCount()
    const { status, body } = await post()
    expect([status, body]).toEqual([403, { success: false, error: 'Not here.' }])
    expect(await commentCount()).toBe(before)
  })

  test.each<[string, string, string, number]>([
    ['a number in a text', '1729', 'it is 1729', 403],
    ['a number after a longer run of signs', '1729', '>>>1729', 403],
    ['a number beside a link', '1729', '>>1729 is 1729', 403],
    ['a part of a number in a text', '729', '1729', 403],
    ['a number in a link to a post', '1729', '>>1729\nyes', 200],
    ['a part of a number in a link', '17', 'see >>1729, too', 200],
    ['a number in a link to another board', '1729', '>>>/filtered/1729', 200],
    ['a number behind the name of no board', '1729', '>>>/tech/1729', 403],
    ['a word in a link to a board', 'filtered', 'see >>>/filtered/', 200],
    ['a word in the name of no board', 'tech', 'see >>>/tech/', 403],
    ['a number in a URL', '1729', 'https://a.example/thread/1729#p1729', 200],
    ['a word in a URL', 'pills', 'https://a.example/pills/1729', 403],
    ['a URL with a number', 'a.example/1729', 'https://a.example/1729', 403],
    ['words that only a link separates', 'cheap pills', 'cheap>>1729 pills', 403],
    ['words that a link would join', 'cheappills', 'cheap>>1729pills', 200],
  ])('finds text, not links: %s', async (_name, value, content, expected) => {
    await add({ value })
    expect((await comment({ content })).status).toBe(expected)
  })

  test('takes the name of a new board for a link, and that of a deleted one for text', async () => {
    await add({ value: 'fresh' })
    const post = async () => (await comment({ content: '>>>/fresh/' })).status
    expect(await post()).toBe(403)
    const id = await createBoard(site, 'Fresh', admin)
    // Each process hears of changes of boards from the database.
    await expect.poll(post).toBe(200)
    await callApi(site, 'DELETE', `/api/dtpchan/boards/${id}`, { token: admin })
    await expect.poll(post).toBe(403)
  })

  test('finds a number in the links of a post as little as in its URLs, and a domain there as before', async () => {
    const links = '["https://a.example/1729"]'
    await add({ value: '1729' })
    expect((await comment({ content: 'text', links })).status).toBe(200)
    await add({ kind: 'domain', value: 'a.example' })
    expect((await comment({ content: 'text', links })).status).toBe(403)
  })

  test('with a pattern reads links as they are written', async () => {
    await add({ kind: 'pattern', value: '(>>\\d+\\s*){3}' })
    expect((await comment({ content: '>>1 >>2' })).status).toBe(200)
    expect((await comment({ content: '>>1 >>2 >>3' })).status).toBe(403)
  })

  test('finds links of pastes and names, which link to no post', async () => {
    await add({ value: '1729', fields: ['paste', 'name'] })
    expect((await paste({ content: '>>1729' })).status).toBe(403)
    expect((await comment({ content: 'text', author: 'a>>1729' })).status).toBe(403)
  })

  test('has a default text, and uses up the captcha', async () => {
    await add()
    const captcha = await solveChallenge(site)
    const refused = await comment({ content: 'cheap pills', ...captcha })
    expect([refused.status, refused.body.error]).toEqual([403, t('moderation.filterRefused')])
    const again = await comment({ content: 'good text', ...captcha })
    expect([again.status, again.body.error]).toEqual([400, t('board.captchaRefused')])
    const other = await comment({ content: 'more cheap pills', ...captcha })
    expect([other.status, other.body.error]).toEqual([400, t('board.captchaRefused')])
  })

  test('applies to names only if it lists them', async () => {
    const { id } = await add()
    expect((await comment({ author: 'Cheap Pills' })).status).toBe(200)
    await callApi(site, 'PUT', `${FILTERS}/${id}`, { token: admin, json: { ...pills, fields: ['name'] } })
    expect((await comment({ author: 'Cheap Pills' })).status).toBe(403)
    expect((await comment({ content: 'cheap pills' })).status).toBe(200)
  })

  test('finds a domain in links and texts', async () => {
    await add({ kind: 'domain', value: 'spam.example' })
    expect((await comment({ links: '["https://www.SPAM.example./x"]' })).status).toBe(403)
    expect((await comment({ content: 'see http://spam.example:80' })).status).toBe(403)
    expect((await comment({ content: 'spam.example.test' })).status).toBe(200)
  })

  test('stops when it is turned off or deleted', async () => {
    const { id } = await add()
    await callApi(site, 'PUT', `${FILTERS}/${id}`, { token: admin, json: { ...pills, enabled: false } })
    expect((await comment({ content: 'cheap pills' })).status).toBe(200)
    await callApi(site, 'PUT', `${FILTERS}/${id}`, { token: admin, json: pills })
    expect((await comment({ content: 'cheap pills' })).status).toBe(403)
    await callApi(site, 'DELETE', `${FILTERS}/${id}`, { token: admin })
    expect((await comment({ content: 'cheap pills' })).status).toBe(200)
  })

  test('does not apply to admins and to moderators of the board', async () => {
    await add({ fields: ['post', 'paste'] })
    const moderator = await site.createToken('moderator@example.org')
    await changeModerator(site.app.services, boardId, 'add', 'moderator@example.org')
    const member = await site.createToken('member@example.org')
    const statuses = []
    for (const token of [admin, moderator, member]) {
      statuses.push((await comment({ content: 'cheap pills' }, token)).status)
      statuses.push((await paste({ content: 'cheap pills' }, token)).status)
    }
    expect(statuses).toEqual([200, 200, 200, 403, 403, 403])
  })
})

describe('a filter for pastes', () => {
  test.each(['refuse', 'hold'])('refuses the paste if its effect is %s', async (effect) => {
    await add({ fields: ['paste'], effect, message: 'No.' })
    const { status, body } = await paste({ content: 'x\ncheap\tpills' })
    expect([status, body.error]).toEqual([403, 'No.'])
    expect((await paste({ content: 'good text' })).status).toBe(200)
  })

  test('finds text in bytes that are not UTF-8', async () => {
    await add({ fields: ['paste'] })
    const raw = Buffer.concat([Buffer.from([0xff, 0xfe, 0]), Buffer.from('cheap pills')])
    expect((await callApi(site, 'POST', '/api/paste', { raw, type: 'application/octet-stream' })).status).toBe(403)
  })

  test('cannot check a paste that the browser encrypted', async () => {
    await add({ fields: ['paste'] })
    const content = Buffer.from('cheap pills'.padEnd(64, ' ')).toString('base64')
    const answer = await paste({ content, encrypted: true, proofHash: 'A'.repeat(43) })
    expect(answer.status).toBe(200)
  })
})
