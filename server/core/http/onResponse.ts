import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** How a request was answered, when its answer is over. */
export type Answer = {
  request: FastifyRequest
  reply: FastifyReply
  /** since its head was read */
  milliseconds: number
  /** the client went before it had all of it */
  isCutOff: boolean
  /** a stream that lasts as long as somebody listens: how long that was is nobody's delay */
  isEndless: boolean
}

const ENDLESS = /^(text\/event-stream|audio\/|application\/ogg)/

/** Tells when answers are over, in whatever way they end. */
export function onResponse(app: FastifyInstance, tell: (answer: Answer) => void): void {
  app.addHook('onRequest', (request, reply, done) => {
    const begun = performance.now()
    const { raw } = reply
    raw.once('close', () => {
      const isEndless =
        raw.statusCode === 200 &&
        !raw.hasHeader('content-length') &&
        ENDLESS.test(String(raw.getHeader('content-type')))
      tell({ request, reply, milliseconds: performance.now() - begun, isCutOff: !raw.writableFinished, isEndless })
    })
    done()
  })
}
