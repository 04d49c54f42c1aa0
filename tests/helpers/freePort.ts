import { once } from 'node:events'
import { createServer } from 'node:net'

/** Returns a free port below the ephemeral ports (Linux: from 32768 on), so that no connection takes it meanwhile. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 12_000 + Math.floor(Math.random() * 20_000)
    const server = createServer().listen(port, '127.0.0.1')
    try {
      await once(server, 'listening')
    } catch {
      continue
    }
    server.close()
    await once(server, 'close')
    return port
  }
}
