import { sql } from 'drizzle-orm'
import type { Services } from '#server/core/context.ts'
import type { TopicChange } from '#server/core/events/event.ts'
import { type Publisher, publish, writeAndPublish } from '#server/core/events/writeAndPublish.ts'
import { joinChanges } from '#server/features/board/postEvents.ts'
import type { PostImages } from '#server/import/images/postImages.ts'
import type { ToId } from '#server/import/text/postText.ts'
import type { ImportedPost, ImportedThread } from '#server/import/types.ts'
import { boardLimits } from '#src/contract/board.ts'
import {
  countPins,
  type LeftOut,
  type Pending,
  readComments,
  readThreadStates,
  readUsedIds,
  selectPending,
} from './importedState.ts'
import { insertPosts, insertQuotes, insertThreads, recordImages, recordThreads, updateThreads } from './insertRows.ts'
import { createToId, type Target } from './ranges.ts'
import { type BatchContent, countImages, createRows, isPinned } from './rows.ts'

/** Key of the lock that makes a second import of the same board wait. */
const IMPORT_LOCK = 0x696d70

/** `heldMs`: time in which nobody else could use the embedded database */
export type Written = { threads: number; posts: number; images: number; leftOut: LeftOut[]; heldMs: number }

/** Writes parts of one board's threads in a transaction. Skips posts that an earlier import has written. */
export async function writeBatch(
  deps: Publisher & Pick<Services, 'now'>,
  target: Target,
  parts: ImportedThread[],
  content: BatchContent,
): Promise<Written> {
  const toId = createToId(target)
  const ids = [...content.texts.keys()].flatMap((number) => toId(number) ?? [])
  const parents = parts.flatMap(({ posts }) => posts.flatMap(({ parent }) => (parent && toId(parent)) ?? []))
  return writeAndPublish(deps, async (tx) => {
    const start = performance.now()
    // Sends all statements at once: the embedded database would wait between them.
    const [, states, used, comments, pins] = await Promise.all([
      tx.execute(sql`select pg_advisory_xact_lock(${IMPORT_LOCK}::int, hashtext(${target.name}))`),
      readThreadStates(tx, target.name, parts, toId),
      readUsedIds(tx, ids),
      readComments(tx, parents),
      parts.some(isPinned) ? countPins(tx, target.boardId) : 0,
    ])
    const selected = parts.map((part) => selectPending(part, states.get(part.number)))
    const leftOut = selected.flatMap((one) => one.leftOut)
    const all = selected.flatMap((one) => one.pending ?? [])
    const pending = limitPins(withoutUsedIds(all, used, toId, leftOut), pins, leftOut)
    if (pending.length === 0) return { threads: 0, posts: 0, images: 0, leftOut, heldMs: 0 }
    const now = deps.now()
    const rows = createRows(pending, content, { toId, now, comments })
    const placeOf = ({ thread: { number }, isNew }: Pending): Place => ({
      isNew,
      threadId: toId(number) ?? 0,
      boardId: states.get(number)?.boardId ?? target.boardId,
    })
    const numbers = pending.flatMap(({ posts }) => posts.map(({ number }) => number))
    await Promise.all([
      insertThreads(tx, target.boardId, rows.newThreads),
      insertPosts(tx, rows.posts),
      updateThreads(tx, now, rows.grownThreads),
      insertQuotes(tx, now, rows.posts, rows.quotes),
      recordThreads(tx, target.name, pending),
      recordImages(tx, target.name, new Map(numbers.flatMap((number) => imagesOf(number, content)))),
      publish(tx, now, changesOf(pending.map(placeOf))),
    ])
    return {
      threads: rows.newThreads.length,
      posts: rows.posts.length,
      images: countImages(rows.posts),
      leftOut,
      heldMs: performance.now() - start,
    }
  })
}

function imagesOf(number: number, { images }: BatchContent): [number, PostImages][] {
  const own = images.get(number)
  return own ? [[number, own]] : []
}

/**
 * Leaves out posts whose number is used twice: in another thread of the source, or by a post of this site.
 * @param used ids of posts of this site; receives those of the posts
 */
function withoutUsedIds(pending: Pending[], used: Set<number>, toId: ToId, leftOut: LeftOut[]): Pending[] {
  const isFree = ({ number }: ImportedPost) => {
    const id = toId(number)
    const free = id !== null && !used.has(id)
    if (id !== null) used.add(id)
    if (!free) leftOut.push({ number, reason: 'post left out: another post has its number' })
    return free
  }
  return pending.flatMap((one) => {
    const posts = one.posts.filter(isFree)
    if (one.isNew && posts[0]?.number !== one.thread.number) {
      leftOut.push(...posts.map(({ number }) => ({ number, reason: 'post left out: its thread was left out' })))
      return []
    }
    return posts.length === 0 ? [] : { ...one, posts }
  })
}

const isNewPin = ({ isNew, thread: source }: Pending) => isNew && isPinned(source)

/** A board's first page shows all its pinned threads, so their number is limited. */
function limitPins(pending: Pending[], count: number, leftOut: LeftOut[]): Pending[] {
  const pinned = pending.filter(isNewPin)
  const excess = new Set(pinned.slice(Math.max(0, boardLimits.pinnedThreads - count)))
  for (const { thread: source } of excess) {
    const reason = `not pinned: a board has at most ${boardLimits.pinnedThreads} pinned threads`
    leftOut.push({ number: source.number, reason })
  }
  return pending.map((one) => (excess.has(one) ? { ...one, thread: { ...one.thread, pinned: false } } : one))
}

type Place = { threadId: number; boardId: string; isNew: boolean }

/** Known threads may have moved to other boards. */
const changesOf = (places: Place[]): TopicChange[] =>
  joinChanges(
    places.flatMap(({ threadId, boardId, isNew }): TopicChange[] => [
      ...(isNew ? [] : [{ topic: `thread:${threadId}`, change: { kind: 'stale' } } as const]),
      { topic: `board:${boardId}`, change: { kind: 'thread', threadId } },
    ]),
  )
