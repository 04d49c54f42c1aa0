import { setTimeout as sleep } from 'node:timers/promises'
import type { Services } from '#server/core/context.ts'
import { STATION_ID } from '#server/features/irc/answers.ts'
import type { NowPlaying } from '#src/contract/radio.ts'

/** Time until the next subscription after the event hub has ended one. */
const RETRY_MS = 5000

/** Subscribes to the current track, as a page does: the radio polls its source while it has a subscription. */
export async function followNowPlaying(
  { eventHub, radio }: Pick<Services, 'eventHub' | 'radio'>,
  onNowPlaying: (nowPlaying: NowPlaying) => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const attempt = new AbortController()
    try {
      const ended = AbortSignal.any([signal, attempt.signal])
      const events = eventHub.subscribe([`radio:${STATION_ID}`], 0, '', ended)
      const first = events.next()
      // Handled below. Without this, an error before then would end the process.
      first.catch(() => {})
      // Starts the polling.
      onNowPlaying(await radio.nowPlaying(STATION_ID))
      for (let next = await first; !next.done; next = await events.next()) {
        const { change } = next.value.event
        if (change.kind === 'now-playing') onNowPlaying(change.nowPlaying)
      }
    } catch {
      // The site closes, or the radio has failed and logged it.
    } finally {
      attempt.abort()
    }
    await sleep(RETRY_MS, undefined, { signal, ref: false }).catch(() => {})
  }
}
