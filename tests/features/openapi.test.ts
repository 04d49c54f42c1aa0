import { brotliDecompressSync } from 'node:zlib'
import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { documentedCalls } from '#server/plugins/api/openapi/openApi.ts'
import { callApi } from '#tests/helpers/apiCalls.ts'
import { apiDocument, checkDocumented, findWrongExamples } from '#tests/helpers/apiDocument.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

const EVIL = 'https://evil.example'

let site: TestSite
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site.close())

const operations = Object.entries(apiDocument.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
)
const names = operations.map(({ method, path }) => `${method} ${path}`).sort()

/** Lists the routes of the site below a path, as Fastify prints them. */
function listRoutes(prefix: string): string[] {
  const path: string[] = []
  return site.app
    .printRoutes({ commonPrefix: false, includeHooks: false })
    .split('\n')
    .flatMap((line) => {
      const [, indent = '', part = '', methods = ''] = /^([│ ]*)[├└]── (\S*)(?: \((.*)\))?$/.exec(line) ?? []
      path.length = indent.length / 4
      path.push(part)
      const route = path.join('').replaceAll(/:(\w+)/g, '{$1}')
      return route.startsWith(prefix) ? methods.split(', ').map((method) => `${method} ${route}`) : []
    })
}

describe('the document', () => {
  test('is served, and is not sent again if it is unchanged', async () => {
    const { status, body, headers } = await callApi(site, 'GET', '/api/openapi.json')
    expect([status, body.openapi, body.servers]).toEqual([200, '3.1.1', [{ url: site.app.services.config.siteUrl }]])
    expect(Object.keys(body.paths)).toEqual(Object.keys(apiDocument.paths))
    const again = await site.app.inject({
      url: '/api/openapi.json',
      headers: { 'if-none-match': String(headers.etag) },
    })
    expect([again.statusCode, again.body]).toEqual([304, ''])
  })

  test('is compressed once', async () => {
    const headers = { 'accept-encoding': 'br' }
    const response = await site.app.inject({ url: '/api/openapi.json', headers })
    expect(response.headers['content-encoding']).toBe('br')
    expect(JSON.parse(brotliDecompressSync(response.rawPayload).toString()).openapi).toBe('3.1.1')
  })

  test('follows the rules of OpenAPI 3.1', async () => {
    const validator = new Validator()
    const { valid, errors } = await validator.validate(structuredClone(apiDocument))
    expect([valid, errors, validator.version]).toEqual([true, undefined, '3.1'])
    expect(apiDocument.security).toEqual([])
  })

  test('describes all calls that the site answers, and no others', () => {
    const isPart = (route: string) =>
      /^(?:GET|POST|PUT|DELETE|PATCH) /.test(route) && !route.endsWith('*') && route !== 'GET /api'
    const routes = [...listRoutes('/api'), ...names.filter((name) => !name.includes(' /api'))].filter(isPart)
    expect(routes.sort()).toEqual(names)
    for (const { method, path } of documentedCalls) {
      expect(site.app.hasRoute({ method, url: path }), `${method} ${path}`).toBe(true)
    }
  })

  test('contains every call of the specification', () => {
    const boards = '/api/dtpchan/boards'
    const thread = `${boards}/{boardId}/threads/{threadId}`
    const comments = `${thread}/comments`
    const radio = '/api/radio/station/{stationId}'
    const calls = [
      ...['POST /api/dtpchan/admin/login', 'GET /api/tech-articles', 'POST /api/paste', 'GET /api/paste/{pasteId}'],
      ...['GET /api/programs', 'POST /api/programs', 'PUT /api/programs/{id}', 'DELETE /api/programs/{id}'],
      ...['POST /api/image-share', 'GET /api/image-share/{id}', 'GET /dtpchan/uploads/{filename}'],
      ...[`GET ${boards}`, `POST ${boards}`, `DELETE ${boards}/{boardId}`, `GET ${boards}/{boardId}/threads`],
      ...[`POST ${boards}/{boardId}/threads`, `GET ${thread}`, `DELETE ${thread}`, `POST ${comments}`],
      ...[`DELETE ${comments}/{commentId}`, `POST ${comments}/{commentId}/replies`, 'POST /api/dtpchan/captcha'],
      ...[`DELETE ${comments}/{commentId}/replies/{replyId}`, 'GET /api/radio/stations', `GET ${radio}/streamers`],
      ...['GET /api/radio/nowplaying/{stationId}', `GET ${radio}/streamer/{streamerId}/broadcasts`],
      ...[`GET ${radio}/streamer/{streamerId}/broadcast/{broadcastId}/download`, 'GET /radio/{stationId}/stream'],
    ]
    expect(calls.filter((call) => !names.includes(call))).toEqual([])
  })

  test('says of each call who may make it', async () => {
    for (const { method, path, operation } of operations.filter(({ path }) => path.startsWith('/api/'))) {
      const needsToken = operation.security !== undefined
      const url = path.replaceAll(/\{\w+\}/g, '1')
      const { status } = await callApi(site, method, url, method === 'GET' ? {} : { json: {} })
      // A deletion by its author looks for the post first. Logins are also refused with 401.
      const expected = operation.security?.length === 2 ? [401, 404] : [401]
      if (needsToken) expect(expected, `${method} ${path}`).toContain(status)
      else if (!path.endsWith('/login')) expect(status, `${method} ${path}`).not.toBe(401)
    }
  })

  test('has examples with all required fields', () => {
    expect(findWrongExamples()).toEqual([])
  })

  test('names one type for each body, because generated clients mistake several', () => {
    const bodies = Object.values(apiDocument.paths).flatMap((methods) =>
      Object.values(methods).flatMap(({ requestBody }) => requestBody ?? []),
    )
    expect(bodies.map(({ content }) => Object.keys(content).length)).toEqual(bodies.map(() => 1))
    const types = new Map(bodies.map(({ description, content }) => [description, Object.keys(content)[0]]))
    expect(Object.fromEntries(types)).toEqual({
      form: 'multipart/form-data',
      'form, or JSON without files': 'multipart/form-data',
      'JSON or form': 'application/json',
      'JSON, form or raw content': 'application/json',
    })
  })

  test('describes forms with files, raw bodies, headers and answers in text', () => {
    const { requestBody: post } = apiDocument.paths['/api/dtpchan/boards/{boardId}/threads']?.post ?? {}
    expect(post?.content['multipart/form-data']?.schema?.properties?.image).toMatchObject({
      type: 'array',
      items: { contentMediaType: 'application/octet-stream' },
      minItems: 1,
      maxItems: 4,
    })
    const { requestBody: paste, parameters, responses } = apiDocument.paths['/api/paste']?.post ?? {}
    expect(paste?.description).toBe('JSON, form or raw content')
    expect(parameters?.map(({ name }) => name)).toContain('expiryHours')
    const queryOf = (path: string) =>
      apiDocument.paths[path]?.post?.parameters.filter((one) => one.in === 'query').map(({ name }) => name)
    expect(queryOf('/api/radio/webhooks/azuracast')).toEqual(['token', 'station'])
    expect(queryOf('/api/dtpchan/admin/login')).toEqual([])
    expect(responses?.['200']?.content?.['text/plain']?.schema).toEqual({ type: 'string' })
    const deletion = apiDocument.paths['/api/dtpchan/boards/{boardId}/threads/{threadId}']?.delete
    expect(deletion?.parameters.map((one) => `${one.in} ${one.name}`)).toContain('header x-delete-token')
  })

  test('gives each parameter of a path one type', () => {
    const types = operations.flatMap(({ operation }) =>
      operation.parameters.flatMap((one) => (one.in === 'path' ? one.schema.type : [])),
    )
    expect(new Set(types)).toEqual(new Set(['string']))
    expect(types).toHaveLength(operations.flatMap(({ path }) => path.match(/\{/g) ?? []).length)
  })
})

describe('the check of answers in tests', () => {
  const check =
    (body: object, status = 200) =>
    () =>
      checkDocumented('GET', '/api/dtpchan/boards', { status, type: 'application/json; charset=utf-8', body })
  const board = {
    id: 'tech',
    name: 'Tech',
    description: '',
    rules: '',
    threadLimit: 0,
    posterLabels: false,
    defaultName: '',
    latestReplies: 1,
    moderators: [],
  }

  test('accepts what the document describes', () => {
    expect(check({ success: true, boards: [board] })).not.toThrow()
  })

  test.each<[string, () => void]>([
    ['a missing field', check({ success: true })],
    ['an unknown field', check({ success: true, boards: [{ ...board, extra: 1 }] })],
    ['a wrong type', check({ success: true, boards: [{ ...board, name: null }] })],
    ['an unknown status', check({ success: false, error: 'x' }, 418)],
    ['a refusal without a text', check({ success: false }, 429)],
  ])('rejects %s', (_name, run) => {
    expect(run).toThrow(/^GET \/api\/dtpchan\/boards answers/)
  })
})

describe('pages of other sites', () => {
  const ask = (method: 'GET' | 'HEAD' | 'POST' | 'OPTIONS', url: string, headers: Record<string, string> = {}) =>
    site.app.inject({ method, url, headers: { origin: EVIL, ...headers } })
  const preflight = (url: string, method: string) =>
    ask('OPTIONS', url, {
      'access-control-request-method': method,
      'access-control-request-headers': 'authorization',
    })

  test.each(['/api/dtpchan/boards', '/api/openapi.json', '/api/paste/nothing', '/api/moderation/switches'])(
    'may read %s, also a refusal',
    async (url) => {
      for (const method of ['GET', 'HEAD'] as const) {
        const { headers } = await ask(method, url)
        expect([headers['access-control-allow-origin'], headers['access-control-allow-credentials']]).toEqual([
          '*',
          undefined,
        ])
      }
      const { statusCode, headers } = await preflight(url, 'GET')
      expect([statusCode, headers['access-control-allow-origin'], headers['access-control-allow-methods']]).toEqual([
        204,
        '*',
        'GET, HEAD',
      ])
      expect(headers['access-control-allow-headers']).toContain('Authorization')
    },
  )

  test('may not write', async () => {
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const { statusCode, headers } = await preflight('/api/programs', method)
      expect([statusCode, headers['access-control-allow-origin']]).toEqual([404, undefined])
    }
    const { statusCode, headers } = await ask('POST', '/api/programs')
    expect([statusCode, headers['access-control-allow-origin']]).toEqual([403, undefined])
  })

  test.each(['/trpc/board.list', '/api/nothing', '/paste/nothing/raw', '/healthz'])('may not read %s', async (url) => {
    expect((await ask('GET', url)).headers['access-control-allow-origin']).toBeUndefined()
  })
})
