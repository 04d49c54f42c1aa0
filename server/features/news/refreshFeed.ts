import { eq, notInArray } from 'drizzle-orm'
import { hasErrorCode } from '#db/errors.server.ts'
import { feed } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { type FetchResult, fetchFeed } from './fetchFeed.ts'
import { nextFetchAfterFailure, nextFetchAfterSuccess } from './schedule.ts'
import { publishNewsChange, storeItems, updateUnchangedFeed } from './storeArticles.ts'

type Deps = Pick<Services, 'config' | 'db' | 'fetcher' | 'log' | 'now'>
type FeedRow = typeof feed.$inferSelect

/** Limits attempts to store a feed. An attempt fails if another feed stores the same URL at the same time. */
const MAX_ATTEMPTS = 3

export async function syncFeeds({ db, now }: Pick<Deps, 'db' | 'now'>, urls: string[]): Promise<void> {
  await db
    .insert(feed)
    .values(urls.map((url) => ({ url, nextAt: now() })))
    .onConflictDoNothing()
  const removed = await db.select({ url: feed.url }).from(feed).where(notInArray(feed.url, urls)).limit(1)
  if (removed.length === 0) return
  await db.transaction(async (tx) => {
    await tx.delete(feed).where(notInArray(feed.url, urls))
    // Request full responses next time: the remaining feeds may also list the removed feeds' articles.
    await tx.update(feed).set({ etag: null, lastModified: null })
    await publishNewsChange(tx, now())
  })
}

/** The lease of the job keeps other processes from reading the same feed. */
export async function refreshFeed(deps: Deps, row: FeedRow, signal: AbortSignal, totalMs: number): Promise<void> {
  const result = await fetchFeed(deps, row.url, { known: row, signal, totalMs })
  // A shutdown is no failure of the feed.
  if (signal.aborted) return
  try {
    await storeResult(deps, row, result)
  } catch (error) {
    deps.log.error({ err: error, feed: new URL(row.url).hostname }, 'Cannot store the articles of a feed')
    await storeResult(deps, row, { kind: 'failed', reason: 'could not be stored', status: null, headers: {} })
  }
}

async function storeResult({ config, db, log, now }: Deps, row: FeedRow, result: FetchResult): Promise<void> {
  const at = now()
  const timing = { now: at, refreshMinutes: config.news.refreshMinutes, headers: result.headers }
  if (result.kind === 'failed') {
    const { reason, status } = result
    const failures = row.failures + 1
    log.info({ feed: new URL(row.url).hostname, reason, failures }, 'Cannot read a feed')
    const nextAt = nextFetchAfterFailure({ ...timing, status, failures })
    await db.update(feed).set({ checkedAt: at, failures, failure: reason, nextAt }).where(eq(feed.url, row.url))
    return
  }
  const read = result.kind === 'read' ? result : null
  const nextAt = nextFetchAfterSuccess({ ...timing, ttl: read?.feed.ttl ?? null })
  await retryOnConflict(() =>
    db.transaction(async (tx) => {
      const checked = {
        checkedAt: at,
        failures: 0,
        failure: null,
        movedTo: result.movedTo,
        nextAt,
        ...read?.validators,
      }
      await tx.update(feed).set(checked).where(eq(feed.url, row.url))
      if (!read) await updateUnchangedFeed(tx, row.url, at)
      else if (await storeItems(tx, { feedUrl: row.url, feed: read.feed, now: at })) await publishNewsChange(tx, at)
    }),
  )
}

async function retryOnConflict(work: () => Promise<void>): Promise<void> {
  for (let left = MAX_ATTEMPTS; ; left--) {
    try {
      return await work()
    } catch (error) {
      if (left <= 1 || !hasErrorCode(error, '23505')) throw error
    }
  }
}
