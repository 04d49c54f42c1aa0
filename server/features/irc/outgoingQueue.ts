import type { Rate } from '#server/core/config/settingTypes.ts'
import { bucketSize } from '#server/core/limits/rateLimits.ts'
import { createMemoryBuckets } from '#server/core/limits/tokenBuckets.ts'
import { cleanText, cutText } from './cleanText.ts'

export type OutgoingLine = {
  command: 'PRIVMSG' | 'NOTICE'
  /** channel or nick */
  target: string
  text: string
  priority: 'answer' | 'announcement'
}

/**
 * Servers cut lines at 512 bytes, and put the bot's nick and host in front of them: at most about 110 bytes. Counts the
 * command, the target and the text.
 */
export const MAX_LINE_BYTES = 400
/** Limits memory, and the time until the newest line is sent. Afterwards the oldest announcement is dropped. */
const MAX_LINES = 30
/** Older lines are dropped. Otherwise a reconnect would send everything that happened before. */
const MAX_AGE_MS = 60_000

type Queued = OutgoingLine & { at: number }
type Deps = {
  send: (line: OutgoingLine) => void
  /** returns whether the bot can send to a target now: it is connected, and has joined the channel */
  isReady: (target: string) => boolean
  /** in ms */
  clock: () => number
  rate: Rate
}

/** Sends lines at the pace that servers allow: answers first, then announcements, each in their order. */
export function createOutgoingQueue({ send, isReady, clock, rate }: Deps) {
  const buckets = createMemoryBuckets({ maxKeys: 1, clock })
  const pace = { key: 'line', ...bucketSize(rate, 1) }
  let lines: Queued[] = []
  let timer: NodeJS.Timeout | undefined
  let [sent, dropped] = [0, 0]

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    removeExpired()
    for (let next = findNext(); next; next = findNext()) {
      const empty = buckets.take([pace])
      if (empty) {
        timer = setTimeout(flush, empty.waitMs).unref()
        return
      }
      lines.splice(lines.indexOf(next), 1)
      sent++
      send(next)
    }
  }

  function removeExpired(): void {
    const oldest = clock() - MAX_AGE_MS
    const kept = lines.filter(({ at }) => at >= oldest)
    dropped += lines.length - kept.length
    lines = kept
  }

  function findNext(): Queued | undefined {
    const ready = lines.filter(({ target }) => isReady(target))
    return ready.find(({ priority }) => priority === 'answer') ?? ready[0]
  }

  return {
    flush,
    push(line: OutgoingLine): void {
      const text = cutText(cleanText(line.text), MAX_LINE_BYTES - Buffer.byteLength(`${line.command} ${line.target} :`))
      if (text === '') return
      lines.push({ ...line, text, at: clock() })
      if (lines.length > MAX_LINES) {
        const announcement = lines.findIndex(({ priority }) => priority === 'announcement')
        lines.splice(Math.max(announcement, 0), 1)
        dropped++
      }
      flush()
    },
    /** Drops the answers. After a reconnect, the people who asked may be gone. */
    dropAnswers(): void {
      const kept = lines.filter(({ priority }) => priority === 'announcement')
      dropped += lines.length - kept.length
      lines = kept
    },
    stats: () => ({ waiting: lines.length, sent, dropped }),
    stop(): void {
      clearTimeout(timer)
      lines = []
    },
  }
}
