import { setTimeout as sleep } from 'node:timers/promises'
import { drizzle } from 'drizzle-orm/postgres-js'
import type { Sql } from 'postgres'
import { errorChain, hasErrorCode } from './errors.server.ts'
import { prepareRepeated } from './preparedStatements.server.ts'
import { type Begin, type Bound, withQueryTimeout, withTransactionTimeout } from './queryWatchdog.server.ts'

/** ms; while the database is down each try to connect ends in a lost connection */
const REPLACED_EVERY = 2000
/** ms; a busy database may look silent, and each pool that is replaced keeps its connections for a while */
const SILENT_REPLACED_EVERY = 60_000
/** ms that a replaced pool has for the work it had begun; longer than any statement is given */
const DRAIN = 150_000
/** A transaction that was chosen to end a deadlock is begun again; three times in a row is no chance any more. */
const TRIES = 5

export type Pool = { sql: Sql; close(timeoutSeconds: number): Promise<void> }

export type PoolOptions = {
  /** ms a query or a transaction has until its answer, the wait for a connection included; without it, any time */
  timeoutMs?: number
  /** a connection can be dead without a word: one that gives no answer is as good as lost */
  replaceOnTimeout?: boolean
}

/**
 * A pool of connections that is replaced once it has lost one. In postgres.js 3.4.9 a connection that dies while a
 * query waits to be written never writes again: each query that comes to it would end in a timeout, for ever. None
 * may close by itself, so `max_lifetime` has to be null.
 * @param open makes a pool that calls `onclose` whenever a connection of it has closed
 */
export function openPool(
  open: (onclose: () => void) => Sql,
  { timeoutMs, replaceOnTimeout = false }: PoolOptions = {},
): Pool {
  const draining = new Map<Sql, NodeJS.Timeout>()
  let replacing: NodeJS.Timeout | undefined
  let replacedAt = 0
  let closed = false
  let current = make()

  function make(): Sql {
    const pool = open(() => replaceSoon(pool, REPLACED_EVERY))
    // Drizzle reads dates itself, and takes the parsers of them out of the pool it is given.
    drizzle(pool)
    const begin = safeBegin(pool.begin.bind(pool) as Begin)
    return Object.assign(pool, { begin: withTransactionTimeout(begin, boundOf(pool)) })
  }

  function replaceSoon(pool: Sql, every: number): void {
    if (closed || pool !== current || replacing) return
    replacing = setTimeout(replace, Math.max(0, replacedAt + every - Date.now())).unref()
  }

  function boundOf(pool: Sql): Bound {
    return { ms: timeoutMs, onSilence: () => replaceOnTimeout && replaceSoon(pool, SILENT_REPLACED_EVERY) }
  }

  /** What Drizzle asks outside of transactions. */
  function unsafe(...args: Parameters<Sql['unsafe']>) {
    const pool = current
    return withQueryTimeout(prepareRepeated(pool.unsafe)(...args), boundOf(pool))
  }

  function replace(): void {
    const old = current
    replacing = undefined
    replacedAt = Date.now()
    current = make()
    const timer = setTimeout(() => {
      draining.delete(old)
      void old.end({ timeout: 5 })
    }, DRAIN)
    draining.set(old, timer.unref())
  }

  const sql = new Proxy((() => {}) as unknown as Sql, {
    apply: (_target, _this, args) => Reflect.apply(current, undefined, args),
    get: (_target, name) => (name === 'unsafe' ? unsafe : Reflect.get(current, name)),
  })
  return {
    sql,
    async close(timeout) {
      closed = true
      clearTimeout(replacing)
      for (const timer of draining.values()) clearTimeout(timer)
      // A connection that never writes again does not end by itself either.
      const ends = [...draining.keys()].map((pool) => pool.end({ timeout: 0 }))
      await Promise.all([current.end({ timeout }), ...ends])
    },
  }
}

/**
 * The driver would send a ROLLBACK down a connection that is gone, and throw where nobody can catch it: work that
 * failed with its connection is left unsettled, and the transaction ends with the connection's own error.
 * Work that PostgreSQL gave up to end a deadlock is done again, so it must not change anything but the database.
 */
function safeBegin(begin: Begin): Begin {
  return async (work) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await begin((tx) =>
          work(Object.assign(tx, { unsafe: prepareRepeated(tx.unsafe) })).catch((error) => {
            if (isConnectionLost(error)) return new Promise(() => {})
            throw error
          }),
        )
      } catch (error) {
        if (attempt >= TRIES || !isDeadlock(error)) throw error
        await sleep(Math.random() * 50 * attempt)
      }
    }
  }
}

const isConnectionLost = (error: unknown) =>
  errorChain(error).some(
    ({ code, severity }) => /^(FATAL|PANIC)$/.test(String(severity)) || /^(CONNECTION_|ECONN|EPIPE)/.test(String(code)),
  )

const isDeadlock = (error: unknown) => hasErrorCode(error, '40P01', '40001')
