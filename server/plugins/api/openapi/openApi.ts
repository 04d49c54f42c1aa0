import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import packageJson from '#package.json' with { type: 'json' }
import { createPage, type Page, sendCacheablePage } from '#server/core/cache/cachedPage.ts'
import type { Services } from '#server/core/context.ts'
import { restRoutes } from '#server/plugins/api/rest.ts'
import { banNoticeSchema } from '#src/contract/bans.ts'
import type { Site } from '#src/contract/site.ts'
import { createSchemaWriter, type JsonSchema } from './jsonSchema.ts'
import { createOperation, type Operation } from './operation.ts'
import { type DocumentedCall, otherCalls } from './otherCalls.ts'

export type OpenApiDocument = {
  openapi: string
  info: Record<string, string>
  servers: { url: string }[]
  security: never[]
  tags: { name: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, JsonSchema>; securitySchemes: object }
}

/** Groups of calls in the order of the documentation: the first pattern that matches a path names its group. */
const GROUPS: [name: string, paths: RegExp][] = [
  ['Accounts', /^\/api\/dtpchan\/admin\//],
  ['Boards', /^(?:\/api)?\/dtpchan\//],
  ['Pastes', /^(?:\/api)?\/paste/],
  ['Shared images', /^\/api\/image-share/],
  ['Programs', /^\/api\/programs/],
  ['News', /^\/api\/tech-articles/],
  ['Radio', /^(?:\/api)?\/radio\//],
  ['Moderation', /^\/api\/moderation\//],
  ['Site', /^\//],
]

const DESCRIPTION =
  'Answers are `{"success": true, …}` or `{"success": false, "error": "…"}` with a matching status. Programs may use ' +
  'all calls. Pages of other sites may read: calls with GET below `/api` allow every origin, and writes refuse foreign ones.'

const errorSchema = z
  .object({
    success: z.literal(false),
    error: z.string().describe('what failed, for visitors'),
    ban: banNoticeSchema.optional().describe('set if the visitor is banned'),
  })
  .meta({ id: 'Error' })

/** Creates the OpenAPI document of the calls. */
export function createDocument(calls: DocumentedCall[], site: { name: string; url: string }): OpenApiDocument {
  const writer = createSchemaWriter()
  const error = writer.write(errorSchema, 'output')
  const paths: OpenApiDocument['paths'] = {}
  for (const [group] of GROUPS) {
    for (const call of calls.filter(({ path }) => groupOf(path) === group)) {
      const path = call.path.replaceAll(/:(\w+)/g, '{$1}')
      paths[path] = { ...paths[path], [call.method.toLowerCase()]: createOperation(call, group, writer, error) }
    }
  }
  return {
    openapi: '3.1.1',
    info: { title: `${site.name} API`, version: packageJson.version, description: DESCRIPTION },
    servers: [{ url: site.url }],
    // Calls that need a token say so. Checkers of documents want to read that the others need none.
    security: [],
    tags: GROUPS.map(([name]) => ({ name })),
    paths,
    components: {
      schemas: sortKeys(writer.components),
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'the `token` that the login answers' },
      },
    },
  }
}

const groupOf = (path: string) => GROUPS.find(([, paths]) => paths.test(path))?.[0]

const sortKeys = <Value>(values: Record<string, Value>): Record<string, Value> =>
  Object.fromEntries(Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1)))

const OPENAPI_PATH = '/api/openapi.json'
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
