import { setTimeout as sleep } from 'node:timers/promises'
import { drizzle } from 'drizzle-orm/postgres-js'
import type { Sql } from 'postgres'
import { errorChain, hasErrorCode } from './errors.server.ts'
import { prepareRepeated } from './preparedStatements.server.ts'
import { type Begin, type Timeout, withQueryTimeout, withTransactionTimeout } from './queryWatchdog.server.ts'

/** While the database is down, each attempt to connect ends with a lost connection. */
const MIN_REPLACE_INTERVAL_MS = 2000
/** Longer, because a busy database can look hung and a replaced pool keeps its connections for a while. */
const MIN_REPLACE_INTERVAL_AFTER_TIMEOUT_MS = 60_000
/** for the work of a replaced pool; longer than any statement may take */
const DRAIN_MS = 150_000
/** tries for a transaction that PostgreSQL aborts to end a deadlock */
const MAX_TRIES = 5

type PoolOptions = {
  timeoutMs?: number
  /** treats a connection without an answer as lost */
  replaceOnTimeout?: boolean
}

/**
 * Creates a pool that is replaced when it loses a connection: in postgres.js 3.4.9, a connection that is lost while a
 * query waits never writes again. `max_lifetime` must be null: a connection that closes by itself counts as lost.
 * @param open opens a pool that calls `onclose` whenever one of its connections closes
 */
export function createPool(
  open: (onclose: () => void) => Sql,
  { timeoutMs, replaceOnTimeout = false }: PoolOptions = {},
) {
  const draining = new Map<Sql, NodeJS.Timeout>()
  let replacing: NodeJS.Timeout | undefined
  let replacedAt = 0
  let closed = false
  let current = createCurrent()

  function createCurrent(): Sql {
    const pool = open(() => replaceSoon(pool, MIN_REPLACE_INTERVAL_MS))
    // Drizzle parses dates itself and removes the date parsers of the pool.
    drizzle(pool)
    const begin = safeBegin(pool.begin.bind(pool) as Begin)
    return Object.assign(pool, { begin: withTransactionTimeout(begin, timeoutOf(pool)) })
  }

  function replaceSoon(pool: Sql, minIntervalMs: number): void {
    if (closed || pool !== current || replacing) return
    replacing = setTimeout(replace, Math.max(0, replacedAt + minIntervalMs - Date.now())).unref()
  }

  function timeoutOf(pool: Sql): Timeout {
    return {
      ms: timeoutMs,
      onTimeout: () => replaceOnTimeout && replaceSoon(pool, MIN_REPLACE_INTERVAL_AFTER_TIMEOUT_MS),
    }
  }

  /** Drizzle sends all its queries outside of transactions through `unsafe`. */
  function unsafe(...args: Parameters<Sql['unsafe']>) {
    const pool = current
    return withQueryTimeout(prepareRepeated(pool.unsafe)(...args), timeoutOf(pool))
  }

  function replace(): void {
    const old = current
    replacing = undefined
    replacedAt = Date.now()
    current = createCurrent()
    const timer = setTimeout(() => {
      draining.delete(old)
      void old.end({ timeout: 5 })
    }, DRAIN_MS)
    draining.set(old, timer.unref())
  }

  // Drizzle keeps this object for the life of the process, so it forwards to the current pool.
  const sql = new Proxy((() => {}) as unknown as Sql, {
    apply: (_target, _this, args) => Reflect.apply(current, undefined, args),
    get: (_target, name) => (name === 'unsafe' ? unsafe : Reflect.get(current, name)),
  })
  return {
    sql,
    async close(timeoutSeconds: number): Promise<void> {
      closed = true
      clearTimeout(replacing)
      for (const timer of draining.values()) clearTimeout(timer)
      // A connection that never writes again does not end by itself.
      const ends = [...draining.keys()].map((pool) => pool.end({ timeout: 0 }))
      await Promise.all([current.end({ timeout: timeoutSeconds }), ...ends])
    },
  }
}

/**
 * Makes transactions survive lost connections and deadlocks: postgres.js throws uncaught when it sends ROLLBACK to a
 * lost connection (porsager/postgres#1208). Work that lost against a deadlock runs again, so it must change only the database.
 */
function safeBegin(begin: Begin): Begin {
  return async (work) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await begin((tx) =>
          work(Object.assign(tx, { unsafe: prepareRepeated(tx.unsafe) })).catch((error) => {
            // `begin` rejects when the connection closes. A rejection here would make it send ROLLBACK.
            if (isConnectionLost(error)) return new Promise(() => {})
            throw error
          }),
        )
      } catch (error) {
        if (attempt >= MAX_TRIES || !isDeadlock(error)) throw error
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
