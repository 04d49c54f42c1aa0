import { setTimeout as sleep } from 'node:timers/promises'
import type { Services } from '#server/core/context.ts'
import { listLatestThreads } from '#server/features/board/read/latestThreads.ts'
import { readNotice } from '#server/features/moderation/admission/activeSwitches.ts'
import { brandStylesUrl } from '#server/features/site/brandStyles.ts'
import { writeBanner } from '#server/features/site/images/banners.ts'
import { iconsQuery } from '#server/features/site/images/siteImages.ts'
import type { Site } from '#src/contract/site.ts'
import type { SiteSwitch } from '#src/contract/switches.ts'
import type { SuggestedThread } from '#src/contract/thread.ts'

/** Limits the delay of a page if the database does not answer. */
const WAIT_MS = 500
const LIVE_THREADS = 3
/** Limits how often posts make the server render its cached error pages again. */
const LIVE_THREADS_MAX_AGE_MS = 10_000

/** Reads the parts of pages that come from the operator's images. */
export async function readBrand({ siteImages }: Pick<Services, 'siteImages'>, { accent }: Pick<Site, 'accent'>) {
  const images = await siteImages()
  return {
    brandStyles: brandStylesUrl({ accent, ...images }),
    iconsQuery: iconsQuery(images.icons),
    writeBanner: (boardId: string, page: string) => writeBanner(images, boardId, page),
  }
}

/** Returns a function that reads the notice for visitors. Without the database, it returns the previous notice. */
export function createNoticeReader(services: Services): () => Promise<SiteSwitch[]> {
  let switches: SiteSwitch[] = []
  return async () => {
    switches = await inTime(readNotice(services), switches)
    return switches
  }
}

/** Returns a function that reads the threads that error pages offer. Without the database, it returns the previous ones. */
export function createLiveThreadsReader(services: Services): () => Promise<SuggestedThread[]> {
  let threads: SuggestedThread[] = []
  let readAt = Number.NEGATIVE_INFINITY
  let erasure = 0
  return async () => {
    // Titles that were taken down must disappear at once.
    const lastErasure = services.cache.lastErasure(['boards', 'threads'])
    if (performance.now() - readAt < LIVE_THREADS_MAX_AGE_MS && lastErasure === erasure) return threads
    readAt = performance.now()
    // Before the read, because other callers do not wait for it.
    if (lastErasure !== erasure) threads = []
    erasure = lastErasure
    const read = await inTime<SuggestedThread[]>(listLatestThreads(services, LIVE_THREADS), threads)
    // After another erasure, the read may be outdated.
    if (erasure === lastErasure) {
      threads = read.map(({ id, boardId, title, commentCount, lastActivity }) => {
        return { id, boardId, title, commentCount, lastActivity }
      })
    }
    return threads
  }
}

/** Returns the previous value if a read fails or takes too long. */
const inTime = <T>(read: Promise<T>, previous: T): Promise<T> =>
  Promise.race([read, sleep(WAIT_MS, previous, { ref: false })]).catch(() => previous)
