import { expect, test } from 'vitest'
import { queueForHost, requestHeaders } from '#server/features/news/fetchFeed.ts'

/** Lets pending tasks run. */
const tick = () => new Promise((resolve) => setImmediate(resolve))

/** Creates a task that records how many hosts, and how many items per host, run in parallel. */
function createTask() {
  const running = new Map<string, number>()
  const done: string[] = []
  const parallel = { hosts: 0, perHost: 0 }
  const work = async (item: string) => {
    const host = item[0] ?? ''
    running.set(host, (running.get(host) ?? 0) + 1)
    const counts = [...running.values()]
    parallel.hosts = Math.max(parallel.hosts, counts.filter((count) => count > 0).length)
    parallel.perHost = Math.max(parallel.perHost, ...counts)
    await tick()
    running.set(host, (running.get(host) ?? 0) - 1)
    done.push(item)
  }
  return { work, done, parallel }
}

const items = ['a1', 'a2', 'a3', 'b1', 'c1', 'd1', 'e1', 'b2']
const hostOf = (item: string) => item[0] ?? ''

test('queues tasks of all callers for the same host', async () => {
  const { work, done, parallel } = createTask()
  const failing = queueForHost('a', () => Promise.reject(new Error('no')))
  await Promise.all([
    expect(failing).rejects.toThrow('no'),
    ...items.map((item) => queueForHost(hostOf(item), () => work(item))),
  ])
  expect(done).toHaveLength(items.length)
  expect(parallel).toEqual({ hosts: 5, perHost: 1 })
})

test('names the site in the user agent, with an ASCII host name', () => {
  const headers = requestHeaders({ siteUrl: 'https://bücher.example' }, 'text/html')
  expect(headers['user-agent']).toBe('dtp-site news reader (+https://xn--bcher-kva.example/)')
})
