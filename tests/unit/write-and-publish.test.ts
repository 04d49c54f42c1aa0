import { type SQL, sql } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import { expect, it } from 'vitest'
import type { Database, Transaction } from '#db/client.server.ts'
import { createPageCache } from '#server/core/cache/pageCache.ts'
import type { PublishedChange, TopicChange } from '#server/core/events/event.ts'
import { executeAndPublish, publish, writeAndPublish } from '#server/core/events/writeAndPublish.ts'

/** Creates a fake database. It numbers published changes and calls `commit` at the end of each transaction. */
function createDatabase(commit: () => Promise<void>, notifications: string[]) {
  let number = 0
  const tx = {
    execute: async (query: SQL) => {
      const [, published, by] = new PgDialect().sqlToQuery(query).params as string[]
      notifications.push(`${published} by ${by}`)
      const changes = (JSON.parse(published as string) as TopicChange[]).map((change) => ({
        id: ++number,
        ...change,
        by,
      }))
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
  const notifications: string[] = []
  const invalidated: PublishedChange[][] = []
  const uncommitted: PublishedChange[][] = []
  const cache = {
    ...createPageCache({ bytes: 0 }),
    invalidate: (changes: PublishedChange[]) => void invalidated.push(changes),
    invalidateUncommitted: (changes: PublishedChange[]) => void uncommitted.push(changes),
  }
  return {
    notifications,
    invalidated,
    uncommitted,
    ctx: { db: createDatabase(commit, notifications), cache, visitor: () => 'mark-of-writer' },
  }
}

const post = (tx: Transaction) =>
  publish(tx, new Date(), [
    { topic: 'thread:1', change: { kind: 'post', postId: 2 } },
    { topic: 'board:tech', change: { kind: 'thread', threadId: 1 } },
  ])

it('marks pages stale after the commit and before the write is answered', async () => {
  const order: string[] = []
  const { ctx, invalidated } = setUp(async () => void order.push(`committed, ${invalidated.length} changes`))
  await writeAndPublish(ctx, post).then(() => order.push(`answered, ${invalidated.length} changes`))
  expect(order).toEqual(['committed, 0 changes', 'answered, 1 changes'])
  expect(invalidated[0]?.map(({ id, topic, by }) => [id, topic, by])).toEqual([
    [1, 'thread:1', 'mark-of-writer'],
    [2, 'board:tech', 'mark-of-writer'],
  ])
})

it('publishes the mark of the writer to other processes', async () => {
  const { ctx, notifications } = setUp(async () => {})
  await writeAndPublish(ctx, post)
  expect(notifications.join()).toContain('mark-of-writer')
})

it('marks pages possibly stale when the answer to a commit is lost', async () => {
  const { ctx, invalidated, uncommitted } = setUp(async () => {
    throw new Error('connection lost')
  })
  await expect(writeAndPublish(ctx, post)).rejects.toThrow('connection lost')
  expect(uncommitted[0]).toHaveLength(2)
  expect(invalidated).toEqual([])
})

it('marks pages stale for a write of a single statement', async () => {
  const { ctx, invalidated } = setUp(async () => {})
  const changes: PublishedChange[] = [{ id: 7, topic: 'thread:1', change: { kind: 'post', postId: 2 } }]
  const db = { execute: async () => [{ post: 2, changes }] } as unknown as Database
  expect(await executeAndPublish({ ...ctx, db }, sql`select`)).toMatchObject({ post: 2 })
  expect(invalidated).toEqual([changes])
})
