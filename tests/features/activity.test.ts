import { afterAll, beforeAll, expect, test } from 'vitest'
import { createContext } from '#server/core/context.ts'
import { createCaller } from '#server/router.ts'
import { boardLimits } from '#src/contract/board.ts'
import { createBoard, postComment, postThread } from '#tests/helpers/apiCalls.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

let site: TestSite
beforeAll(async () => {
  site = await startSite()
  const admin = await site.createToken('admin@example.org', 'admin')
  for (const name of ['Busy', 'Quiet']) await createBoard(site, name, admin)
})
afterAll(() => site.close())

const api = () => createCaller(createContext(site.app.services, { ip: '127.0.0.1', headers: {} })).board
const createThread = async (boardId: string, title: string): Promise<number> =>
  (await postThread(site, boardId, { title })).body.thread.id
const at = (time: string) => site.setNow(new Date(`2026-03-02T${time}Z`))

test('counts posts per ten minutes of this UTC day, and those of the last hour', async () => {
  site.setNow(new Date('2026-03-01T23:55:00Z'))
  const threadId = await createThread('busy', 'Yesterday')
  at('00:19:59')
  await postComment(site, { boardId: 'busy', threadId })
  await postComment(site, { boardId: 'busy', threadId })
  at('00:20:00')
  await createThread('busy', 'Today')

  expect(await api().activity()).toEqual({ counts: [0, 2, 1], lastHour: 4 })
  at('01:05:00')
  expect(await api().activity()).toEqual({ counts: [0, 2, 1, 0, 0, 0, 0], lastHour: 3 })
})

test('keeps the counts for some seconds', async () => {
  at('02:00:00')
  const threadId = await createThread('busy', 'Counted')
  const before = await api().activity()
  await postComment(site, { boardId: 'busy', threadId })
  at('02:00:09')
  expect(await api().activity()).toEqual(before)
  at('02:05:00')
  expect((await api().activity()).lastHour).toBe(before.lastHour + 1)
})

test('lists boards with their threads, the latest thread and the posts of 24 hours', async () => {
  at('03:00:00')
  const id = await createThread('busy', 'The latest')
  const { boards } = await api().overview()
  const [busy, quiet] = boards
  expect(quiet).toMatchObject({ id: 'quiet', threads: 0, latest: null, activity: [] })
  expect(busy).toMatchObject({
    id: 'busy',
    threads: 4,
    latest: { id, title: 'The latest', lastActivity: new Date('2026-03-02T03:00:00Z') },
  })
  expect(busy?.activity).toHaveLength(boardLimits.activityCounts)
  // Half hours end now: 23:50–00:10, 00:20, 02:00 and 03:00.
  expect(busy?.activity.filter((count) => count > 0).reduce((sum, count) => sum + count, 0)).toBe(7)
  expect(busy?.activity.at(-1)).toBe(1)
})

test('counts no thread and no post that was deleted', async () => {
  at('05:00:00')
  const admin = await site.createToken('admin@example.org', 'admin')
  const id = await createThread('quiet', 'Deleted')
  const caller = createCaller(
    createContext(site.app.services, { ip: '127.0.0.1', headers: { authorization: `Bearer ${admin}` } }),
  )
  await caller.board.deleteThread({ boardId: 'quiet', threadId: String(id) })
  const quiet = (await api().overview()).boards.find((board) => board.id === 'quiet')
  expect(quiet).toMatchObject({ threads: 0, latest: null, activity: [] })
})
