import type { Socket } from 'node:net'
import { clientMessage, createPartReader, readStatementTimeout } from './protocol.server.ts'
import type { Client, SessionMultiplexer } from './sessionMultiplexer.server.ts'

/** Answer to a request for encryption. */
const REFUSED = Buffer.from('N')

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
  const client: Client = {
    receive(answer) {
      socket.cork()
      for (const chunk of answer) socket.write(chunk)
      socket.uncork()
    },
    close: () => void socket.destroy(),
  }
  const read = createPartReader((messages, type) => {
    if (type === clientMessage.request) return void socket.write(REFUSED)
    // The socket closes next.
    if (type === clientMessage.terminate) return
    if (type === clientMessage.startup) client.timeoutMs = readStatementTimeout(messages)
    sessions.enqueue({ client, messages, type })
  })
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
