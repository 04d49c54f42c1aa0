import { AsyncLocalStorage } from 'node:async_hooks'
import { type SQL, sql } from 'drizzle-orm'
import type { PendingQuery, Row, TransactionSql } from 'postgres'

type Work = (tx: TransactionSql) => Promise<unknown>
export type Begin = (work: Work) => Promise<unknown>
export type Timeout = {
  ms: number | undefined
  onTimeout: () => void
  /** Set if a query that was sent is always answered: its caller waits, because only the answer says what happened. */
  isAnswerCertain?: boolean
}

export class DatabaseTimeout extends Error {
  override name = 'DatabaseTimeout'
  readonly code = 'DATABASE_TIMEOUT'

  constructor() {
    super('The database did not answer in time')
  }
}

const transactionExtensions = new AsyncLocalStorage<(ms: number) => void>()

/** Lets the database's own timeout expire first, so that the caller gets the database's error. */
const DATABASE_HEAD_START_MS = 10_000

/** Extends both timeouts of a transaction: the database's and the watchdog's. */
export async function extendTransactionTimeout(
  tx: { execute: (statement: SQL) => PromiseLike<unknown> },
  ms: number,
): Promise<void> {
  await tx.execute(sql`select set_config('statement_timeout', ${String(ms)}, true)`)
  transactionExtensions.getStore()?.(ms + DATABASE_HEAD_START_MS)
}

/**
 * Rejects a query that is not answered in time. postgres.js itself would wait without limit. A query that was not sent yet
 * is cancelled, so that it is not executed after its caller got an error.
 */
export function withQueryTimeout<T extends readonly (object | undefined)[] = Row[]>(
  query: PendingQuery<T>,
  { ms, onTimeout, isAnswerCertain }: Timeout,
): PendingQuery<T> {
  if (ms === undefined) return query
  // postgres.js sends a query when `then` is called, so the timer starts there.
  const then = query.then.bind(query) as Promise<unknown>['then']
  const run = () =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        // Set by postgres.js 3.4.9 when it sends the query.
        const isSent = Boolean((query as { state?: unknown }).state)
        if (isSent && isAnswerCertain) return
        onTimeout()
        reject(new DatabaseTimeout())
        if (!isSent) query.cancel()
      }, ms)
      then(resolve, reject).finally(() => clearTimeout(timer))
    })
  return Object.assign(query, {
    // biome-ignore lint/suspicious/noThenProperty: the query is a promise already
    then: (...handlers: Parameters<Promise<unknown>['then']>) => run().then(...handlers),
  })
}

/** Rejects a transaction that takes too long, and rolls it back. */
export function withTransactionTimeout(begin: Begin, { ms, onTimeout, isAnswerCertain }: Timeout): Begin {
  if (ms === undefined) return begin
  return (work) =>
    new Promise((resolve, reject) => {
      let isTimedOut = false
      let timer: NodeJS.Timeout
      const restartTimer = (time: number) => {
        clearTimeout(timer)
        timer = setTimeout(() => {
          isTimedOut = true
          onTimeout()
          reject(new DatabaseTimeout())
        }, time)
      }
      restartTimer(ms)
      const checkedWork: Work = async (tx) => {
        const result = await transactionExtensions.run(restartTimer, () => work(tx))
        // The caller already got an error, so the transaction must not commit.
        if (isTimedOut) throw new DatabaseTimeout()
        if (isAnswerCertain) clearTimeout(timer)
        return result
      }
      begin(checkedWork)
        .then(resolve, reject)
        .finally(() => clearTimeout(timer))
    })
}
