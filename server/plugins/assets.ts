import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { errorTexts } from '../core/errors.ts'

/** Built assets, whose names change with their content, and the few public files at the top. */
export async function registerAssets(app: FastifyInstance, clientDir: string): Promise<void> {
  await app.register(fastifyStatic, { serve: false, root: clientDir })
  app.get<{ Params: { '*': string } }>('/assets/*', (request, reply) =>
    reply.sendFile(join('assets', request.params['*']), { maxAge: '1y', immutable: true }),
  )
  // A route each, so that no other address is looked up in the folder.
  const entries = await readdir(clientDir, { withFileTypes: true })
  for (const { name } of entries.filter((entry) => entry.isFile())) {
    app.get(`/${name}`, (_request, reply) => reply.sendFile(name, { maxAge: '1d' }))
  }
  // Browsers ask for it by themselves; a rendered page would be wasted on them.
  if (!entries.some((entry) => entry.name === 'favicon.ico')) {
    app.get('/favicon.ico', (_request, reply) => reply.code(404).type('text/plain').send(errorTexts.notFound))
  }
}
