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
  SYNC_MESSAGE,
  serverMessage,
} from './protocol.server.ts'
import type { StatementTimer } from './statementTimer.server.ts'

/** Limits the time between two queries of a transaction, because all other clients wait for the transaction. */
const IDLE_TRANSACTION_MS = 10_000

/**
 * After a command kept the site waiting for longer than `LONG_MS`, the site goes first for `SITE_FIRST_MS`: a page needs
 * several queries, and would wait for a transaction of an import before each.
 */
const [LONG_MS, SITE_FIRST_MS] = [20, 40]

const FAILED_TRANSACTION = 'E'.charCodeAt(0)

export type Client = {
  /** maximum ms per statement; undefined for commands */
  timeoutMs?: number | undefined
  receive(answer: Buffer[]): void
  /** Ends the connection because of an error of the database, or a transaction that stalls. Calls `leave`. */
  close(): void
}

/** Messages of a client. `type` is that of the last one. */
export type Part = { client: Client; messages: Uint8Array; type: number }

type Options = {
  log: Pick<LogSync, 'synced'>
  timer: Pick<StatementTimer, 'start' | 'stop'>
  checkpoints: Pick<CheckpointSchedule, 'getDue' | 'restart'>
  onNotification: (channel: string, payload: string) => void
  /** Handles a broken database, not a failed query. Must not return: the caller would send further queries. */
  onFatal: (error: Error) => never
}

const isCommand = ({ timeoutMs }: Client) => timeoutMs === undefined

/**
 * Shares PGlite's single session: a client keeps the session until its query or transaction ends. Otherwise, another
 * client's Parse could replace an unnamed statement before its Bind.
 *
 * A client gets the end of an answer when all commits before it are on the disk. Meanwhile, others use the session.
 */
export class SessionMultiplexer {
  #database: PGlite
  #options: Options
  #queue: Part[] = []
  #owner: Client | null = null
  #running = false
  #idleTimer: NodeJS.Timeout | undefined
  #ownedSince = 0
  /** set while commands wait for the site */
  #siteFirst: NodeJS.Timeout | undefined
  #isAnswered = false
  /** false after a part of a query, and in a failed transaction */
  #acceptsQuery = true
  #notifications: [channel: string, payload: string][] = []
  /** answers that wait for a sync, or for such an answer of the same client: a client sends queries without waiting */
  #waiting = new WeakMap<Client, Promise<void>>()
  #read: (chunk: Buffer) => void

  constructor(database: PGlite, options: Options) {
    this.#database = database
    this.#options = options
    this.#read = createMessageReader((type, body) => this.#inspect(type, body))
  }

  enqueue(part: Part): void {
    this.#queue.push(part)
    void this.run()
  }

  /** Forgets the messages of a client, and ends its pending statement and transaction. */
  async leave(client: Client): Promise<void> {
    this.#queue = this.#queue.filter((part) => part.client !== client)
    await this.#database.runExclusive(async () => {
      if (this.#owner !== client) return
      await this.#send(SYNC_MESSAGE, clientMessage.sync)
      if (this.#database.isInTransaction()) await this.#send(ROLLBACK_MESSAGE, clientMessage.query)
      // If the client's last query ended meanwhile, another client may already have the session.
      if (this.#owner === client) this.#owner = null
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
    if (owner !== null) this.#idleTimer = setTimeout(() => owner.close(), IDLE_TRANSACTION_MS)
  }

  #next(): Part | undefined {
    const owner = this.#owner
    const index = this.#queue.findIndex(({ client }) =>
      owner === null ? !(this.#siteFirst && isCommand(client)) : client === owner,
    )
    return index < 0 ? undefined : this.#queue.splice(index, 1)[0]
  }

  #release(client: Client): void {
    this.#owner = null
    if (!isCommand(client) || performance.now() - this.#ownedSince < LONG_MS) return
    if (this.#queue.every((part) => isCommand(part.client))) return
    this.#siteFirst ??= setTimeout(() => {
      this.#siteFirst = undefined
      void this.run()
    }, SITE_FIRST_MS)
  }

  async #answer({ client, messages, type }: Part): Promise<void> {
    if (this.#owner === null) this.#ownedSince = performance.now()
    this.#owner = client
    const answer: Buffer[] = []
    try {
      this.#options.timer.start(client.timeoutMs)
      await this.#database.runExclusive(() => this.#send(messages, type, answer))
      const isOver = type === clientMessage.startup || endsQuery(type)
      if (isOver && !this.#database.isInTransaction()) this.#release(client)
    } catch {
      this.#owner = null
      return client.close()
    } finally {
      this.#options.timer.stop()
    }
    const notifications = this.#notifications.splice(0)
    const deliver = () => {
      for (const [channel, payload] of notifications) this.#options.onNotification(channel, payload)
      client.receive(answer)
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
    await this.#database.runExclusive(() => this.#send(MAINTENANCE_MESSAGES[due], clientMessage.query))
    this.#options.checkpoints.restart(due)
  }

  /**
   * PGlite keeps the last `onRawData` callback, so other code must not call exec() on this database.
   * @param type of the last message
   * @param answer receives copies: the data is in the memory of the database
   */
  async #send(messages: Uint8Array, type: number, answer: Buffer[] = []): Promise<void> {
    this.#isAnswered = false
    this.#acceptsQuery = false
    await this.#database.execProtocolRawStream(messages, {
      // The files of the database sync themselves.
      syncToFs: false,
      onRawData: (data) => {
        const copy = Buffer.from(data)
        this.#read(copy)
        answer.push(copy)
      },
    })
    // PGlite hides WebAssembly errors. The only sign of a crash is a missing ReadyForQuery.
    if (endsQuery(type) && !this.#isAnswered) this.#options.onFatal(new Error('no answer to a query'))
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
