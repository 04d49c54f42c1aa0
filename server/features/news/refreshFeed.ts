import { and, eq, lte, notInArray } from 'drizzle-orm'
import { hasErrorCode } from '#db/errors.server.ts'
import { feed } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { askFeed, type FeedAnswer } from './fetchFeed.ts'
import { afterFailure, afterSuccess } from './schedule.ts'
import { announceNews, noteUnchanged, storeItems } from './storeArticles.ts'

type Gatherer = Pick<Services, 'config' | 'db' | 'fetcher' | 'log' | 'now'>
type FeedRow = typeof feed.$inferSelect

/** How long a feed is its asker's alone: longer than asking and storing can take, for who dies meanwhile. */
const CLAIM_MS = 3 * 60_000
/** Two feeds that bring the same address at the same moment: the second try finds what the first has stored. */
const TRIES = 3

/** Makes the feeds that are kept those of the settings; what came from others goes with them. */
export async function keepFeeds({ db, now }: Pick<Gatherer, 'db' | 'now'>, urls: string[]): Promise<void> {
  await db
    .insert(feed)
    .values(urls.map((url) => ({ url, nextAt: now() })))
    .onConflictDoNothing()
  const foreign = await db.select({ url: feed.url }).from(feed).where(notInArray(feed.url, urls)).limit(1)
  if (foreign.length === 0) return
  await db.transaction(async (tx) => {
    await tx.delete(feed).where(notInArray(feed.url, urls))
    // An article that other feeds list too was the first one's: they are asked for it as if for the first time.
    await tx.update(feed).set({ etag: null, lastModified: null })
    await announceNews(tx, now())
  })
}

/** Asks one feed whose time has come, unless somebody else does, and stores what it lists. */
export async function gatherFeed(services: Gatherer, url: string, signal: AbortSignal, totalMs: number): Promise<void> {
  const { db, now, log } = services
  const began = now()
  const claim = new Date(began.getTime() + CLAIM_MS)
  const [row] = await db
    .update(feed)
    .set({ nextAt: claim })
    .where(and(eq(feed.url, url), lte(feed.nextAt, began)))
    .returning()
  if (!row) return
  const answer = await askFeed(services, url, { known: row, signal, totalMs })
  if (signal.aborted) return release(services, row, began)
  try {
    await record(services, row, answer)
  } catch (error) {
    log.error({ err: error, feed: new URL(url).hostname }, 'a feed could not be stored')
    await record(services, row, { kind: 'failed', reason: 'could not be stored', status: null, headers: {} })
  }
}

/** Gives a turn back: what ends because the site closes says nothing about the feed. */
async function release({ db }: Gatherer, row: FeedRow, due: Date): Promise<void> {
  await db.update(feed).set({ nextAt: due }).where(isClaimed(row))
}

/** The turn may have been lost to another, who took this one for dead. */
const isClaimed = ({ url, nextAt }: FeedRow) => and(eq(feed.url, url), eq(feed.nextAt, nextAt))

async function record({ config, db, log, now }: Gatherer, row: FeedRow, answer: FeedAnswer): Promise<void> {
  const at = now()
  const moment = { now: at, refreshMinutes: config.news.refreshMinutes, headers: answer.headers }
  if (answer.kind === 'failed') {
    const { reason, status } = answer
    const failures = row.failures + 1
    log.info({ feed: new URL(row.url).hostname, reason, failures }, 'a feed could not be read')
    const nextAt = afterFailure({ ...moment, status, failures })
    await db.update(feed).set({ checkedAt: at, failures, failure: reason, nextAt }).where(isClaimed(row))
    return
  }
  const read = answer.kind === 'read' ? answer : null
  const nextAt = afterSuccess({ ...moment, ttl: read?.feed.ttl ?? null })
  await again(() =>
    db.transaction(async (tx) => {
      const held = await tx
        .update(feed)
        .set({ checkedAt: at, failures: 0, failure: null, nextAt, ...read?.validators })
        .where(isClaimed(row))
        .returning({ url: feed.url })
      if (held.length === 0) return
      if (!read) await noteUnchanged(tx, row.url, at)
      else if (await storeItems(tx, { feedUrl: row.url, feed: read.feed, now: at })) await announceNews(tx, at)
    }),
  )
}

async function again(work: () => Promise<void>): Promise<void> {
  for (let left = TRIES; ; left--) {
    try {
      return await work()
    } catch (error) {
      if (left <= 1 || !hasErrorCode(error, '23505')) throw error
    }
  }
}
