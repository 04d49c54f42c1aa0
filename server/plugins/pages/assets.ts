import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { errorTexts } from '#server/core/errors.ts'

/** Compressed files are served under the URL of the original file. */
const COMPRESSED = /\.(?:br|gz)$/

/** Serves built assets, whose names contain a hash, and the public files. */
export async function registerAssets(app: FastifyInstance, clientDir: string): Promise<void> {
  await app.register(fastifyStatic, { serve: false, root: clientDir, preCompressed: true })
  app.get<{ Params: { '*': string } }>('/assets/*', (request, reply) => {
    const path = request.params['*']
    if (COMPRESSED.test(path)) return reply.callNotFound()
    return reply.sendFile(join('assets', path), { maxAge: '1y', immutable: true })
  })
  // Add one route per file, so that other URLs do not access the disk.
  const entries = await readdir(clientDir, { withFileTypes: true })
  const names = entries.filter((entry) => entry.isFile() && !COMPRESSED.test(entry.name)).map((entry) => entry.name)
  for (const name of names) {
    // A proxy must not keep an old service worker.
    const maxAge = name.endsWith('-worker.js') ? 0 : '1d'
    app.get(`/${name}`, (_request, reply) => reply.sendFile(name, { maxAge }))
  }
  // Browsers request /favicon.ico by default. Avoid rendering a 404 page.
  if (!names.includes('favicon.ico')) {
    app.get('/favicon.ico', (_request, reply) => reply.code(404).type('text/plain').send(errorTexts.notFound))
  }
}
