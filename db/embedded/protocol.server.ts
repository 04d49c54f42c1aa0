const NO_BODY = Buffer.alloc(0)

const code = (letter: string) => letter.charCodeAt(0)

/** Types of PostgreSQL's messages: https://www.postgresql.org/docs/18/protocol-message-formats.html */
export const clientMessage = {
  query: code('Q'),
  sync: code('S'),
  functionCall: code('F'),
  terminate: code('X'),
  /** has no type: its first byte belongs to its length */
  startup: 0,
}
export const serverMessage = { notification: code('A'), error: code('E'), ready: code('Z') }

const WITH_BODY = new Set(Object.values(serverMessage))

export const SYNC_MESSAGE = createMessage('S', '')
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
  message.writeUInt32BE(message.length - 1, 1)
  return new Uint8Array(message)
}

/** Returns whether the database answers the message with ReadyForQuery. */
export function endsQuery([type]: Uint8Array): boolean {
  return type === clientMessage.sync || type === clientMessage.query || type === clientMessage.functionCall
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
