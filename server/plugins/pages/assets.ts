import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { errorTexts } from '#server/core/errors.ts'

/** Forms of a file that the build put beside it: they are answers to its own address. */
const COMPRESSED = /\.(?:br|gz)$/

/** Built assets, whose names change with their content, and the few public files at the top. */
export async function registerAssets(app: FastifyInstance, clientDir: string): Promise<void> {
  await app.register(fastifyStatic, { serve: false, root: clientDir, preCompressed: true })
  app.get<{ Params: { '*': string } }>('/assets/*', (request, reply) => {
    const path = request.params['*']
    if (COMPRESSED.test(path)) return reply.callNotFound()
    return reply.sendFile(join('assets', path), { maxAge: '1y', immutable: true })
  })
  // A route each, so that no other address is looked up in the folder.
  const entries = await readdir(clientDir, { withFileTypes: true })
  const names = entries.filter((entry) => entry.isFile() && !COMPRESSED.test(entry.name)).map((entry) => entry.name)
  for (const name of names) app.get(`/${name}`, (_request, reply) => reply.sendFile(name, { maxAge: '1d' }))
  // Browsers ask for it by themselves; a rendered page would be wasted on them.
  if (!names.includes('favicon.ico')) {
    app.get('/favicon.ico', (_request, reply) => reply.code(404).type('text/plain').send(errorTexts.notFound))
  }
}
