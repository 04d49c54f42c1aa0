import { expect, test } from 'vitest'
import { createSemaphore } from '#server/core/limits/semaphore.ts'

const full = () => new Error('full')

/** Creates named work that runs until the test calls `finish` with the name. */
function createWorks() {
  const finishers = new Map<string, () => void>()
  const started: string[] = []
  return {
    started,
    start: (name: string) => () =>
      new Promise<string>((resolve) => {
        started.push(name)
        finishers.set(name, () => resolve(name))
      }),
    async finish(name: string) {
      finishers.get(name)?.()
      await new Promise(setImmediate)
    },
  }
}

test('runs work of other keys before waiting work of a key at its limit', async () => {
  const semaphore = createSemaphore({ running: 3, waiting: 10, perKey: { running: 2, waiting: 10 }, onFull: full })
  const { start, started, finish } = createWorks()
  const run = (name: string, key: string) => semaphore.run(start(name), { key })
  const all = Promise.all([run('a1', 'a'), run('a2', 'a'), run('a3', 'a'), run('b1', 'b'), run('b2', 'b')])
  await new Promise(setImmediate)
  expect(started).toEqual(['a1', 'a2', 'b1'])
  await finish('b1')
  expect(started).toEqual(['a1', 'a2', 'b1', 'b2'])
  await finish('a1')
  expect(started).toEqual(['a1', 'a2', 'b1', 'b2', 'a3'])
  for (const name of ['a2', 'a3', 'b2']) await finish(name)
  expect(await all).toEqual(['a1', 'a2', 'a3', 'b1', 'b2'])
})

test('refuses work beyond the waiting limit of its key, and accepts work of other keys', async () => {
  const semaphore = createSemaphore({ running: 1, waiting: 10, perKey: { running: 1, waiting: 1 }, onFull: full })
  const { start, started, finish } = createWorks()
  const first = semaphore.run(start('a1'), { key: 'a' })
  const second = semaphore.run(start('a2'), { key: 'a' })
  await expect(semaphore.run(start('a3'), { key: 'a' })).rejects.toThrow('full')
  const other = semaphore.run(start('b1'), { key: 'b' })
  await finish('a1')
  await finish('b1')
  await finish('a2')
  expect(await Promise.all([first, second, other])).toEqual(['a1', 'a2', 'b1'])
  expect(started).toEqual(['a1', 'b1', 'a2'])
})

test('applies no limit per key to work without a key', async () => {
  const semaphore = createSemaphore({ running: 3, waiting: 10, perKey: { running: 1, waiting: 0 }, onFull: full })
  const { start, started, finish } = createWorks()
  const all = Promise.all(['1', '2', '3'].map((name) => semaphore.run(start(name))))
  await new Promise(setImmediate)
  expect(started).toEqual(['1', '2', '3'])
  for (const name of started) await finish(name)
  await all
})

test('runs waiting work of other keys before more work of a key that had its turn', async () => {
  const semaphore = createSemaphore({ running: 1, waiting: 10, perKey: { running: 1, waiting: 10 }, onFull: full })
  const { start, started, finish } = createWorks()
  const run = (name: string, key: string) => semaphore.run(start(name), { key })
  const all = Promise.all([run('a1', 'a'), run('a2', 'a'), run('a3', 'a'), run('b1', 'b'), run('c1', 'c')])
  await new Promise(setImmediate)
  for (const name of ['a1', 'b1', 'c1', 'a2', 'a3']) await finish(name)
  await all
  expect(started).toEqual(['a1', 'b1', 'c1', 'a2', 'a3'])
})

test('starts work in order if it has to wait for the budget', async () => {
  const semaphore = createSemaphore({ running: 2, waiting: 30, budget: 100, onFull: full })
  const { start, started, finish } = createWorks()
  const all = Promise.all([
    semaphore.run(start('large 1'), { cost: 90 }),
    semaphore.run(start('large 2'), { cost: 90 }),
    semaphore.run(start('small'), { cost: 10 }),
  ])
  await new Promise(setImmediate)
  expect(started).toEqual(['large 1'])
  await finish('large 1')
  expect(started).toEqual(['large 1', 'large 2', 'small'])
  for (const name of ['large 2', 'small']) await finish(name)
  await all
})
