import { setTimeout as sleep } from 'node:timers/promises'
import type { Services } from '#server/core/context.ts'
import { nextMessage, type OutboxTarget, type Queued, readDue } from './outbox.ts'

const OUTBOX_JOB = 'outbox' as const

export type Outlet<Message = unknown> = {
  target: OutboxTarget
  /** the most messages that `send` gets */
  batch: number
  /** Sends due messages, or some of them. @returns false if all of them have to wait */
  send(services: Services, messages: Queued<Message>[], signal: AbortSignal): Promise<boolean>
}

/** While one target is slow, new messages of the others wait for this time. */
const RECHECK_MS = 1000
/** A target that failed waits for this time, as if each had a job of its own. */
const RETRY_MS = 15_000
/** Less than a run of a job may take: an aborted run loses the messages that it has taken. */
const MAX_RUN_MS = 30 * 60_000

/** Sends the messages of all targets. They do not wait for each other. The lease of the job lets one process send. */
export const createOutboxJob = (outlets: Outlet[]) => ({
  name: OUTBOX_JOB,
  intervalSeconds: 15,
  delaySeconds: 10,
  dueAt: nextMessage,
  async run(services: Services, signal: AbortSignal): Promise<void> {
    const endsAt = performance.now() + MAX_RUN_MS
    const isOver = () => performance.now() > endsAt
    const working = new Map<Outlet, Promise<void>>()
    const failures = new Map<Outlet, { at: number; error: unknown }>()
    let hasSent: boolean

    async function work(outlet: Outlet): Promise<void> {
      try {
        while (!isOver()) {
          signal.throwIfAborted()
          const due = await readDue(services, outlet.target, outlet.batch)
          if (due.length === 0 || !(await outlet.send(services, due, signal))) break
          hasSent = true
        }
      } catch (error) {
        failures.set(outlet, { at: performance.now(), error })
      }
    }

    do {
      hasSent = false
      for (const outlet of outlets) {
        const isPaused = performance.now() - (failures.get(outlet)?.at ?? Number.NEGATIVE_INFINITY) < RETRY_MS
        if (working.has(outlet) || isPaused || isOver()) continue
        const ended = work(outlet).finally(() => working.delete(outlet))
        working.set(outlet, ended)
      }
      await Promise.race([Promise.all(working.values()), sleep(RECHECK_MS, undefined, { ref: false })])
      // Another round, because messages that were sent can cause others, and others may have been queued meanwhile.
    } while (working.size > 0 || hasSent)
    if (failures.size === 0) return
    const targets = [...failures.keys()].map(({ target }) => target)
    throw new AggregateError(
      [...failures.values()].map(({ error }) => error),
      `Cannot send messages to ${targets.join(' and ')}`,
    )
  },
})

/**
 * Sends at once what was queued. If a run has the job, it may be about to end without seeing the message. By the second
 * attempt, it has ended or looked again.
 */
export async function startOutbox(services: Services): Promise<void> {
  if (await services.manualRuns.start(services, OUTBOX_JOB)) return
  await sleep(RECHECK_MS * 1.1)
  await services.manualRuns.start(services, OUTBOX_JOB)
}
