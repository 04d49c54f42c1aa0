import { setTimeout as sleep } from 'node:timers/promises'
import type { Services } from '#server/core/context.ts'
import { readNotice } from '#server/features/moderation/admission/activeSwitches.ts'
import type { SiteSwitch } from '#src/contract/switches.ts'

/** Limits the delay of a page if the database does not answer. */
const WAIT_MS = 500

/**
 * Returns a function that reads the notice for visitors. Without the database, it returns the previous notice.
 * @param onChange called before a changed notice is returned
 */
export function createNoticeReader(services: Services, onChange: () => void): () => Promise<SiteSwitch[]> {
  let switches: SiteSwitch[] = []
  return async () => {
    const previous = switches
    const read = await Promise.race([readNotice(services), sleep(WAIT_MS, previous, { ref: false })]).catch(
      () => previous,
    )
    if (read.join() !== switches.join()) {
      switches = read
      onChange()
    }
    return switches
  }
}
