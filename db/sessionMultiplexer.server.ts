import type { PGlite } from '@electric-sql/pglite'

/** Limits the time between two queries of a transaction, because all other clients wait for the transaction. */
const IDLE_TRANSACTION_MS = 10_000

const QUERY = 'Q'.charCodeAt(0)
const SYNC = 'S'.charCodeAt(0)
const FUNCTION_CALL = 'F'.charCodeAt(0)
const TERMINATE = 'X'.charCodeAt(0)
const NOTIFICATION = 'A'.charCodeAt(0)
const ERROR = 'E'.charCodeAt(0)
const READY = 'Z'.charCodeAt(0)
const STARTUP = 0

const SYNC_MESSAGE = new Uint8Array([SYNC, 0, 0, 0, 4])
const ROLLBACK_MESSAGE = new Uint8Array([QUERY, 0, 0, 0, 13, ...Buffer.from('ROLLBACK\0')])

type QueuedMessage = {
  client: number
  message: Uint8Array
  onData: (data: Uint8Array) => void
  resolve: (bytes: number) => void
  reject: (error: Error) => void
}

type Options = {
  onNotification: (channel: string, payload: string) => void
  /** Handles a broken database, not a failed query. Must not return: the caller would send further queries. */
  onFatal: (error: Error) => never
  evict: (client: number) => void
}

/**
 * Shares PGlite's single session: a client keeps the session until its query or transaction ends. pglite-socket's own
 * queue switches clients after each message: another client's Parse could replace an unnamed statement before its Bind.
 */
export class SessionMultiplexer {
  #database: PGlite
  #options: Options
  #queue: QueuedMessage[] = []
  #owner: number | null = null
  #running = false
  #idleTimer: NodeJS.Timeout | undefined
  #isAnswered = false
  #read: (chunk: Uint8Array) => void

  constructor(database: PGlite, options: Options) {
    this.#database = database
    this.#options = options
    this.#read = createMessageReader((type, body) => this.#inspect(type, body))
  }

  enqueue(client: number, message: Uint8Array, onData: (data: Uint8Array) => void): Promise<number> {
    if (message[0] === TERMINATE) return Promise.resolve(0)
    return new Promise((resolve, reject) => {
      this.#queue.push({ client, message, onData, resolve, reject })
      void this.#run()
    })
  }

  getQueueLength(): number {
    return this.#queue.length
  }

  clearQueueForHandler(client: number): void {
    const removed = this.#queue.filter((message) => message.client === client)
    this.#queue = this.#queue.filter((message) => message.client !== client)
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
    void this.#run()
  }

  async #run(): Promise<void> {
    if (this.#running) return
    this.#running = true
    clearTimeout(this.#idleTimer)
    for (let next = this.#next(); next; next = this.#next()) await this.#answer(next)
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
    let bytes = 0
    try {
      await this.#database.runExclusive(() =>
        this.#send(message, (data) => {
          bytes += data.length
          onData(data)
        }),
      )
      if ((message[0] === STARTUP || endsQuery(message)) && !this.#database.isInTransaction()) this.#owner = null
      resolve(bytes)
    } catch (error) {
      this.#owner = null
      reject(error instanceof Error ? error : new Error(String(error)))
    }
  }

  /** PGlite keeps the last `onRawData` callback, so other code must not call exec() on this database. */
  async #send(message: Uint8Array, onData?: (data: Uint8Array) => void): Promise<void> {
    this.#isAnswered = false
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
    if (type === READY) this.#isAnswered = true
    if (type === NOTIFICATION) {
      // Skips the process id. Channel and payload follow, each with a NUL at the end.
      const [channel = '', payload = ''] = body.toString('utf8', 4).split('\0')
      this.#options.onNotification(channel, payload)
    }
    if (type === ERROR) {
      const fields = body.toString('utf8').split('\0')
      const severity = fields.find((field) => field.startsWith('V'))?.slice(1)
      // PostgreSQL would now end its process. PGlite goes on, and answers every query with the same error.
      if (severity === 'FATAL' || severity === 'PANIC') {
        this.#options.onFatal(new Error(fields.find((field) => field.startsWith('M'))?.slice(1)))
      }
    }
  }
}

/** Returns whether the database answers the message with ReadyForQuery. */
function endsQuery(message: Uint8Array): boolean {
  return message[0] === SYNC || message[0] === QUERY || message[0] === FUNCTION_CALL
}

const WITH_BODY = new Set([NOTIFICATION, ERROR])
const NO_BODY = Buffer.alloc(0)

/**
 * Splits raw output into messages; a chunk may end inside a message. Passes bodies only for notifications and errors.
 */
export function createMessageReader(listener: (type: number, body: Buffer) => void): (chunk: Uint8Array) => void {
  let rest = NO_BODY
  let skip = 0
  return (chunk) => {
    const data = Buffer.concat([rest, chunk])
    let at = 0
    while (true) {
      const skipped = Math.min(skip, data.length - at)
      at += skipped
      skip -= skipped
      if (data.length - at < 5) break
      const type = data[at] ?? 0
      const end = at + 1 + data.readUInt32BE(at + 1)
      if (!WITH_BODY.has(type)) {
        skip = end - at
        listener(type, NO_BODY)
        continue
      }
      if (data.length < end) break
      listener(type, data.subarray(at + 5, end))
      at = end
    }
    rest = data.subarray(at)
  }
}
