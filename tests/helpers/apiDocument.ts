import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { createDocument, documentedCalls } from '#server/plugins/api/openapi/openApi.ts'

export const apiDocument = createDocument(documentedCalls, { name: 'DTP', url: 'http://localhost:3000' })

type Answer = { status: number; type: string | undefined; body: unknown }
type Responses = Record<string, { content?: Record<string, { schema?: object }> }>

const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats.default(ajv)
ajv.addSchema({ $id: 'document', ...apiDocument })

/** The documented calls. Paths without parameters come first, because the server prefers them. */
const operations = Object.entries(apiDocument.paths)
  .flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { responses }]) => ({
      path,
      method,
      pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
      responses: responses as Responses,
    })),
  )
  .toSorted((a, b) => Number(a.path.includes('{')) - Number(b.path.includes('{')))

const validators = new Map<string, ValidateFunction>()

/** @throws Error if the documentation does not describe the answer */
export function checkDocumented(method: string, url: string, { status, type = '', body }: Answer): void {
  const fail = (reason: string): never => {
    throw new Error(`${method} ${url} answers ${status} ${type}: ${reason}`)
  }
  const [path = ''] = url.split('?')
  const operation = operations.find((one) => one.method === method.toLowerCase() && one.pattern.test(path))
  if (!operation) {
    const isCall = path.startsWith('/api/') && method !== 'HEAD' && method !== 'OPTIONS'
    if (isCall && status < 400) fail('the call is not documented')
    return
  }
  const name = status >= 500 ? '5XX' : String(status)
  const response = operation.responses[name] ?? fail('the status is not documented')
  const [media = ''] = type.split(';')
  const documented = Object.keys(response.content ?? {})
  if (body === '' && documented.length === 0) return
  // Forms of browsers are refused with their page.
  if (status >= 400 && media === 'text/html') return
  if (!documented.some((one) => one === media || (one.endsWith('*') && media.startsWith(one.slice(0, -1))))) {
    fail(`the media type is not documented, but ${documented.join(', ')}`)
  }
  if (!response.content?.[media]?.schema) return
  const pointer = ['paths', operation.path, operation.method, 'responses', name, 'content', media, 'schema']
  const errors = findErrors(pointer, body, 'answer')
  if (errors) fail(errors)
}

/** Validates a value against a schema of the document. @returns null if it is valid */
function findErrors(pointer: string[], value: unknown, dataVar: string): string | null {
  const reference = `document#/${pointer.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`
  const validate = validators.get(reference) ?? ajv.compile({ $ref: reference })
  validators.set(reference, validate)
  return validate(value) ? null : ajv.errorsText(validate.errors, { dataVar })
}

/** Lists the examples of JSON bodies that their schemas refuse. */
export function findWrongExamples(): string[] {
  const type = 'application/json'
  return Object.entries(apiDocument.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { requestBody }]) => {
      const { example = {}, schema } = requestBody?.content[type] ?? {}
      const pointer = ['paths', path, method, 'requestBody', 'content', type, 'schema']
      const errors = schema && findErrors(pointer, example, 'example')
      return errors ? `${method} ${path}: ${errors}` : []
    }),
  )
}
