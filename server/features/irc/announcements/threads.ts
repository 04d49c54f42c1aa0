import { and, eq, inArray, isNull } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import { board, livePost, thread } from '#db/schema/index.ts'
import { isLive } from '#server/features/board/read/queries.ts'
import { cleanAndCut } from '#server/features/irc/cleanText.ts'
import { ircLimits, ircTexts } from '#server/features/irc/texts.ts'
import { activeSwitches } from '#server/features/moderation/admission/switches.ts'
import { OVERBOARD_PATH, threadPath } from '#src/contract/thread.ts'
import { type AnnouncerDeps, MAX_EVENT_AGE_MS, type OnChange } from './announcer.ts'

/** Each comment has an event of its thread too. Limits memory; an evicted thread costs one lookup. */
const MAX_KNOWN = 10_000
/** Limits the query. Further threads of the same moment are only counted. */
const MAX_PENDING = 200
/** Lines per window. Further threads are counted on one line, so that a raid does not flood the channels. */
const LINES_PER_WINDOW = 5
/** A post that was held keeps its time, and a moderator may publish it hours later. */
const MAX_HELD_MS = 24 * 60 * 60 * 1000

/** Announces new threads. Held ones are announced when they are published. */
export function createThreadAnnouncer({ services, announce, schedule, clock, times }: AnnouncerDeps): OnChange {
  const known = new LRUCache<number, true>({ max: MAX_KNOWN })
  /** ids of threads that may be new, and whether they were published after a review */
  const pending = new Map<number, boolean>()
  let windowEndsAt = 0
  let lines = 0
  let uncounted = 0
  const { db, config, now } = services

  async function announcePending(): Promise<void> {
    const ids = [...pending.keys()]
    const reviewed = new Map(pending)
    pending.clear()
    const isReadOnly = (await activeSwitches(services)).has('read-only')
    for (const row of await readThreads(ids)) {
      known.set(row.id, true)
      const ageMs = now().getTime() - row.createdAt.getTime()
      const isReviewed = reviewed.get(row.id) && row.comments + row.replies === 0 && ageMs <= MAX_HELD_MS
      // Visitors could not answer while the site is read-only.
      if (isReadOnly || row.locked || !(ageMs <= MAX_EVENT_AGE_MS + times.threads || isReviewed)) continue
      const url = `${config.siteUrl}${threadPath(row.boardId, row.id)}`
      announceBounded(ircTexts.thread(row.boardId, cleanAndCut(row.title, ircLimits.title), url))
    }
    for (const id of ids) known.set(id, true)
  }

  const readThreads = (ids: number[]) =>
    db
      .select({
        id: thread.id,
        boardId: thread.boardId,
        title: thread.title,
        locked: thread.locked,
        comments: thread.commentCount,
        replies: thread.replyCount,
        createdAt: livePost.createdAt,
      })
      .from(thread)
      .innerJoin(livePost, eq(livePost.id, thread.id))
      .innerJoin(board, eq(board.id, thread.boardId))
      .where(and(inArray(thread.id, ids), isLive, isNull(board.deletedAt)))
      .orderBy(thread.id)

  function announceBounded(text: string): void {
    if (clock() >= windowEndsAt) {
      windowEndsAt = clock() + times.threadWindow
      lines = 0
    }
    if (lines < LINES_PER_WINDOW) {
      lines++
      announce('threads', text)
    } else if (++uncounted === 1) {
      schedule(windowEndsAt - clock(), async () => {
        announce('threads', ircTexts.moreThreads(uncounted, `${config.siteUrl}${OVERBOARD_PATH}`))
        uncounted = 0
      })
    }
  }

  return ({ topic, change }, batch) => {
    if (!topic.startsWith('board:') || change.kind !== 'thread') return
    const { threadId } = change
    if (known.has(threadId) || pending.size >= MAX_PENDING) return
    if (pending.size === 0) schedule(times.threads, announcePending)
    // Publishing an opening post after a review makes open pages of its thread reload.
    const isReviewed = batch.some((other) => other.topic === `thread:${threadId}` && other.change.kind === 'stale')
    pending.set(threadId, isReviewed || (pending.get(threadId) ?? false))
  }
}
