import { LRUCache } from 'lru-cache'
import { findThreadPlace } from '#server/features/board/write/sitePosts.ts'
import { cleanAndCut } from '#server/features/irc/cleanText.ts'
import { ircLimits, ircTexts } from '#server/features/irc/texts.ts'
import { readBroadcast } from '#server/features/show/announcements/readBroadcast.ts'
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
    const place = row.threadId === null ? null : await findThreadPlace(services, row.threadId)
    const threadUrl = place && `${config.siteUrl}${threadPath(place.boardId, place.threadId)}`
    if (row.endedAt === null && isRecent(row.startedAt) && isFirst(`start ${broadcastId}`)) {
      announce('shows', ircTexts.showStarts(show, `${config.siteUrl}${SCHEDULE_PATH}`, threadUrl))
    }
    if (row.endedAt !== null && isRecent(row.endedAt) && isFirst(`end ${broadcastId}`)) {
      announce('shows', ircTexts.showEnds(show, threadUrl))
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

export const describeShow = ({ streamer, title }: { streamer: string; title: string | null }) => ({
  streamer: cleanAndCut(streamer, ircLimits.name),
  title: title === null ? null : cleanAndCut(title, ircLimits.title) || null,
})
