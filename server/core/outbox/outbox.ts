import { setTimeout as sleep } from 'node:timers/promises'
import { asc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { Transaction } from '#db/client.server.ts'
import { outbox } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'

export type OutboxTarget = (typeof outbox.$inferSelect)['target']
export type Queued<Message> = { id: number; message: Message; attempts: number }

const MAX_ATTEMPTS = 8
const FIRST_RETRY_MS = 30_000
const MAX_RETRY_MS = FIRST_RETRY_MS * 2 ** (MAX_ATTEMPTS - 2)

/** Stores messages, in the transaction of what they report. The job `outbox` sends them after the commit. */
export async function queueMessages(
  tx: Transaction,
  target: OutboxTarget,
  dueAt: Date,
  messages: object[],
): Promise<void> {
  await tx.insert(outbox).values(messages.map((message) => ({ target, message, nextAttemptAt: dueAt })))
}

/** Returns the statement that stores messages. @param messages a query with one column of JSON */
export const insertMessages = (target: OutboxTarget, dueAt: Date, messages: SQL): SQL =>
  sql`insert into ${outbox} (target, message, next_attempt_at)
    select ${target}::text, message, ${dueAt.toISOString()}::timestamptz from (${messages}) as queued(message)`

/** Returns the query of the time at which the first message of a target is due. */
const nextMessage = (): SQL => sql`select min(next_attempt_at)
  from (select distinct on (target) next_attempt_at from ${outbox} order by target, id) as first`

/**
 * Returns the messages of a target in the order of their ids, up to the first that is not due. A message that would wait
 * longer than any retry is due: the clock was set back.
 */
async function readDue(
  { db, now }: Pick<Services, 'db' | 'now'>,
  target: OutboxTarget,
  limit: number,
): Promise<Queued<unknown>[]> {
  const rows = await db.select().from(outbox).where(eq(outbox.target, target)).orderBy(asc(outbox.id)).limit(limit)
  const firstLater = rows.findIndex(({ nextAttemptAt }) => {
    const waitMs = nextAttemptAt.getTime() - now().getTime()
    return waitMs > 0 && waitMs <= MAX_RETRY_MS
  })
  return firstLater === -1 ? rows : rows.slice(0, firstLater)
}

/**
 * Deletes messages before they are sent: after a crash they are lost, but never sent again and again.
 * @returns those that no other process has taken
 */
export async function takeMessages<Message>(tx: Transaction, messages: Queued<Message>[]): Promise<Message[]> {
  const ids = messages.map(({ id }) => id)
  const taken = await tx.delete(outbox).where(inArray(outbox.id, ids)).returning({ message: outbox.message })
  return taken.map(({ message }) => message as Message)
}

/**
 * Records an attempt after it: a crash before that repeats it. Deletes a message that was sent or failed too often, and
 * otherwise delays it and those behind it.
 * @param failure the reason, or null if the message was sent
 */
export async function settleMessage(
  { db, now, log }: Pick<Services, 'db' | 'now' | 'log'>,
  target: OutboxTarget,
  message: Queued<unknown>,
  failure: string | null,
): Promise<void> {
  const isOwn = eq(outbox.id, message.id)
  const attempts = message.attempts + 1
  const isLast = attempts >= MAX_ATTEMPTS
  if (failure !== null) {
    const details = { target, reason: failure, attempts }
    if (isLast) log.error(details, 'a message could not be sent: giving up')
    else log.warn(details, 'a message could not be sent')
  }
  if (failure === null || isLast) await db.delete(outbox).where(isOwn)
  else {
    const nextAttemptAt = new Date(now().getTime() + FIRST_RETRY_MS * 2 ** message.attempts)
    await db.update(outbox).set({ attempts, nextAttemptAt }).where(isOwn)
  }
}

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
