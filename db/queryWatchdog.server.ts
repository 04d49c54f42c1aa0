import { AsyncLocalStorage } from 'node:async_hooks'
import type { PendingQuery, Row, TransactionSql } from 'postgres'

type Work = (tx: TransactionSql) => Promise<unknown>
export type Begin = (work: Work) => Promise<unknown>
/** `ms` until an answer is no longer waited for; undefined: for ever */
export type Bound = { ms: number | undefined; onSilence: () => void }

/** No answer in time: the database hangs, the way to it is cut without a word, or too many are waiting in line. */
export class DatabaseTimeout extends Error {
  override name = 'DatabaseTimeout'
  readonly code = 'DATABASE_TIMEOUT'

  constructor() {
    super('The database gave no answer in time')
  }
}

const extensions = new AsyncLocalStorage<(ms: number) => void>()

/** Gives the transaction that calls it so much more time, from now on. */
export function extendTransactionTimeout(ms: number): void {
  extensions.getStore()?.(ms)
}

/** A query that fails when its answer does not come: the driver itself waits for ever. */
export function withQueryTimeout<T extends readonly (object | undefined)[] = Row[]>(
  query: PendingQuery<T>,
  { ms, onSilence }: Bound,
): PendingQuery<T> {
  if (ms === undefined) return query
  // It is sent when somebody waits for it, and only then: that is its beginning.
  const then = query.then.bind(query) as Promise<unknown>['then']
  const bounded = () =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        onSilence()
        reject(new DatabaseTimeout())
      }, ms)
      then(resolve, reject).finally(() => clearTimeout(timer))
    })
  return Object.assign(query, {
    // biome-ignore lint/suspicious/noThenProperty: the query is a promise already
    then: (...handlers: Parameters<Promise<unknown>['then']>) => bounded().then(...handlers),
  })
}

/** Transactions that fail when they do not end in time: what has no answer would hold its visitor for ever. */
export function withTransactionTimeout(begin: Begin, { ms, onSilence }: Bound): Begin {
  if (ms === undefined) return begin
  return (work) =>
    new Promise((resolve, reject) => {
      let isOver = false
      let timer: NodeJS.Timeout
      const allow = (time: number) => {
        clearTimeout(timer)
        timer = setTimeout(() => {
          isOver = true
          onSilence()
          reject(new DatabaseTimeout())
        }, time)
      }
      allow(ms)
      const timely: Work = async (tx) => {
        const result = await extensions.run(allow, () => work(tx))
        // Whoever asked was told that it failed: it must not be written after all.
        if (isOver) throw new DatabaseTimeout()
        return result
      }
      begin(timely)
        .then(resolve, reject)
        .finally(() => clearTimeout(timer))
    })
}
