import { expect, test } from 'vitest'
import { createLiveData } from '#src/lib/liveData.ts'
import { createThrottle } from '#src/lib/throttle.ts'

test('starts with the data of the page and reads nothing', () => {
  const live = createLiveData('of the page', () => Promise.reject())
  expect(live.get()).toBe('of the page')
  live.update((data) => `${data}, changed`)
  expect(live.get()).toBe('of the page, changed')
})

test('applies changes made during a refetch to what it fetched', async () => {
  let respond = (_ids: number[]) => {}
  const live = createLiveData([1], () => new Promise<number[]>((resolve) => (respond = resolve)))
  live.update((ids) => [...ids, 2])
  const refetched = live.refetch()
  live.update((ids) => [...ids, 3])
  respond([1, 2])
  expect(await refetched).toEqual([1, 2, 3])
  live.update((ids) => [...ids, 4])
  expect(live.get()).toEqual([1, 2, 3, 4])
})

test('discards the response of a refetch that a newer one overtook', async () => {
  const responses: ((text: string) => void)[] = []
  const live = createLiveData('', () => new Promise<string>((resolve) => responses.push(resolve)))
  const both = [live.refetch(), live.refetch()]
  responses[1]?.('newer')
  responses[0]?.('older')
  await Promise.all(both)
  expect(live.get()).toBe('newer')
})

test('keeps the data when a refetch fails', async () => {
  const live = createLiveData('kept', () => Promise.reject(new Error('offline')))
  expect(await live.refetch()).toBeUndefined()
  expect(live.get()).toBe('kept')
})

test('an event reads the data again until that succeeds', async () => {
  const answers = [() => Promise.reject(new Error('offline')), () => Promise.resolve('new')]
  const live = createLiveData('old', () => answers.shift()?.() ?? Promise.reject(new Error('read too often')))
  createThrottle(live.follow, { delayMs: () => 0, intervalMs: 1 }).request()
  await expect.poll(live.get).toBe('new')
})
