import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** ms without a new request after which nobody is taken to be on the way here */
const QUIET_MS = 100
/** ms: who is asked without a pause ends all the same */
const LONGEST_MS = 1500

export type Leaving = {
  isLeaving: () => boolean
  /** begins to leave, and resolves when the door can be closed */
  leave: () => Promise<void>
}

/**
 * The last moments before the site closes. A door that is shut at once resets the connections that wait before it and
 * those whose next request is on its way: so a little longer everything is answered, each connection being told that
 * it ends with that, and whoever asks whether the site is ready learns that it is not.
 */
export function registerLeaving(app: FastifyInstance): Leaving {
  let leaving = false
  let askedAt = 0
  app.addHook('onRequest', (_request, _reply, done) => {
    if (leaving) askedAt = performance.now()
    done()
  })
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (leaving) reply.header('connection', 'close')
    done()
  })
  app.addHook('preClose', async () => {
    leaving = true
  })
  return {
    isLeaving: () => leaving,
    async leave() {
      leaving = true
      const begun = performance.now()
      askedAt = begun
      while (performance.now() - askedAt < QUIET_MS && performance.now() - begun < LONGEST_MS) await sleep(20)
      // Right after what waited at the door was let in.
      await turn()
    },
  }
}
