import { and, eq, lte, notInArray } from 'drizzle-orm'
import { hasErrorCode } from '#db/errors.server.ts'
import { feed } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { type FetchResult, fetchFeed } from './fetchFeed.ts'
import { nextFetchAfterFailure, nextFetchAfterSuccess } from './schedule.ts'
import { publishNewsChange, storeItems, updateUnchangedFeed } from './storeArticles.ts'

type Deps = Pick<Services, 'config' | 'db' | 'fetcher' | 'log' | 'now'>
type FeedRow = typeof feed.$inferSelect

/** A claim expires after this time if the process dies. Longer than a refresh takes. */
const CLAIM_MS = 3 * 60_000
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

export async function refreshFeed(deps: Deps, url: string, signal: AbortSignal, totalMs: number): Promise<void> {
  const { db, now, log } = deps
  const startedAt = now()
  const claim = new Date(startedAt.getTime() + CLAIM_MS)
  const [row] = await db
    .update(feed)
    .set({ nextAt: claim })
    .where(and(eq(feed.url, url), lte(feed.nextAt, startedAt)))
    .returning()
  if (!row) return
  const result = await fetchFeed(deps, url, { known: row, signal, totalMs })
  if (signal.aborted) return releaseClaim(deps, row, startedAt)
  try {
    await storeResult(deps, row, result)
  } catch (error) {
    log.error({ err: error, feed: new URL(url).hostname }, 'Cannot store the articles of a feed')
    await storeResult(deps, row, { kind: 'failed', reason: 'could not be stored', status: null, headers: {} })
  }
}

/** Frees the feed after a shutdown aborted the refresh. This does not count as a failure. */
async function releaseClaim({ db }: Deps, row: FeedRow, due: Date): Promise<void> {
  await db.update(feed).set({ nextAt: due }).where(isClaimed(row))
}

/** Checks that this process still owns the feed. After CLAIM_MS, another process may have claimed the feed. */
const isClaimed = ({ url, nextAt }: FeedRow) => and(eq(feed.url, url), eq(feed.nextAt, nextAt))

async function storeResult({ config, db, log, now }: Deps, row: FeedRow, result: FetchResult): Promise<void> {
  const at = now()
  const timing = { now: at, refreshMinutes: config.news.refreshMinutes, headers: result.headers }
  if (result.kind === 'failed') {
    const { reason, status } = result
    const failures = row.failures + 1
    log.info({ feed: new URL(row.url).hostname, reason, failures }, 'Cannot read a feed')
    const nextAt = nextFetchAfterFailure({ ...timing, status, failures })
    await db.update(feed).set({ checkedAt: at, failures, failure: reason, nextAt }).where(isClaimed(row))
    return
  }
  const read = result.kind === 'read' ? result : null
  const nextAt = nextFetchAfterSuccess({ ...timing, ttl: read?.feed.ttl ?? null })
  await retryOnConflict(() =>
    db.transaction(async (tx) => {
      const claimed = await tx
        .update(feed)
        .set({ checkedAt: at, failures: 0, failure: null, movedTo: result.movedTo, nextAt, ...read?.validators })
        .where(isClaimed(row))
        .returning({ url: feed.url })
      if (claimed.length === 0) return
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
