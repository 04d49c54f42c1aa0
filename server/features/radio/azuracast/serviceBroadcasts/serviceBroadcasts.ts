import { setTimeout as sleep } from 'node:timers/promises'
import type { Services } from '#server/core/context.ts'
import type { LiveSources } from '#server/features/radio/mix/createLive.ts'
import type { BroadcastObserver } from '#server/features/radio/mix/types.ts'
import { NOW_PLAYING_SECONDS } from '#src/contract/radio.ts'
import { createWatch } from './watch.ts'

declare module '#server/core/context.ts' {
  interface Services {
    serviceBroadcasts: ServiceBroadcasts
  }
}

export type ServiceBroadcasts = Pick<LiveSources, 'observe'> & {
  /** Watches the service until the signal aborts or the time of a run is over. Only one process may do this. */
  watch(services: Services, signal: AbortSignal): Promise<void>
  isWatching(services: Pick<Services, 'config'>): boolean
  /** Checks now instead of at the next interval. */
  wake(): void
}

/** Slightly later than the cached answer expires. */
const CHECK_MS = NOW_PLAYING_SECONDS * 1000 + 100
/** Shorter than the time that a job may run. The next run continues at once. */
const MAX_WATCH_MS = 50 * 60_000

/**
 * Turns what an AzuraCast plays into broadcasts: rows without a file, and the events of an observer without frames.
 * Watches only if something uses the broadcasts, so that an unused site does not poll the service.
 */
export function createServiceBroadcasts(isUsed: () => boolean): ServiceBroadcasts {
  const observers = new Set<BroadcastObserver>()
  const isWatching = ({ config }: Pick<Services, 'config'>) => config.radio.service !== null && isUsed()
  let waking = new AbortController()

  return {
    observe(observer) {
      observers.add(observer)
      return () => observers.delete(observer)
    },
    wake: () => waking.abort(),
    isWatching,
    async watch(services, signal) {
      const watch = createWatch(services, (notify) => {
        for (const observer of observers) notify(observer)
      })
      if (!isWatching(services)) return watch.endAll()
      const until = AbortSignal.any([signal, AbortSignal.timeout(MAX_WATCH_MS)])
      while (!until.aborted) {
        // Before the check, so that a call during the check is not lost.
        waking = new AbortController()
        await watch.check()
        await sleep(CHECK_MS, undefined, { signal: AbortSignal.any([until, waking.signal]) }).catch(() => {})
      }
    },
  }
}
