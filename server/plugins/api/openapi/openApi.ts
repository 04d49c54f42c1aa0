import type { FastifyInstance } from 'fastify'
import { createPage, type Page } from '#server/core/cache/cachedPage.ts'
import { sendCacheablePage } from '#server/core/cache/sendPage.ts'
import type { Services } from '#server/core/context.ts'
import { restRoutes } from '#server/plugins/api/rest.ts'
import type { Site } from '#src/contract/site.ts'
import { createDocument, type OpenApiDocument } from './document.ts'
import { type DocumentedCall, otherCalls } from './otherCalls.ts'

export const OPENAPI_PATH = '/api/openapi.json'
/** All documented calls. */
export const documentedCalls: DocumentedCall[] = [...restRoutes, ...otherCalls]

declare module 'fastify' {
  interface FastifyInstance {
    /** returns the document of all calls; written at the first request */
    readApiDocument: () => OpenApiDocument
  }
}

/** Serves the documentation for programs. */
export function registerOpenApi(
  app: FastifyInstance,
  { config }: Pick<Services, 'config'>,
  { name }: Pick<Site, 'name'>,
): void {
  let document: OpenApiDocument | undefined
  let page: Page | undefined
  app.decorate('readApiDocument', () => {
    document ??= createDocument(documentedCalls, { name, url: config.siteUrl })
    return document
  })
  app.get(OPENAPI_PATH, (request, reply) => {
    page ??= createPage({
      outcome: 'cacheable',
      status: 200,
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: Buffer.from(JSON.stringify(app.readApiDocument())),
    })
    return sendCacheablePage(request, reply, page)
  })
}
