import type { PGlite } from '@electric-sql/pglite'

/** A transaction whose client says nothing for so long is rolled back: everybody else is waiting behind it. */
const SILENCE_LIMIT = 10_000

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

type Waiting = {
  client: number
  message: Uint8Array
  onData: (data: Uint8Array) => void
  resolve: (bytes: number) => void
  reject: (error: Error) => void
}

type Options = {
  onNotification: (channel: string, payload: string) => void
  /** The database itself is broken, as opposed to a query that failed. Must not return: it may be called in a loop. */
  onFatal: (error: Error) => never
  /** close this client's connection */
  evict: (client: number) => void
}

/**
 * Lets many connections use the one session underneath: a client that began keeps its turn until the database
 * is ready for a new query and outside a transaction. pglite-socket's own queue takes turns message by message,
 * so that one client's unnamed statement is replaced by another's between its Parse and its Bind.
 * The methods are those which PGLiteSocketHandler calls.
 */
export class SessionMultiplexer {
  #database: PGlite
  #options: Options
  #waiting: Waiting[] = []
  #owner: number | null = null
  #running = false
  #silence: NodeJS.Timeout | undefined
  /** whether the message being answered was answered to its end */
  #answered = false
  #read: (chunk: Uint8Array) => void

  constructor(database: PGlite, options: Options) {
    this.#database = database
    this.#options = options
    this.#read = createMessageReader((type, body) => this.#look(type, body))
  }

  enqueue(client: number, message: Uint8Array, onData: (data: Uint8Array) => void): Promise<number> {
    if (message[0] === TERMINATE) return Promise.resolve(0)
    return new Promise((resolve, reject) => {
      this.#waiting.push({ client, message, onData, resolve, reject })
      void this.#run()
    })
  }

  getQueueLength(): number {
    return this.#waiting.length
  }

  clearQueueForHandler(client: number): void {
    const gone = this.#waiting.filter((waiting) => waiting.client === client)
    this.#waiting = this.#waiting.filter((waiting) => waiting.client !== client)
    for (const { reject } of gone) reject(new Error('The connection is closed'))
  }

  /** Ends what a client left open; its own name in PGLiteSocketHandler promises a transaction only. */
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
    clearTimeout(this.#silence)
    for (let next = this.#next(); next; next = this.#next()) await this.#answer(next)
    this.#running = false
    const owner = this.#owner
    if (owner !== null) this.#silence = setTimeout(() => this.#options.evict(owner), SILENCE_LIMIT)
  }

  #next(): Waiting | undefined {
    const owner = this.#owner
    if (owner === null) return this.#waiting.shift()
    const index = this.#waiting.findIndex((waiting) => waiting.client === owner)
    return index < 0 ? undefined : this.#waiting.splice(index, 1)[0]
  }

  async #answer({ client, message, onData, resolve, reject }: Waiting): Promise<void> {
    this.#owner = client
    let bytes = 0
    try {
      await this.#database.runExclusive(() =>
        this.#send(message, (data) => {
          bytes += data.length
          onData(data)
        }),
      )
      if ((message[0] === STARTUP || endsTurn(message)) && !this.#database.isInTransaction()) this.#owner = null
      resolve(bytes)
    } catch (error) {
      this.#owner = null
      reject(error instanceof Error ? error : new Error(String(error)))
    }
  }

  /** Only the raw form: it leaves its receiver in place, so that the result of a later exec() would go there. */
  async #send(message: Uint8Array, onData?: (data: Uint8Array) => void): Promise<void> {
    this.#answered = false
    await this.#database.execProtocolRawStream(message, {
      onRawData: (data) => {
        this.#read(data)
        onData?.(data)
      },
    })
    // PGlite swallows what its WebAssembly throws; a trap shows only as an answer that stops
    if (endsTurn(message) && !this.#answered) this.#options.onFatal(new Error('no answer to a query'))
  }

  #look(type: number, body: Buffer): void {
    if (type === READY) this.#answered = true
    if (type === NOTIFICATION) {
      // process id, then channel and payload, each ended by NUL
      const [channel = '', payload = ''] = body.toString('utf8', 4).split('\0')
      this.#options.onNotification(channel, payload)
    }
    if (type === ERROR) {
      const fields = body.toString('utf8').split('\0')
      const severity = fields.find((field) => field.startsWith('V'))?.slice(1)
      // PostgreSQL would end its process now; this one answers with the same error for ever
      if (severity === 'FATAL' || severity === 'PANIC') {
        this.#options.onFatal(new Error(fields.find((field) => field.startsWith('M'))?.slice(1)))
      }
    }
  }
}

/** ReadyForQuery answers these alone. */
function endsTurn(message: Uint8Array): boolean {
  return message[0] === SYNC || message[0] === QUERY || message[0] === FUNCTION_CALL
}

const WITH_BODY = new Set([NOTIFICATION, ERROR])
const NO_BODY = Buffer.alloc(0)

/**
 * Splits what the database sends into messages, wherever its chunks are cut: the raw form passes PGlite's own
 * listeners by. The listener gets the bodies of notifications and errors only.
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
