import multipart from '@fastify/multipart'
import type { FastifyInstance } from 'fastify'

/** Enables multipart forms. Their reader enforces the limits. */
export async function registerMultipart(app: FastifyInstance): Promise<void> {
  await app.register(multipart, { throwFileSizeLimit: false })
}
