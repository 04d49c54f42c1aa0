import type { Socket } from 'node:net'
import {
  clientMessage,
  createPartReader,
  isCancelRequest,
  readStatementTimeout,
  STARTUP_MESSAGE,
} from './protocol.server.ts'
import type { Client, SessionMultiplexer } from './sessionMultiplexer.server.ts'

/** Answer to a request for encryption. */
const REFUSED = Buffer.from('N')
const NOTHING = Buffer.alloc(0)
/** Bounds the memory of a client that sends queries without reading the answers. postgres.js sends up to 100. */
const MAX_WAITING = 200

/**
 * Serves a client on a socket. A query of several messages is passed on in one part and gets its answer at once: each
 * further part would wake both threads.
 * @returns a function that ends the connection and rolls its transaction back
 */
export function serveClient(
  socket: Socket,
  sessions: Pick<SessionMultiplexer, 'enqueue' | 'leave'>,
): () => Promise<void> {
  let left: Promise<void> | undefined
  /** parts whose answers the client has not taken yet */
  let waiting = 0
  const onTaken = () => {
    waiting--
    if (waiting < MAX_WAITING && socket.isPaused()) socket.resume()
  }
  const client: Client = {
    receive(answer) {
      socket.cork()
      for (const chunk of answer) socket.write(chunk)
      socket.write(NOTHING, onTaken)
      socket.uncork()
    },
    close: () => void socket.destroy(),
  }
  const readPart = createPartReader((messages, type) => {
    // The socket closes next.
    if (type === clientMessage.terminate) return
    waiting++
    if (waiting >= MAX_WAITING) socket.pause()
    // A client that cancels waits until the connection closes.
    if (type === clientMessage.request) return isCancelRequest(messages) ? client.close() : client.receive([REFUSED])
    if (type !== clientMessage.startup) return sessions.enqueue({ client, messages, type })
    client.timeoutMs = readStatementTimeout(messages)
    sessions.enqueue({ client, messages: STARTUP_MESSAGE, type })
  })
  const read = (chunk: Buffer) => {
    try {
      readPart(chunk)
    } catch {
      client.close()
    }
  }
  const leave = () => {
    left ??= sessions.leave(client)
    return left
  }
  socket.on('data', read)
  // `close` follows.
  socket.on('error', () => {})
  socket.on('close', leave)
  socket.resume()
  return async () => {
    socket.removeListener('data', read)
    await leave()
    socket.destroy()
  }
}
