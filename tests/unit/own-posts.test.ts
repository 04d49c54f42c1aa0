import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { addOwnPost, ownPosts } from '#src/features/board/writing/ownPosts.ts'

const entries = new Map<string, string>()

beforeEach(() => {
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, text: string) => entries.set(key, text),
    removeItem: (key: string) => entries.delete(key),
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
  entries.clear()
})

const held = { title: '', author: 'ada', content: 'waits', createdAt: '2026-01-01T00:00:00.000Z', heldUntil: null }

test('keeps the text of a post that waits, however many others its author sends meanwhile', () => {
  addOwnPost({ id: 1, token: 'first', held })
  for (let id = 2; id <= 100; id++) addOwnPost({ id, token: 'later' })
  expect(ownPosts.get().find(({ id }) => id === 1)?.held).toEqual(held)
})

test('forgets the oldest texts of many posts that wait, and keeps their tokens', () => {
  for (let id = 1; id <= 30; id++) addOwnPost({ id, token: `token ${id}`, held })
  const ids = ownPosts.get().flatMap((post) => (post.held ? post.id : []))
  expect(ids).toEqual(Array.from({ length: 20 }, (_, index) => 30 - index))
  expect(ownPosts.get().find(({ id }) => id === 1)).toEqual({ id: 1, token: 'token 1' })
})

test('removes the texts of earlier versions, which nothing reads', async () => {
  entries.set('dtpchan_held_posts', '[]')
  vi.resetModules()
  await import('#src/features/board/writing/ownPosts.ts')
  expect([...entries.keys()]).toEqual([])
})
