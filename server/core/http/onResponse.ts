import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

export type CompletedResponse = {
  request: FastifyRequest
  reply: FastifyReply
  /** time since the server read the request head */
  milliseconds: number
  /** whether the client disconnected before the end */
  isCutOff: boolean
  /** whether this is an event or audio stream; its duration is not a latency */
  isEndless: boolean
}

const ENDLESS = /^(text\/event-stream|audio\/|application\/ogg)/

export function onResponse(app: FastifyInstance, callback: (response: CompletedResponse) => void): void {
  app.addHook('onRequest', (request, reply, done) => {
    const startedAt = performance.now()
    const { raw } = reply
    raw.once('close', () => {
      const isEndless =
        raw.statusCode === 200 &&
        !raw.hasHeader('content-length') &&
        ENDLESS.test(String(raw.getHeader('content-type')))
      callback({
        request,
        reply,
        milliseconds: performance.now() - startedAt,
        isCutOff: !raw.writableFinished,
        isEndless,
      })
    })
    done()
  })
}
