import { expect, test } from 'vitest'
import { forEachConcurrently } from '#server/core/storage/forEachConcurrently.ts'
import { createDeferred } from '#tests/helpers/deferred.ts'

test('runs at most as much work as the limit', async () => {
  let running = 0
  const counts: number[] = []
  await forEachConcurrently([1, 2, 3, 4, 5], 2, async () => {
    counts.push(++running)
    await new Promise(setImmediate)
    running--
  })
  expect([counts.length, Math.max(...counts)]).toEqual([5, 2])
})

const failures: [string, () => AsyncGenerator<number>, (item: number) => Promise<void>][] = [
  [
    'listing the items',
    async function* () {
      yield 1
      throw new Error('broken')
    },
    async () => {},
  ],
  [
    'other work',
    async function* () {
      yield* [1, 2, 3]
    },
    async (item) => {
      if (item === 2) throw new Error('broken')
    },
  ],
]
test.each(failures)('waits for the running work when %s fails', async (_what, list, work) => {
  const first = createDeferred()
  let isSettled = false
  const all = forEachConcurrently(list(), 4, (item) => (item === 1 ? first.promise : work(item)))
  const settled = all.catch(() => {}).finally(() => (isSettled = true))
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(isSettled).toBe(false)
  first.resolve()
  await settled
  await expect(all).rejects.toThrow('broken')
})
