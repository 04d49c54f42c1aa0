import { expect, test } from 'vitest'
import { createPageQuery } from '#src/lib/pageQuery.ts'

const requestSent = () => new Promise((resolve) => setTimeout(resolve))

test('starts with the data of the page and fetches nothing', async () => {
  const query = createPageQuery({ queryKey: ['first'], queryFn: () => Promise.reject(), initialData: 'of the page' })
  expect(query.getData()).toBe('of the page')
  await query.update((data) => `${data}, changed`)
  expect(query.getData()).toBe('of the page, changed')
})

test('applies changes made during a refetch to what it fetched', async () => {
  let respond = (_ids: number[]) => {}
  const queryFn = () => new Promise<number[]>((resolve) => (respond = resolve))
  const query = createPageQuery({ queryKey: ['changes'], queryFn, initialData: [1] })
  await query.update((ids) => [...ids, 2])
  const refetched = query.refetch()
  await requestSent()
  await query.update((ids) => [...ids, 3])
  respond([1, 2])
  expect(await refetched).toEqual([1, 2, 3])
  await query.update((ids) => [...ids, 4])
  expect(query.getData()).toEqual([1, 2, 3, 4])
})

test('discards the response of a refetch that a newer one overtook', async () => {
  const responses: ((text: string) => void)[] = []
  const queryFn = () => new Promise<string>((resolve) => responses.push(resolve))
  const query = createPageQuery({ queryKey: ['overtaken'], queryFn, initialData: '' })
  const both = [query.refetch()]
  await requestSent()
  both.push(query.refetch())
  await requestSent()
  responses[1]?.('newer')
  responses[0]?.('older')
  await Promise.all(both)
  expect(query.getData()).toBe('newer')
})

test('keeps the data when a refetch fails', async () => {
  const queryFn = () => Promise.reject(new Error('offline'))
  const query = createPageQuery({ queryKey: ['failing'], queryFn, initialData: 'kept' })
  expect(await query.refetch()).toBeUndefined()
  expect(query.getData()).toBe('kept')
})
