import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { changeModerator } from '#server/features/board/boards/boardChanges.ts'
import { callApi, createBoard, readThread } from '#tests/helpers/apiCalls.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'
import { createVisitor } from '#tests/helpers/visitor.ts'

const NOTE = 'USER WAS BANNED FOR THIS <POST>'

let site: TestSite
let admin: string
let boardId: string
let threadId: number
let postId: number
beforeAll(async () => {
  site = await startSite()
  admin = await site.createToken('admin@example.org', 'admin')
  boardId = await createBoard(site, 'Noted', admin)
})
afterAll(() => site.close())
let visitors = 0
beforeEach(async () => {
  const visitor = createVisitor(site, `198.51.100.${++visitors}`)
  threadId = (await visitor.postThread(boardId)).body.thread.id
  postId = (await visitor.postComment(boardId, threadId)).body.comment.id
})

const endsAt = new Date(Date.now() + 86_400_000).toISOString()
const BAN = { endsAt, width: 'host', scope: 'board' }
const ban = (fields: object = {}, token = admin) =>
  callApi(site, 'POST', '/api/moderation/poster/delete', {
    token,
    json: { boardId, postId, reason: 'spam', deletePosts: false, ban: BAN, ...fields },
  })
const act = (action: string, token = admin) =>
  callApi(site, 'POST', '/api/moderation/act', { token, json: { boardId, postId, action } })
const noteOf = async () => (await readThread(site, boardId, threadId)).body.thread.comments[0]?.note
const json = async () =>
  (await site.app.inject({ method: 'GET', url: `/${boardId}/thread/${threadId}.json` })).json().posts.at(-1)

describe('a public note', () => {
  test('of a ban is below the post, in the JSON of 4chan escaped, and can be removed', async () => {
    expect((await ban({ note: `  ${NOTE} ` })).status).toBe(200)
    expect(await noteOf()).toBe(NOTE)
    const noted = await json()
    expect(noted.dtp_note).toBe(NOTE)
    expect(noted.com).toMatch(/<br><br><span class="public_ban">\(USER WAS BANNED FOR THIS &lt;POST&gt;\)<\/span>$/)
    const member = await site.createToken('member@example.org')
    expect((await act('remove-note', member)).status).toBe(403)
    expect((await act('remove-note')).body).toMatchObject({ count: 1 })
    expect((await act('remove-note')).body).toMatchObject({ count: 0 })
    expect(await noteOf()).toBeUndefined()
    expect(await json()).not.toHaveProperty('dtp_note')
  })

  test('is in the feed of the thread, escaped', async () => {
    await ban({ note: NOTE })
    const feed = await callApi(site, 'GET', `/dtpchan/board/${boardId}/thread/${threadId}/feed.json`)
    const texts = feed.body.items.map((item: { content_html: string }) => item.content_html).join()
    expect(texts).toContain('<p><strong>(USER WAS BANNED FOR THIS &lt;POST&gt;)</strong></p>')
  })

  test('is written by moderators of the board only, also by those who are no admins', async () => {
    const token = await site.createToken('moderator@example.org')
    expect((await ban({ note: NOTE }, token)).status).toBe(403)
    expect(await noteOf()).toBeUndefined()
    await changeModerator(site.app.services, boardId, 'add', 'moderator@example.org')
    expect((await ban({ note: NOTE }, token)).status).toBe(200)
    expect(await noteOf()).toBe(NOTE)
  })

  test('goes with its post, and comes back with it', async () => {
    await ban({ note: NOTE })
    const { logId } = (await act('delete')).body
    expect(await noteOf()).toBeUndefined()
    await callApi(site, 'POST', '/api/moderation/restore', { token: admin, json: { logId } })
    expect(await noteOf()).toBe(NOTE)
  })

  test('is not written if the ban is refused', async () => {
    expect((await ban({ note: NOTE, ban: { ...BAN, endsAt: new Date(0).toISOString() } })).status).toBe(400)
    expect(await noteOf()).toBeUndefined()
  })

  test.each([
    ['', 'The note is empty'],
    [' ', 'The note is empty'],
    ['x'.repeat(201), 'Note must be at most 200 characters'],
    ['a\nb', 'Note must be one line without control or text direction characters'],
    ['a\u202eb', 'Note must be one line without control or text direction characters'],
    ['a\0b', 'Text contains characters that cannot be stored'],
    [7, 'The note is empty'],
  ])('%j is refused', async (note, error) => {
    const { status, body } = await ban({ note })
    expect([status, body.error]).toEqual([400, error])
    expect(await noteOf()).toBeUndefined()
  })

  test('needs a ban', async () => {
    const { status, body } = await ban({ note: NOTE, ban: undefined, deletePosts: true })
    expect([status, body.error]).toEqual([400, 'Only a ban has a public note'])
  })
})
