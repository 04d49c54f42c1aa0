import type { ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'

export function hijack(reply: FastifyReply): ServerResponse {
  reply.hijack()
  const { raw } = reply
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) raw.setHeader(name, value)
  return raw
}
