import { type SQL, sql } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import { expect, it } from 'vitest'
import type { Database, Transaction } from '#db/client.server.ts'
import { createPageCache } from '#server/core/cache/pageCache.ts'
import type { Announcement, Numbered } from '#server/core/events/event.ts'
import { announce, write, writeAtOnce } from '#server/core/events/writeAndPublish.ts'

/** A database that gives announcements their numbers, and ends its transactions as it is told. */
function database(commit: () => Promise<void>, heard: string[]) {
  let number = 0
  const tx = {
    execute: async (query: SQL) => {
      const [, announced, by] = new PgDialect().sqlToQuery(query).params as string[]
      heard.push(`${announced} by ${by}`)
      const changes = (JSON.parse(announced as string) as Announcement[]).map((one) => ({ id: ++number, ...one, by }))
      return [{ changes }]
    },
  } as unknown as Transaction
  const transaction = async (work: (tx: Transaction) => Promise<unknown>) => {
    const result = await work(tx)
    await commit()
    return result
  }
  return { transaction } as unknown as Database
}

function setUp(commit: () => Promise<void>) {
  const heard: string[] = []
  const told: Numbered[][] = []
  const feared: Numbered[][] = []
  const cache = {
    ...createPageCache({ bytes: 0 }),
    invalidate: (changes: Numbered[]) => void told.push(changes),
    invalidateUncommitted: (changes: Numbered[]) => void feared.push(changes),
  }
  return { heard, told, feared, ctx: { db: database(commit, heard), cache, visitor: () => 'mark-of-writer' } }
}

const post = (tx: Transaction) =>
  announce(tx, new Date(), [
    { topic: 'thread:1', change: { kind: 'post', postId: 2 } },
    { topic: 'board:tech', change: { kind: 'thread', threadId: 1 } },
  ])

it('marks pages stale after the commit and before the write is answered', async () => {
  const order: string[] = []
  const { ctx, told } = setUp(async () => void order.push(`committed, told of ${told.length}`))
  await write(ctx, post).then(() => order.push(`answered, told of ${told.length}`))
  expect(order).toEqual(['committed, told of 0', 'answered, told of 1'])
  expect(told[0]?.map(({ id, topic, by }) => [id, topic, by])).toEqual([
    [1, 'thread:1', 'mark-of-writer'],
    [2, 'board:tech', 'mark-of-writer'],
  ])
})

it('tells other processes who wrote', async () => {
  const { ctx, heard } = setUp(async () => {})
  await write(ctx, post)
  expect(heard.join()).toContain('mark-of-writer')
})

it('marks them stale too when the answer to a commit is lost, and hears of it when it lands', async () => {
  const { ctx, told, feared } = setUp(async () => {
    throw new Error('connection lost')
  })
  await expect(write(ctx, post)).rejects.toThrow('connection lost')
  expect(feared[0]).toHaveLength(2)
  expect(told).toEqual([])
})

it('tells of many changes in as many notifications as PostgreSQL needs, in their order', async () => {
  const { ctx, heard, told } = setUp(async () => {})
  const many = Array.from(
    { length: 65 },
    (_, at): Announcement => ({
      topic: `thread:${10 ** 14 + at}`,
      change: { kind: 'thread-gone', threadId: 10 ** 14 + at },
    }),
  )
  await write(ctx, (tx) => announce(tx, new Date(), many))
  expect(told[0]?.map(({ id, topic }) => [id, topic])).toEqual(many.map(({ topic }, at) => [at + 1, topic]))
  expect(heard.map((payload) => payload.match(/thread:/g)?.length)).toEqual([30, 30, 5])
})

it('marks pages stale for a statement that is a write of its own, before it is answered', async () => {
  const { ctx, told } = setUp(async () => {})
  const changes: Numbered[] = [{ id: 7, topic: 'thread:1', change: { kind: 'post', postId: 2 } }]
  const db = { execute: async () => [{ post: 2, changes }] } as unknown as Database
  expect(await writeAtOnce({ ...ctx, db }, sql`select`)).toMatchObject({ post: 2 })
  expect(told).toEqual([changes])
})
