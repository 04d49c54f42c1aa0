import type { Services } from '#server/core/context.ts'
import { createKeyedThrottle } from '#server/core/limits/keyedThrottle.ts'
import { startOutbox } from '#server/core/outbox/outbox.ts'
import { queueWebhooks } from '#server/core/outbox/webhooks.ts'
import { findThreadPlace } from '#server/features/board/write/sitePosts.ts'
import type { BroadcastObserver, LiveTitle } from '#server/features/radio/mix/types.ts'
import { announceEnd } from './announceEnd.ts'
import { announceStart } from './announceStart.ts'
import { isAnnouncing } from './job.ts'
import { readBroadcast, toWebhookBody } from './readBroadcast.ts'

/** Limits the calls of the webhook: some programs change the title every second. */
const TRACK_INTERVAL_MS = 10_000
/** Time for the recorder to finish the recording. If it needs longer, the job announces the end. */
const END_DELAY_MS = 3_000

export type Announcer = { observer: BroadcastObserver; close: () => Promise<void> }

/**
 * Creates an observer that opens threads and calls the webhook. It works in the background, one step after the other, and
 * never throws: a failure must not disturb the broadcast. The job repeats failed steps.
 */
export function createAnnouncer(
  services: Services,
  { trackIntervalMs = TRACK_INTERVAL_MS, endDelayMs = END_DELAY_MS } = {},
): Announcer {
  const { config, db, log } = services
  if (!isAnnouncing(config)) return { observer: {}, close: async () => {} }
  const endTimers = new Set<NodeJS.Timeout>()
  const tracks = createKeyedThrottle<number, LiveTitle>(trackIntervalMs, (id, track) =>
    run(() => announceTrack(id, track)),
  )
  let queue = Promise.resolve()
  let isFailing = false
  let isClosed = false

  function run(step: () => Promise<void>): void {
    if (isClosed) return
    queue = queue.then(async () => {
      try {
        await step()
        isFailing = false
        if (config.webhooks.radio) await startOutbox(services)
      } catch (error) {
        if (!isFailing) log.warn({ err: error }, 'Cannot announce a broadcast. A job tries again')
        isFailing = true
      }
    })
  }

  async function announceTrack(broadcastId: number, { artist, title }: LiveTitle): Promise<void> {
    // Repeats the step if it failed, so that the calls keep their order.
    await announceStart(services, broadcastId)
    const found = await readBroadcast(services, broadcastId)
    if (!found || found.endAnnouncedAt) return
    const place = found.threadId === null ? null : await findThreadPlace(services, found.threadId)
    const body = { ...toWebhookBody(services, 'track.changed', found, { place, recording: null }), artist, title }
    await db.transaction((tx) => queueWebhooks(tx, services, 'radio', [body]))
  }

  const start = (broadcastId: number) => run(() => announceStart(services, broadcastId))

  return {
    observer: {
      onStart: ({ broadcastId }) => start(broadcastId),
      // The process that was on air may have died before it announced the start.
      onResume: ({ broadcastId }) => start(broadcastId),
      onTitle: ({ broadcastId }, track) => {
        if (config.webhooks.radio) tracks.add(broadcastId, track)
      },
      onEnd: ({ broadcastId }) => {
        tracks.remove(broadcastId)
        const timer = setTimeout(() => {
          endTimers.delete(timer)
          run(() => announceEnd(services, broadcastId))
        }, endDelayMs)
        endTimers.add(timer.unref())
      },
    },
    /** Waits for the steps that have begun. The job of another process does the others. */
    async close() {
      isClosed = true
      tracks.close()
      for (const timer of endTimers) clearTimeout(timer)
      await queue
    },
  }
}
