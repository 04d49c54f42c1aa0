import { expect, test } from 'vitest'
import { atHost, byHost, requestHeaders } from '#server/features/news/hostQueue.ts'

/** As long as whatever can begin takes to begin. */
const tick = () => new Promise((resolve) => setImmediate(resolve))

/** Work that notes how much of it runs at once, over all and at one host. */
function watched() {
  const running = new Map<string, number>()
  const done: string[] = []
  const most = { over: 0, atOne: 0 }
  const work = async (item: string) => {
    const host = item[0] ?? ''
    running.set(host, (running.get(host) ?? 0) + 1)
    const counts = [...running.values()]
    most.over = Math.max(most.over, counts.filter((count) => count > 0).length)
    most.atOne = Math.max(most.atOne, ...counts)
    await tick()
    running.set(host, (running.get(host) ?? 0) - 1)
    done.push(item)
  }
  return { work, done, most }
}

const items = ['a1', 'a2', 'a3', 'b1', 'c1', 'd1', 'e1', 'b2']
const hostOf = (item: string) => item[0] ?? ''

test('a few hosts at a time, and each one thing after the other', async () => {
  const { work, done, most } = watched()
  await byHost(items, hostOf, { hosts: 2, stop: () => false }, work)
  expect(done.toSorted()).toEqual(items.toSorted())
  expect(done.filter((item) => item.startsWith('a'))).toEqual(['a1', 'a2', 'a3'])
  expect(most).toEqual({ over: 2, atOne: 1 })
})

test('nothing more begins once it is over', async () => {
  const { work, done } = watched()
  await byHost(items, hostOf, { hosts: 2, stop: () => done.length >= 2 }, work)
  expect(done.length).toBeLessThan(5)
})

test('one that fails takes no other with it, and is told when all have ended', async () => {
  const { work, done } = watched()
  const failing = (item: string) => (item === 'a1' ? Promise.reject(new Error('a1 fails')) : work(item))
  await expect(byHost(items, hostOf, { hosts: 2, stop: () => false }, failing)).rejects.toThrow('a1 fails')
  expect(done).toHaveLength(items.length - 1)
})

test('whoever asks, a host has one request at a time', async () => {
  const { work, done, most } = watched()
  const failing = atHost('a', () => Promise.reject(new Error('no')))
  await Promise.all([
    expect(failing).rejects.toThrow('no'),
    ...items.map((item) => atHost(hostOf(item), () => work(item))),
  ])
  expect(done).toHaveLength(items.length)
  expect(most).toEqual({ over: 5, atOne: 1 })
})

test('a request says who asks, in characters a header can carry', () => {
  const headers = requestHeaders({ siteUrl: 'https://bücher.example' }, 'text/html')
  expect(headers['user-agent']).toBe('dtp-site news reader (+https://xn--bcher-kva.example/)')
})
