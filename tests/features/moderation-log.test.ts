import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { changeModerator } from '#server/features/board/boards/boardChanges.ts'
import { callApi, createBoard, postComment, postThread } from '#tests/helpers/apiCalls.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

let site: TestSite
let admin: string
let moderator: string
let boardId: string

beforeAll(async () => {
  site = await startSite()
  admin = await site.createToken('boss@example.org', 'admin')
  moderator = await site.createToken('mira@example.org')
  boardId = await createBoard(site, 'Here', admin)
  await changeModerator(site.app.services, boardId, 'add', 'mira@example.org')
})
afterAll(() => site.close())

const act = (token: string, json: object) => callApi(site, 'POST', '/api/moderation/act', { token, json })
const readLog = async (query = '') => (await callApi(site, 'GET', `/api/moderation/log${query}`)).body

test('names the role, the action, the board and the reason, but no person and no content', async () => {
  const { thread } = (await postThread(site, boardId, { title: 'Secret title', author: 'sunbeam' })).body
  const { comment } = (await postComment(site, { boardId, threadId: thread.id }, { content: 'secret words' })).body
  await act(moderator, { boardId, postId: comment.id, action: 'delete', reason: 'Off topic' })
  await act(admin, { boardId, postId: thread.id, action: 'pin' })
  const { entries } = await readLog()
  expect(entries[0]).toEqual({
    id: expect.any(Number),
    at: expect.any(String),
    ...{ action: 'pin', role: 'admin', boardId, reason: '', count: 1, isThread: true, isUndone: false },
    canRestore: false,
  })
  expect(entries[1]).toMatchObject({
    action: 'delete',
    role: 'moderator',
    reason: 'Off topic',
    isThread: false,
    canRestore: true,
  })
  expect(JSON.stringify(entries)).not.toMatch(/boss|mira|example\.org|sunbeam|secret|127\.0/i)
})

test('marks an entry as undone, and logs the restoring', async () => {
  const { thread } = (await postThread(site, boardId)).body
  const { logId } = (await act(admin, { boardId, postId: thread.id, action: 'delete' })).body
  await callApi(site, 'POST', '/api/moderation/restore', { token: admin, json: { logId } })
  const { entries } = await readLog()
  expect(entries[0]).toMatchObject({ action: 'restore', role: 'admin', count: 1, canRestore: false })
  expect(entries[1]).toMatchObject({ id: logId, isThread: true, isUndone: true, canRestore: false })
})

test('writes no entry for an action without effect', async () => {
  const { thread } = (await postThread(site, boardId)).body
  expect((await act(admin, { boardId, postId: thread.id, action: 'unlock' })).body).toMatchObject({
    logId: null,
    count: 0,
  })
  const first = await act(admin, { boardId, postId: thread.id, action: 'lock' })
  const [newest] = (await readLog()).entries
  expect(newest.id).toBe(first.body.logId)
  await act(admin, { boardId, postId: thread.id, action: 'lock' })
  expect((await readLog()).entries[0].id).toBe(newest.id)
})

test.each([
  ['another action', { action: 'explode' }, 400, 'Unknown action'],
  ['a comment to be locked', { action: 'lock', postId: 'comment' }, 400, 'Only a thread can be changed like this'],
  ['a picture that does not exist', { action: 'spoiler' }, 400, 'This post has no picture'],
  ['an unknown post', { postId: 999_999 }, 404, 'Post not found'],
  ['a post of another board', { boardId: 'elsewhere' }, 404, 'Post not found'],
  ['an unknown board', { boardId: 'nowhere' }, 404, 'Board not found'],
  ['a number that is none', { postId: 'x' }, 400, 'A post number is required'],
  ['no post', { postId: undefined }, 400, 'A post number is required'],
  ['a long reason', { reason: 'x'.repeat(301) }, 400, 'Reason must be at most 300 characters'],
])('refuses %s', async (_name, fields: Record<string, unknown>, status, error) => {
  if (fields.boardId === 'elsewhere') await createBoard(site, 'Elsewhere', admin)
  const { thread } = (await postThread(site, boardId)).body
  const { comment } = (await postComment(site, { boardId, threadId: thread.id })).body
  const postId = fields.postId === 'comment' ? comment.id : thread.id
  const json = { boardId, action: 'delete', postId, ...fields, ...(fields.postId === 'comment' && { postId }) }
  const response = await act(admin, json)
  expect([response.status, response.body]).toEqual([status, { success: false, error }])
})

test('lists fifty entries per page, each once, also on the page', async () => {
  await site.app.services.db.execute(
    sql`insert into moderation_log (at, action, role, board_id)
      select now(), 'lock', 'moderator', ${boardId} from generate_series(1, 120)`,
  )
  const ids: number[] = []
  for (let before: number | null = null, first = true; first || before !== null; first = false) {
    const page: { entries: { id: number }[]; nextBefore: number | null } = await readLog(
      before === null ? '' : `?before=${before}`,
    )
    if (page.nextBefore !== null) expect(page.entries).toHaveLength(50)
    ids.push(...page.entries.map(({ id }) => id))
    before = page.nextBefore
  }
  expect(ids).toEqual([...new Set(ids)].sort((a, b) => b - a))
  expect(ids.length).toBeGreaterThan(120)
  for (const board of ['nowhere', '', '%00', 'x'.repeat(41), `${boardId}&boardId=${boardId}`]) {
    expect([board, (await readLog(`?boardId=${board}`)).entries]).toEqual([board, []])
  }
})
