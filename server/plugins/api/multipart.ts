import multipart from '@fastify/multipart'
import type { FastifyInstance } from 'fastify'

export async function registerMultipart(app: FastifyInstance): Promise<void> {
  await app.register(multipart, { throwFileSizeLimit: false })
}
