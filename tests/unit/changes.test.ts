import { expect, it } from 'vitest'
import type { Database, Transaction } from '#db/client.server.ts'
import { announce, type Numbered, write } from '#server/core/changes.ts'
import { createPageCache } from '#server/core/pageCache.ts'

/** A database that gives announcements their numbers, and ends its transactions as it is told. */
function database(commit: () => Promise<void>, heard: string[]) {
  let number = 0
  const tx = {
    insert: () => ({ values: (rows: unknown[]) => ({ returning: async () => rows.map(() => ({ id: ++number })) }) }),
    execute: async (query: { queryChunks: unknown[] }) => void heard.push(JSON.stringify(query.queryChunks)),
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
  const cache = { ...createPageCache({ bytes: 0 }), changed: (changes: Numbered[]) => void told.push(changes) }
  return { heard, told, ctx: { db: database(commit, heard), cache, visitor: () => 'mark-of-writer' } }
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

it('marks them stale too when the answer to a commit is lost', async () => {
  const { ctx, told } = setUp(async () => {
    throw new Error('connection lost')
  })
  await expect(write(ctx, post)).rejects.toThrow('connection lost')
  expect(told[0]).toHaveLength(2)
})
