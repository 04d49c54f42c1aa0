import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** time without new requests after which the server stops listening */
const QUIET_MS = 100
/** maximum time to wait for a quiet moment */
const MAX_WAIT_MS = 1500

export type GracefulShutdown = ReturnType<typeof registerGracefulShutdown>

/** Answers with `connection: close` for a moment, because closing at once would reset connections with a request. */
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
    /** Starts draining, and resolves when the port can be closed. */
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
