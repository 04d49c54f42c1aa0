import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { DOCUMENT_HEADERS } from '#server/core/security/headers.ts'
import { languages } from '#src/contract/languages.ts'

/** Compressed files are served under the URL of the original file. */
const COMPRESSED = /\.(?:br|gz)$/
/** A worker's policy comes from the headers of its script. */
const WORKER = /\.worker-[\w-]+\.js/
/** The names of these files contain a hash of their content. */
const BUILT = '/assets/*'

/** Scripts without texts are not in the folders of the languages. */
const LANGUAGE_FOLDER = new RegExp(`^(?:${languages.join('|')})/`)

/**
 * Returns a function that sends another file of the same name, or null. It does not send the file itself: a promise of a
 * `FastifyReply` would wait for the end of the response, and then be undefined.
 */
type FindOther = (name: string) => Promise<((request: FastifyRequest, reply: FastifyReply) => FastifyReply) | null>

/**
 * Serves built assets, whose names contain a hash, and the public files.
 * @param findOther replaces public files, such as icons
 */
export async function registerAssets(
  app: FastifyInstance,
  clientDir: string,
  findOther: FindOther = async () => null,
): Promise<void> {
  const options = { serve: false, root: clientDir, preCompressed: true, setHeaders: dropDocumentHeaders }
  await app.register(fastifyStatic, options)
  const files = new Set(await readdir(join(clientDir, 'assets'), { recursive: true }))
  app.get<{ Params: { '*': string } }>(BUILT, (request, reply) => {
    const path = request.params['*']
    if (COMPRESSED.test(path)) return reply.callNotFound()
    return reply.sendFile(join('assets', files.has(path) ? path : path.replace(LANGUAGE_FOLDER, '')), {
      maxAge: '1y',
      immutable: true,
      lastModified: false,
    })
  })
  // Add one route per file, so that other URLs do not access the disk.
  const entries = await readdir(clientDir, { withFileTypes: true })
  const names = entries.filter((entry) => entry.isFile() && !COMPRESSED.test(entry.name)).map((entry) => entry.name)
  for (const name of names) {
    // A proxy must not keep an old service worker.
    const maxAge = name.endsWith('-worker.js') ? 0 : '1d'
    app.get(`/${name}`, async (request, reply) => {
      const sendOther = await findOther(name)
      return sendOther ? sendOther(request, reply) : reply.sendFile(name, { maxAge })
    })
  }
}

/** Called only for files that exist, so errors keep all headers. */
function dropDocumentHeaders(reply: FastifyReply, path: string): void {
  if (reply.request.routeOptions.url !== BUILT || WORKER.test(path)) return
  for (const name of DOCUMENT_HEADERS) reply.removeHeader(name)
}
