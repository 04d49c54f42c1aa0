import { afterAll, beforeAll, expect, test } from 'vitest'
import { createContext } from '#server/core/context.ts'
import { createCaller } from '#server/router.ts'
import { boardLimits } from '#src/contract/board.ts'
import { callApi, createBoard, postComment, postThread } from '#tests/helpers/apiCalls.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

let site: TestSite
let admin: string
beforeAll(async () => {
  site = await startSite()
  admin = await site.createToken('admin@example.org', 'admin')
})
afterAll(() => site.close())

const read = (cursor?: string) =>
  createCaller(createContext(site.app.services, { ip: '127.0.0.1', headers: {} }, true)).board.all({ cursor })

test('lists the threads of all boards by latest activity, in pages', async () => {
  const boards = [await createBoard(site, 'One', admin), await createBoard(site, 'Two', admin)]
  const ids: number[] = []
  for (let number = 0; number < boardLimits.threadsPerPage + 3; number++) {
    ids.unshift((await postThread(site, boards[number % 2] as string)).body.thread.id)
  }
  // A pinned thread is not moved, because it is pinned only on its board.
  const oldest = ids.at(-1) as number
  await callApi(site, 'POST', '/api/moderation/act', {
    token: admin,
    json: { boardId: 'one', postId: oldest, action: 'pin' },
  })
  const first = await read()
  expect(first.boards).toEqual([
    { id: 'one', name: 'One' },
    { id: 'two', name: 'Two' },
  ])
  expect(first.threads.map(({ id }) => id)).toEqual(ids.slice(0, boardLimits.threadsPerPage))
  expect(first.threads[0]).toMatchObject({ boardId: 'one', title: 'A title' })
  // Programs get the same threads.
  const { body } = await callApi(site, 'GET', '/api/dtpchan/threads')
  expect([body.nextCursor, body.threads.map(({ id }: { id: number }) => id)]).toEqual([
    first.nextCursor,
    ids.slice(0, boardLimits.threadsPerPage),
  ])
  const second = (await callApi(site, 'GET', `/api/dtpchan/threads?cursor=${first.nextCursor}`)).body
  expect(second.threads.map(({ id }: { id: number }) => id)).toEqual(ids.slice(boardLimits.threadsPerPage))
  expect(second.nextCursor).toBeNull()

  await postComment(site, { boardId: 'one', threadId: oldest })
  expect((await read()).threads[0]).toMatchObject({ id: oldest, pinned: true, newest: { author: 'ferrite' } })
  await callApi(site, 'DELETE', '/api/dtpchan/boards/one', { token: admin })
  const left = await read()
  expect(left.threads.every(({ boardId }) => boardId === 'two')).toBe(true)
  expect(left.boards).toEqual([{ id: 'two', name: 'Two' }])
})
