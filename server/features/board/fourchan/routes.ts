import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sendCachedText } from '#server/core/cache/cachedText.ts'
import type { Services } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { COST } from '#server/core/limits/requestCost.ts'
import { READABLE } from '#server/core/security/headers.ts'
import { fileUrl } from '#server/core/storage/imageFiles.ts'
import { findImportedImage } from '#server/features/board/read/importedNumbers.ts'
import { refusal } from '#src/contract/refusal.ts'
import { createBoardsDocument } from './boardsDocument.ts'
import {
  createArchiveDocument,
  createCatalogDocument,
  createPageDocument,
  createThreadDocument,
  createThreadListDocument,
} from './documents.ts'
import { extensionOf } from './fourchanPosts.ts'
import { findImage } from './imageNumber.ts'

/** Lets pages of other sites read these URLs, and show the images. */
const OPEN = { ...READABLE, 'access-control-expose-headers': 'etag' }
/** Browsers ask before a script sends If-Modified-Since to another site. */
const PREFLIGHT = {
  ...OPEN,
  'access-control-allow-methods': 'GET, HEAD, OPTIONS',
  'access-control-allow-headers': 'if-modified-since, if-none-match, range',
  'access-control-max-age': '86400',
}
const HEADERS = { 'content-type': 'application/json; charset=utf-8', 'x-robots-tag': 'noindex' }

const NUMBER = ':no(^[1-9]\\d{0,14}$)'
const PAGE = ':page(^0|[1-9]\\d?$)'
const FILE = ':file(^\\d{4,16}s?\\.[a-z]{3,4}$)'

type Params = { board: string; no: string; page: string; file: string }
type Request = FastifyRequest<{ Params: Params }>
/** Sends a stored file. */
type SendFile = (request: FastifyRequest, reply: FastifyReply, filename: string) => Promise<unknown>

/**
 * Serves boards in the JSON format of 4chan and vichan, and their images under the names that the JSON gives. The first
 * segment is a board, so these routes are the last before the pages: all other routes of the site win.
 */
export function registerFourchanJson(app: FastifyInstance, services: Services, sendFile: SendFile): void {
  json('/boards.json', () => createBoardsDocument(services))
  json('/:board/threads.json', ({ board }) => createThreadListDocument(services, board))
  json('/:board/catalog.json', ({ board }) => createCatalogDocument(services, board))
  json('/:board/archive.json', ({ board }) => createArchiveDocument(services, board))
  json(`/:board/${PAGE}.json`, ({ board, page }) => createPageDocument(services, board, Number(page)))
  for (const folder of ['thread', 'res']) {
    json(`/:board/${folder}/${NUMBER}.json`, ({ board, no }) => createThreadDocument(services, board, Number(no)))
  }
  for (const folder of ['', 'src/', 'thumb/']) image(`/:board/${folder}${FILE}`, folder === 'thumb/')

  function json(path: string, create: (params: Params) => Promise<unknown>): void {
    open(path, (request, reply) =>
      sendCachedText(services, request, reply, async () => ({
        headers: HEADERS,
        sharedHeaders: OPEN,
        isDated: true,
        text: JSON.stringify(await services.largeReads(request.ip, () => create(request.params))),
      })),
    )
  }

  function image(path: string, isThumbnail: boolean): void {
    open(path, async (request, reply) => {
      services.costs.charge(request, COST.call)
      const { board, file } = request.params
      const [, number = '', small, extension] = /^(\d+)(s?)(\.[a-z]+)$/.exec(file) ?? []
      const found = await findImage(services, board, Number(number))
      const wantsThumbnail = isThumbnail || small !== ''
      const old = found ? null : await findImportedImage(services, `${board}/${number}`)
      if (old) return reply.redirect(fileUrl(wantsThumbnail ? old.preview.name : old.name), 301)
      // Clients guess the ending of a thumbnail.
      if (!found || (!wantsThumbnail && extensionOf(found) !== extension))
        throw errors.notFound(refusal('image.notFound'))
      return sendFile(request, reply, wantsThumbnail ? found.preview.name : found.name)
    })
  }

  function open(path: string, handler: (request: Request, reply: FastifyReply) => Promise<unknown>): void {
    app.route<{ Params: Params }>({
      method: ['GET', 'HEAD'],
      url: path,
      handler: (request, reply) => handler(request, reply.headers(OPEN)),
    })
    app.options(path, (_request, reply) => reply.code(204).headers(PREFLIGHT).send())
  }
}
