import multipart from '@fastify/multipart'
import type { FastifyInstance } from 'fastify'

/** Form posts with files; limits stand where a form is read. */
export async function registerMultipart(app: FastifyInstance): Promise<void> {
  await app.register(multipart, { throwFileSizeLimit: false })
}
