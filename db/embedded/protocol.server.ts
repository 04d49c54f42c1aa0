const NO_BODY: Buffer = Buffer.alloc(0)

const code = (letter: string) => letter.charCodeAt(0)

/** Types of PostgreSQL's messages: https://www.postgresql.org/docs/18/protocol-message-formats.html */
export const clientMessage = {
  query: code('Q'),
  sync: code('S'),
  functionCall: code('F'),
  terminate: code('X'),
  /** has no type: its first byte belongs to its length */
  startup: 0,
  /** a question before the startup message, for encryption or to cancel a statement: has no type either */
  request: -1,
}
export const serverMessage = { notification: code('A'), error: code('E'), ready: code('Z') }

const WITH_BODY = new Set(Object.values(serverMessage))

export const SYNC_MESSAGE = createMessage('S', '')
/** Replaces that of each client: PostgreSQL ends for a version or user that it does not accept. */
export const STARTUP_MESSAGE = createMessage('', '\0\x03\0\0user\0postgres\0\0')
export const ROLLBACK_MESSAGE = createMessage('Q', 'ROLLBACK\0')
/**
 * PostgreSQL keeps the plans of statements, functions and foreign keys until a table is analyzed, and PGlite has no
 * autovacuum: plans from when the tables of a new site were empty would read whole tables for each post.
 */
export const MAINTENANCE_MESSAGES = {
  checkpoint: createMessage('Q', 'CHECKPOINT; DISCARD PLANS\0'),
  plans: createMessage('Q', 'DISCARD PLANS\0'),
}

function createMessage(type: string, body: string): Uint8Array {
  const message = Buffer.from(`${type}....${body}`)
  message.writeUInt32BE(message.length - type.length, type.length)
  return new Uint8Array(message)
}

/** Returns whether the database answers a message of this type with ReadyForQuery. */
export const endsQuery = (type: number): boolean =>
  type === clientMessage.sync || type === clientMessage.query || type === clientMessage.functionCall

/** The place of the protocol's version has this number in requests before the startup message. */
const REQUEST_VERSION = 1234
/** Follows it in a request to cancel a statement. */
const CANCEL = 5678

const TYPES_OF_CLIENTS = new Set([...'BCDEFHPQSXcdf'].map(code))
/** PostgreSQL's own limits are 10,000 bytes and 1 GiB. The largest values that the site sends are a few megabytes. */
const [MAX_STARTUP_BYTES, MAX_MESSAGE_BYTES] = [10_000, 64 * 1024 * 1024]

/** Rejects a message that could end the database, or fill its memory. */
function checkHeader(type: number, length: number): void {
  const isStartup = type === clientMessage.startup
  const isValid = isStartup
    ? length >= 8 && length <= MAX_STARTUP_BYTES
    : TYPES_OF_CLIENTS.has(type) && length >= 4 && length <= MAX_MESSAGE_BYTES
  if (!isValid) throw new Error(`Invalid message: type ${type}, length ${length}`)
}

export const isCancelRequest = (request: Buffer): boolean => request.readUInt16BE(6) === CANCEL

/**
 * Splits what a client sends into parts that the database takes at once: the messages up to the end of a query, or those
 * that have arrived. The returned function throws for invalid messages.
 * @param listener gets the type of the part's last message
 */
export function createPartReader(listener: (part: Buffer, type: number) => void): (chunk: Buffer) => void {
  let chunks: Buffer[] = []
  let size = 0
  let needed = 0
  let isStarted = false
  return (chunk) => {
    chunks.push(chunk)
    size += chunk.length
    if (size < needed) return
    const data = chunks.length === 1 ? chunk : Buffer.concat(chunks)
    let [start, at, type] = [0, 0, clientMessage.request as number]
    while (true) {
      const lengthAt = isStarted ? at + 1 : at
      needed = lengthAt + (isStarted ? 4 : 8)
      if (data.length >= needed) {
        const length = data.readUInt32BE(lengthAt)
        checkHeader(isStarted ? (data[at] ?? 0) : clientMessage.startup, length)
        needed = lengthAt + length
      }
      if (data.length < needed) break
      if (isStarted) type = data[at] ?? 0
      else if (data.readUInt16BE(at + 4) !== REQUEST_VERSION) type = clientMessage.startup
      const isAlone = !isStarted || type === clientMessage.terminate
      isStarted ||= type === clientMessage.startup
      at = needed
      if (!isAlone && !endsQuery(type)) continue
      listener(data.subarray(start, at), type)
      start = at
    }
    if (at > start) listener(data.subarray(start, at), type)
    chunks = [data.subarray(at)]
    size = data.length - at
    needed -= at
  }
}

/** Returns the timeout in ms of a startup message's `statement_timeout`, or undefined. */
export function readStatementTimeout(startup: Uint8Array): number | undefined {
  const settings = Buffer.from(startup).toString('utf8', 8).split('\0')
  const at = settings.findIndex((name, index) => index % 2 === 0 && name === 'statement_timeout')
  return at < 0 ? undefined : Number(settings[at + 1]) || undefined
}

/** Returns a field of an ErrorResponse: `V` severity, `M` message. */
export const errorField = (body: Buffer, field: string): string | undefined =>
  body
    .toString('utf8')
    .split('\0')
    .find((text) => text.startsWith(field))
    ?.slice(1)

/** Returns channel and payload of a NotificationResponse. */
export function readNotification(body: Buffer): [channel: string, payload: string] {
  // Skips the process id. Channel and payload follow, each with a NUL at the end.
  const [channel = '', payload = ''] = body.toString('utf8', 4).split('\0')
  return [channel, payload]
}

/**
 * Splits raw output into messages; a chunk may end inside a message. Passes bodies only for the types in `serverMessage`.
 */
export function createMessageReader(listener: (type: number, body: Buffer) => void): (chunk: Buffer) => void {
  let rest = NO_BODY
  let skip = 0
  return (chunk) => {
    const data = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
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
