import { setTimeout as sleep } from 'node:timers/promises'
import type { Services } from '#server/core/context.ts'
import { noticeTexts } from '#server/features/moderation/admission/activeSwitches.ts'

/** Limits the delay of a page if the database does not answer. */
const WAIT_MS = 500

/**
 * Returns a function that reads the notice for visitors. Without the database, it returns the previous notice.
 * @param onChange called before a changed notice is returned
 */
export function createNoticeReader(services: Services, onChange: () => void): () => Promise<string[]> {
  let texts: string[] = []
  return async () => {
    const previous = texts
    const read = await Promise.race([noticeTexts(services), sleep(WAIT_MS, previous, { ref: false })]).catch(
      () => previous,
    )
    if (read.join('\n') !== texts.join('\n')) {
      texts = read
      onChange()
    }
    return texts
  }
}
