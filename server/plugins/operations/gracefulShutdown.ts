import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** the server stops listening after this time without new requests */
const QUIET_MS = 100
/** the server stops listening after this time even if new requests still arrive */
const MAX_WAIT_MS = 1500

export type GracefulShutdown = ReturnType<typeof registerGracefulShutdown>

/** Sends `connection: close` for a moment before the port closes: closing at once would reset active connections. */
export function registerGracefulShutdown(app: FastifyInstance) {
  let isShuttingDown = false
  let lastRequestAt = 0
  app.addHook('onRequest', (_request, _reply, done) => {
    if (isShuttingDown) lastRequestAt = performance.now()
    done()
  })
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (isShuttingDown) reply.header('connection', 'close')
    done()
  })
  app.addHook('preClose', async () => {
    isShuttingDown = true
  })
  return {
    isShuttingDown: () => isShuttingDown,
    /** Starts the shutdown and resolves when the port can be closed. */
    async drain(): Promise<void> {
      isShuttingDown = true
      const startedAt = performance.now()
      lastRequestAt = startedAt
      while (performance.now() - lastRequestAt < QUIET_MS && performance.now() - startedAt < MAX_WAIT_MS)
        await sleep(20)
      // Lets the server accept connections that are already queued.
      await turn()
    },
  }
}
