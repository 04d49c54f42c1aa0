import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Context, createContext } from '#server/core/context.ts'
import { listBoards } from '#server/features/board/boards/boards.ts'
import { listThreads } from '#server/features/board/read/threadLists.ts'
import { readThread } from '#server/features/board/read/threads.ts'
import { prepareBoards } from '#server/seed/boards.ts'
import { fillBoard } from '#server/seed/fillBoard.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

const NOW = new Date('2026-11-21T20:00:00Z')

describe('seed command', () => {
  let site: TestSite
  let ctx: Context

  beforeAll(async () => {
    site = await startSite({ THREAD_POST_LIMIT: '24' })
    ctx = createContext(site.app.services, { ip: '127.0.0.1', headers: {} })
  })
  afterAll(() => site.close())

  test('rejects a missing board on a site without an admin', async () => {
    await expect(prepareBoards(ctx)).rejects.toThrow('Cannot create the board: the site has no admin')
  })

  test('creates four boards on an empty site, and later only the requested one', async () => {
    await site.createToken('admin@example.org', 'admin')
    const { main, others } = await prepareBoards(ctx)
    expect(main).toMatchObject({ id: 'technology', name: 'Technology', moderators: ['admin@example.org'] })
    expect(others.map(({ id }) => id)).toEqual(['radio', 'hardware', 'random'])
    expect(await prepareBoards(ctx, 'TECHNOLOGY')).toEqual({ main, others: [] })
    expect((await prepareBoards(ctx, 'retro')).main).toMatchObject({ id: 'retro', name: 'Retro' })
    expect(await listBoards(ctx)).toHaveLength(5)
  })

  test('writes threads, comments and images in order of time', async () => {
    const amounts = { threads: 8, comments: 18, pictures: 3 }
    const counts = await fillBoard(ctx, 'technology', amounts, NOW)
    expect(counts).toMatchObject({ threads: 8, pictures: 3 })

    const { threads } = await listThreads(ctx, 'technology')
    expect(new Set(threads.map(({ title }) => title)).size).toBe(8)
    const [busiest] = threads
    const { thread } = await readThread(ctx, 'technology', busiest?.id ?? 0)
    expect(thread.comments.length).toBeGreaterThan(14)
    expect(thread.image).toMatch(/^\/dtpchan\/uploads\//)
    expect(thread.comments.some((comment) => comment.quotes.length > 0)).toBe(true)
    const times = [thread, ...thread.comments].map(({ createdAt }) => createdAt.getTime())
    expect(times).toEqual([...times].sort((a, b) => a - b))
    expect(times.at(-1)).toBeLessThan(NOW.getTime())
  })

  test('counts the posts that a full thread rejects', async () => {
    const counts = await fillBoard(ctx, 'random', { threads: 2, comments: 40, pictures: 0 }, NOW)
    expect(counts.rejected).toBeGreaterThan(15)
    const { threads } = await listThreads(ctx, 'random')
    expect(Math.max(...threads.map(({ commentCount, replyCount }) => commentCount + replyCount))).toBe(24)
  })

  test('writes other titles when it runs again', async () => {
    await fillBoard(ctx, 'technology', { threads: 8, comments: 3, pictures: 0 }, NOW)
    const { threads } = await listThreads(ctx, 'technology')
    expect(new Set(threads.map(({ title }) => title)).size).toBe(16)
  })
})
