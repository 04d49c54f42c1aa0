import { setTimeout as sleep } from 'node:timers/promises'
import type { Services } from '#server/core/context.ts'
import { listLatestThreads } from '#server/features/board/read/latestThreads.ts'
import type { SuggestedThread } from '#src/contract/thread.ts'

const COUNT = 3
/** Limits how often posts make the server render its cached error pages again. */
const MAX_AGE_MS = 10_000
/** Limits the delay of an error page if the database does not answer. */
const WAIT_MS = 500

/**
 * Returns a function that reads the threads that error pages offer. Without the database, it returns the previous ones.
 * @param onChange called before changed threads are returned
 */
export function createLiveThreadsReader(services: Services, onChange: () => void): () => Promise<SuggestedThread[]> {
  let threads: SuggestedThread[] = []
  let readAt = Number.NEGATIVE_INFINITY
  let erasure = 0
  return async () => {
    // Titles that were taken down must disappear at once.
    const lastErasure = services.cache.lastErasure(['boards', 'threads'])
    if (performance.now() - readAt < MAX_AGE_MS && lastErasure === erasure) return threads
    readAt = performance.now()
    // Before the read, because other callers do not wait for it.
    if (lastErasure !== erasure) setThreads([])
    erasure = lastErasure
    const previous = threads
    const read = await Promise.race([readThreads(services), sleep(WAIT_MS, previous, { ref: false })]).catch(
      () => previous,
    )
    // After another erasure, the read may be outdated.
    if (erasure === lastErasure) setThreads(read)
    return threads
  }

  function setThreads(next: SuggestedThread[]): void {
    if (JSON.stringify(next) === JSON.stringify(threads)) return
    threads = next
    onChange()
  }
}

const readThreads = async (services: Services): Promise<SuggestedThread[]> =>
  (await listLatestThreads(services, COUNT)).map(({ id, boardId, title, commentCount, lastActivity }) => ({
    id,
    boardId,
    title,
    commentCount,
    lastActivity,
  }))
