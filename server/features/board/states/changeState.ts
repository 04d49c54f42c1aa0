import { and, isNotNull, sql } from 'drizzle-orm'
import type { Transaction } from '#db/client.server.ts'
import { extendTransactionTimeout } from '#db/queryWatchdog.server.ts'
import { BLANK_POST, type PostState, post, type StoredImage, thread } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import type { TopicChange } from '#server/core/events/event.ts'
import { publish } from '#server/core/events/writeAndPublish.ts'
import { filesOfPost, imagesOf } from '#server/core/storage/imageFiles.ts'
import { changesOf, joinChanges } from '#server/features/board/postEvents.ts'
import { findQuotesAcross, idList, isAnyOf, publishQuoteChanges, storeQuotes } from '#server/features/board/quotes.ts'
import { queueWatchAlerts } from '#server/features/board/watching/watchAlerts.ts'
import { reviveEvicted } from '#server/features/board/write/threadArchive.ts'
import { type LogRecord, writeLog } from '#server/features/moderation/log/log.ts'
import { closeReportsOfRemoved } from '#server/features/moderation/reports/reports.ts'
import {
  type AffectedPost,
  type ChangedThread,
  groupByThread,
  hasPlace,
  lockAffected,
  updateStubs,
} from './affectedPosts.ts'
import { updateThreads } from './threadStates.ts'

/** Why posts change their state. */
export type StateReason = {
  /** the action's log entry; `count` is filled in */
  record?: LogRecord
  /** the states that change; by default all from which a post gets into the new one */
  from?: PostState[]
  /** whether replies of comments and posts of threads change too; the default for `removed` and `erased` */
  withAnswers?: boolean
  /** why the posts wait for a review; posts that waited before keep their reason */
  heldFor?: string
  /** when held posts are published without a review */
  releaseAt?: Date
  /** whether a moderator has seen the held posts, so that restoring publishes them */
  isReviewed?: boolean
}

/** @property waiting posts whose place is gone: they keep their state */
export type StateChange = { logId: number | null; ids: number[]; waiting: number[]; images: StoredImage[] }

/** States from which a post gets into a state. An erased post stays erased. */
const SOURCES: Record<PostState, PostState[]> = {
  live: ['held', 'removed'],
  held: ['live', 'removed'],
  removed: ['live', 'held'],
  erased: ['live', 'held', 'removed'],
}

/** For so many posts, plans that were made for few are too slow. */
const MANY_POSTS = 200
/** Thousands of posts take longer than the timeout of ordinary transactions. */
const MANY_TIMEOUT_MS = 120_000

/**
 * Changes the state of posts: the only way to publish, hold, restore, remove and erase them after they are written.
 * Keeps the counts and change times of threads, quotes, the search index, files, alerts, reports, events and the log.
 * Ignores posts that cannot get into the state. Renames files before the commit, so that concurrent changes rename in
 * the order in which they commit. Of erased posts, the caller removes the files after the commit, under both names.
 */
export async function changeState(
  { files, now }: Pick<Services, 'files' | 'now'>,
  tx: Transaction,
  given: number[],
  to: PostState,
  reason: StateReason = {},
): Promise<StateChange> {
  const withAnswers = reason.withAnswers ?? (to === 'removed' || to === 'erased')
  if (given.length >= MANY_POSTS) await prepareForMany(tx)
  const affected = await lockAffected(tx, given, reason.from ?? SOURCES[to], withAnswers)
  if (affected.length >= MANY_POSTS) await prepareForMany(tx)
  const changed = to === 'live' ? await hasPlace(tx, affected) : affected
  const ids = changed.map(({ id }) => id)
  const isChanged = new Set(ids)
  const waiting = affected.map(({ id }) => id).filter((id) => !isChanged.has(id))
  if (ids.length === 0) return { logId: null, ids, waiting, images: [] }
  const hidden = changed.filter(({ state }) => state === 'live')
  const shown = to === 'live' ? changed : []
  const logId = reason.record ? await writeLog(tx, now(), { ...reason.record, count: ids.length }) : null
  const quoted = await unlink(tx, hidden)
  const columns = columnsOf(to, now(), logId, reason)
  await tx.update(post).set(columns).where(isAnyOf(post.id, ids))
  if (to === 'removed') await closeReportsOfRemoved(tx, now(), reason.record?.actor, [...given, ...ids])
  const stubs = await updateStubs(tx, changed)
  const isStub = new Set(stubs.map(({ id }) => id))
  const threads = groupByThread(changed.filter((one) => one.state === 'live' || to === 'live' || isStub.has(one.id)))
  const states = await updateThreads(tx, now(), threads, to)
  quoted.push(...(await link(tx, shown)))
  const goneThreads = states.filter(({ wasShown, isShown }) => wasShown && !isShown)
  const revived = await reviveEvicted(tx, now(), goneThreads)
  const queue = to === 'held' || changed.some(({ state }) => state === 'held') ? [QUEUE_CHANGE] : []
  await publish(tx, now(), joinChanges([...changesOf(threads, states, stubs), ...revived, ...queue]))
  const others = [...new Set(quoted)].filter((id) => !isChanged.has(id))
  await publishQuoteChanges(tx, now(), others)
  if (to === 'erased') await erase(tx, now(), groupByThread(changed), logId !== null)
  const released = shown.filter(({ state }) => state === 'held').map(({ id }) => id)
  await queueWatchAlerts(tx, now(), released)
  await files.withhold(hidden.flatMap(filesOfPost))
  await files.release(shown.flatMap(filesOfPost))
  return { logId, ids, waiting, images: to === 'erased' ? changed.flatMap(imagesOf) : [] }
}

const QUEUE_CHANGE: TopicChange = { topic: 'moderation', change: { kind: 'queue' } }

/** Makes the session plan its statements again: a plan from when the tables were small can read a whole table per row. */
async function prepareForMany(tx: Transaction): Promise<void> {
  await extendTransactionTimeout(tx, MANY_TIMEOUT_MS)
  await tx.execute(sql`discard plans`)
}

function columnsOf(to: PostState, now: Date, logId: number | null, reason: StateReason) {
  const { heldFor, releaseAt = null, isReviewed = false } = reason
  switch (to) {
    case 'live':
      return { state: to, stateAt: null, logId: null, heldFor: null, releaseAt: null, stub: false }
    case 'held':
      return { state: to, stateAt: now, logId: null, releaseAt, ...(heldFor !== undefined && { heldFor }) }
    case 'removed':
      return { state: to, stateAt: now, logId, releaseAt: null, ...(isReviewed && { heldFor: null }) }
    case 'erased': {
      const blank = { ...BLANK_POST, heldFor: null, releaseAt: null }
      return { state: to, stateAt: now, ...blank, ...(logId !== null && { logId }) }
    }
  }
}

/**
 * Deletes the quotes and words of posts that are not live any more, or whose text changes.
 * @returns posts whose quotes change
 */
export async function unlink(tx: Transaction, hidden: Pick<AffectedPost, 'id'>[]): Promise<number[]> {
  if (hidden.length === 0) return []
  const ids = hidden.map(({ id }) => id)
  const quoted = await findQuotesAcross(tx, isAnyOf(post.id, ids))
  await tx.execute(sql`with unquoted as (delete from quote where from_id = any(${idList(ids)}))
    delete from post_search where post_id = any(${idList(ids)})`)
  return quoted
}

/** Stores the quotes and words of posts that have become live. @returns posts whose quotes change */
async function link(tx: Transaction, shown: AffectedPost[]): Promise<number[]> {
  if (shown.length === 0) return []
  const ids = shown.map(({ id }) => id)
  await storeQuotes(tx, shown)
  await tx.execute(sql`select index_posts(${idList(ids)})`)
  return findQuotesAcross(tx, isAnyOf(post.id, ids))
}

/** Erases the titles of threads with their last post, and removes copies of the posts from caches. */
async function erase(tx: Transaction, now: Date, threads: ChangedThread[], isAnnounced: boolean): Promise<void> {
  const ids = threads.map(({ threadId }) => threadId)
  // The opening post of a stub may have been erased long before the last answer.
  const isRestorable = sql`exists (select from ${post} where ${post.threadId} = ${thread.id} and ${post.state} in ('held', 'removed'))`
  const isOver = and(isAnyOf(thread.id, ids), isNotNull(thread.deletedAt), sql`not ${isRestorable}`)
  await tx.update(thread).set({ title: '' }).where(isOver)
  if (!isAnnounced) return
  const change = { kind: 'erased' } as const
  await publish(
    tx,
    now,
    threads.flatMap(({ threadId, boardId }): TopicChange[] => [
      { topic: `thread:${threadId}`, change },
      { topic: `board:${boardId}`, change },
    ]),
  )
}
