import type { Services } from '#server/core/context.ts'
import { storeListenerCounts } from './listenerCounts.ts'

const MINUTE_MS = 60_000
/** Timers may fire early, but a count belongs to the minute that has begun. */
const DELAY_MS = 50

/** Stores the listeners of this process at the start of each minute. */
export function startListenerCounts(services: Pick<Services, 'db' | 'radio' | 'now' | 'log'>): { close: () => void } {
  const { now, log } = services
  let isFailing = false
  let timer: NodeJS.Timeout

  function schedule(): void {
    const waitMs = MINUTE_MS - (now().getTime() % MINUTE_MS) + DELAY_MS
    timer = setTimeout(() => {
      schedule()
      storeListenerCounts(services).then(
        () => {
          isFailing = false
        },
        (error) => {
          if (!isFailing) log.warn({ err: error }, 'Cannot store the number of listeners')
          isFailing = true
        },
      )
    }, waitMs).unref()
  }

  schedule()
  return { close: () => clearTimeout(timer) }
}
