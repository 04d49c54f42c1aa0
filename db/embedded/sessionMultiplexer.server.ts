import type { PGlite } from '@electric-sql/pglite'
import type { CheckpointSchedule } from './checkpointSchedule.server.ts'
import type { LogSync } from './logSync.server.ts'
import {
  clientMessage,
  createMessageReader,
  endsQuery,
  errorField,
  MAINTENANCE_MESSAGES,
  ROLLBACK_MESSAGE,
  readNotification,
  readStatementTimeout,
  SYNC_MESSAGE,
  serverMessage,
} from './protocol.server.ts'
import type { StatementTimer } from './statementTimer.server.ts'

/** Limits the time between two queries of a transaction, because all other clients wait for the transaction. */
const IDLE_TRANSACTION_MS = 10_000

const FAILED_TRANSACTION = 'E'.charCodeAt(0)

type QueuedMessage = {
  client: number
  message: Uint8Array
  onData: (data: Uint8Array) => void
  resolve: (bytes: number) => void
  reject: (error: Error) => void
}

type Options = {
  log: Pick<LogSync, 'synced'>
  timer: Pick<StatementTimer, 'start' | 'stop'>
  checkpoints: Pick<CheckpointSchedule, 'getDue' | 'restart'>
  onNotification: (channel: string, payload: string) => void
  /** Handles a broken database, not a failed query. Must not return: the caller would send further queries. */
  onFatal: (error: Error) => never
  evict: (client: number) => void
}

/**
 * Shares PGlite's single session: a client keeps the session until its query or transaction ends. pglite-socket's own
 * queue switches clients after each message (electric-sql/pglite#1046): another client's Parse could replace an unnamed
 * statement before its Bind.
 *
 * A client gets the end of an answer when all commits before it are on the disk. Meanwhile, others use the session.
 */
export class SessionMultiplexer {
  #database: PGlite
  #options: Options
  #queue: QueuedMessage[] = []
  #owner: number | null = null
  #running = false
  #idleTimer: NodeJS.Timeout | undefined
  #isAnswered = false
  /** false after a part of a query, and in a failed transaction */
  #acceptsQuery = true
  #notifications: [channel: string, payload: string][] = []
  #timeouts = new Map<number, number>()
  /** answers that wait for a sync, or for such an answer of the same client: a client sends queries without waiting */
  #waiting = new Map<number, Promise<void>>()
  #read: (chunk: Uint8Array) => void

  constructor(database: PGlite, options: Options) {
    this.#database = database
    this.#options = options
    this.#read = createMessageReader((type, body) => this.#inspect(type, body))
  }

  enqueue(client: number, message: Uint8Array, onData: (data: Uint8Array) => void): Promise<number> {
    if (message[0] === clientMessage.terminate) return Promise.resolve(0)
    if (message[0] === clientMessage.startup) {
      const timeout = readStatementTimeout(message)
      if (timeout !== undefined) this.#timeouts.set(client, timeout)
    }
    return new Promise((resolve, reject) => {
      this.#queue.push({ client, message, onData, resolve, reject })
      void this.run()
    })
  }

  getQueueLength(): number {
    return this.#queue.length
  }

  clearQueueForHandler(client: number): void {
    const removed = this.#queue.filter((message) => message.client === client)
    this.#queue = this.#queue.filter((message) => message.client !== client)
    this.#timeouts.delete(client)
    this.#waiting.delete(client)
    for (const { reject } of removed) reject(new Error('The connection is closed'))
  }

  /** Ends a client's pending statement and transaction. PGLiteSocketHandler requires this name. */
  async clearTransactionIfNeeded(client: number): Promise<void> {
    await this.#database.runExclusive(async () => {
      if (this.#owner !== client) return
      await this.#send(SYNC_MESSAGE)
      if (this.#database.isInTransaction()) await this.#send(ROLLBACK_MESSAGE)
      this.#owner = null
    })
    void this.run()
  }

  /** Answers queued messages, and does maintenance that is due. */
  async run(): Promise<void> {
    if (this.#running) return
    this.#running = true
    clearTimeout(this.#idleTimer)
    await this.#maintain()
    for (let next = this.#next(); next; next = this.#next()) {
      await this.#answer(next)
      await this.#maintain()
    }
    this.#running = false
    const owner = this.#owner
    if (owner !== null) this.#idleTimer = setTimeout(() => this.#options.evict(owner), IDLE_TRANSACTION_MS)
  }

  #next(): QueuedMessage | undefined {
    const owner = this.#owner
    if (owner === null) return this.#queue.shift()
    const index = this.#queue.findIndex((message) => message.client === owner)
    return index < 0 ? undefined : this.#queue.splice(index, 1)[0]
  }

  async #answer({ client, message, onData, resolve, reject }: QueuedMessage): Promise<void> {
    this.#owner = client
    const chunks: Uint8Array[] = []
    try {
      this.#options.timer.start(this.#timeouts.get(client))
      await this.#database.runExclusive(() => this.#send(message, (data) => chunks.push(new Uint8Array(data))))
      const isOver = message[0] === clientMessage.startup || endsQuery(message)
      if (isOver && !this.#database.isInTransaction()) this.#owner = null
    } catch (error) {
      this.#owner = null
      return reject(error instanceof Error ? error : new Error(String(error)))
    } finally {
      this.#options.timer.stop()
    }
    const notifications = this.#notifications.splice(0)
    const deliver = () => {
      for (const [channel, payload] of notifications) this.#options.onNotification(channel, payload)
      for (const chunk of chunks) onData(chunk)
      resolve(chunks.reduce((bytes, { length }) => bytes + length, 0))
    }
    // Inside a transaction nothing is decided yet, and others would wait for it.
    const synced = this.#owner === null ? this.#options.log.synced() : null
    const earlier = this.#waiting.get(client)
    if (!synced && !earlier) return deliver()
    const delivered = Promise.all([synced, earlier]).then(() => {
      if (this.#waiting.get(client) === delivered) this.#waiting.delete(client)
      deliver()
    })
    this.#waiting.set(client, delivered)
  }

  async #maintain(): Promise<void> {
    const due = this.#options.checkpoints.getDue()
    if (!due || !this.#acceptsQuery) return
    await this.#database.runExclusive(() => this.#send(MAINTENANCE_MESSAGES[due]))
    this.#options.checkpoints.restart(due)
  }

  /** PGlite keeps the last `onRawData` callback, so other code must not call exec() on this database. */
  async #send(message: Uint8Array, onData?: (data: Uint8Array) => void): Promise<void> {
    this.#isAnswered = false
    this.#acceptsQuery = false
    await this.#database.execProtocolRawStream(message, {
      onRawData: (data) => {
        this.#read(data)
        onData?.(data)
      },
    })
    // PGlite hides WebAssembly errors. The only sign of a crash is a missing ReadyForQuery.
    if (endsQuery(message) && !this.#isAnswered) this.#options.onFatal(new Error('no answer to a query'))
  }

  #inspect(type: number, body: Buffer): void {
    if (type === serverMessage.ready) {
      this.#isAnswered = true
      this.#acceptsQuery = body[0] !== FAILED_TRANSACTION
    }
    if (type === serverMessage.notification) this.#notifications.push(readNotification(body))
    if (type === serverMessage.error) {
      const severity = errorField(body, 'V')
      // PostgreSQL would now end its process. PGlite goes on, and answers every query with the same error.
      if (severity === 'FATAL' || severity === 'PANIC') this.#options.onFatal(new Error(errorField(body, 'M')))
    }
  }
}
