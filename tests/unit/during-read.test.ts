import { expect, test } from 'vitest'
import { createReads } from '#src/features/board/duringRead.ts'

test('gives back every event that arrives during a read, also one of a lower number', async () => {
  const { note, read } = createReads<number>()
  let answer = (_value: { lastEventId: number }) => {}
  note(4)
  const reading = read(() => new Promise<{ lastEventId: number }>((resolve) => (answer = resolve)))
  note(7)
  note(6)
  answer({ lastEventId: 7 })
  expect(await reading).toEqual({ read: { lastEventId: 7 }, during: [7, 6] })
  note(8)
  expect((await read(async () => 1)).during).toEqual([])
})

test('forgets a read that failed', async () => {
  const { note, read } = createReads<number>()
  await expect(read(() => Promise.reject(new Error('offline')))).rejects.toThrow('offline')
  note(1)
  expect((await read(async () => 1)).during).toEqual([])
})
