import { eq } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import { broadcast, thread } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { cleanAndCut } from '#server/features/irc/cleanText.ts'
import { ircLimits, ircTexts } from '#server/features/irc/texts.ts'
import { SCHEDULE_PATH } from '#src/contract/show.ts'
import { threadPath } from '#src/contract/thread.ts'
import { type AnnouncerDeps, MAX_EVENT_AGE_MS, type OnChange } from './announcer.ts'

/** Limits memory. Broadcasts have few changes, soon after each other. */
const MAX_ANNOUNCED = 1000

/** Announces the start and the end of each show. */
export function createShowAnnouncer({ services, announce, schedule, times }: AnnouncerDeps): OnChange {
  const announced = new LRUCache<string, true>({ max: MAX_ANNOUNCED })
  const { config, now } = services
  const isRecent = (at: Date) => now().getTime() - at.getTime() <= MAX_EVENT_AGE_MS + times.show

  async function announceChange(broadcastId: number): Promise<void> {
    const row = await readBroadcast(services, broadcastId)
    if (!row) return
    const show = describeShow(row)
    if (row.endedAt === null && isRecent(row.startedAt) && isFirst(`start ${broadcastId}`)) {
      announce('shows', ircTexts.showStarts(show, `${config.siteUrl}${SCHEDULE_PATH}`, row.threadUrl))
    }
    if (row.endedAt !== null && isRecent(row.endedAt) && isFirst(`end ${broadcastId}`)) {
      announce('shows', ircTexts.showEnds(show, row.threadUrl))
    }
  }

  function isFirst(key: string): boolean {
    if (announced.has(key)) return false
    announced.set(key, true)
    return true
  }

  return ({ topic, change }) => {
    if (topic !== 'shows' || change.kind !== 'broadcast') return
    schedule(times.show, () => announceChange(change.broadcastId))
  }
}

export const describeShow = ({ streamerName, title }: { streamerName: string; title: string | null }) => ({
  streamer: cleanAndCut(streamerName, ircLimits.name),
  title: title === null ? null : cleanAndCut(title, ircLimits.title) || null,
})

/** Reads a broadcast with the URL of its thread, if the thread still exists. */
async function readBroadcast({ db, config }: Pick<Services, 'db' | 'config'>, id: number) {
  const [row] = await db
    .select({
      streamerName: broadcast.streamerName,
      title: broadcast.title,
      startedAt: broadcast.startedAt,
      endedAt: broadcast.endedAt,
      threadId: thread.id,
      boardId: thread.boardId,
      deletedAt: thread.deletedAt,
    })
    .from(broadcast)
    .leftJoin(thread, eq(thread.id, broadcast.threadId))
    .where(eq(broadcast.id, id))
  if (!row) return null
  const { threadId, boardId, deletedAt } = row
  const hasThread = threadId !== null && boardId !== null && deletedAt === null
  return { ...row, threadUrl: hasThread ? `${config.siteUrl}${threadPath(boardId, threadId)}` : null }
}
