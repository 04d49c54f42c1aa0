import { z } from 'zod'
import { isQueryField } from '#server/core/rpc/restRoute.ts'
import { type createSchemaWriter, exampleOf, isFileField, type JsonSchema } from './jsonSchema.ts'
import type { DocumentedCall } from './otherCalls.ts'

export type Parameter = {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description?: string
  schema: JsonSchema
  example?: unknown
}
export type Content = Record<string, { schema?: JsonSchema; example?: unknown }>
export type Answer = { description: string; content?: Content; headers?: object }
export type Operation = {
  operationId: string
  tags: [string]
  summary: string
  security?: Record<string, string[]>[]
  parameters: Parameter[]
  requestBody?: { description: string; required: boolean; content: Content }
  responses: Record<string, Answer>
}

type Writer = ReturnType<typeof createSchemaWriter>
type Fields = { properties: Record<string, JsonSchema>; required: string[] }

const JSON_TYPE = 'application/json'
const FORM_TYPE = 'multipart/form-data'
const RETRY_AFTER = {
  'Retry-After': { schema: { type: 'integer' }, description: 'seconds after which the call can be tried again' },
}

/** Describes a call. `error` is the schema of refusals. */
export function createOperation(call: DocumentedCall, group: string, writer: Writer, error: JsonSchema): Operation {
  const fields = readFields(call, writer)
  const inPath = [...call.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  const others = pickFields(fields, (name) => !inPath.includes(name))
  const hasBody = call.method === 'POST' || call.method === 'PUT'
  return {
    operationId: createId(call),
    tags: [group],
    summary: call.summary,
    ...(call.access && { security: [{ bearer: [] }, ...(call.headers ? [{}] : [])] }),
    parameters: [
      ...inPath.map((name) => createParameter('path', name, fields.properties[name] ?? { type: 'string' }, true)),
      ...createQuery(call, others, hasBody),
      ...Object.entries(call.headers ?? {}).map(([name, header]) =>
        createParameter('header', header, fields.properties[name] ?? {}, false),
      ),
    ],
    ...(hasBody && Object.keys(others.properties).length > 0 && { requestBody: createBody(call, others) }),
    responses: { 200: createAnswer(call, writer), ...createRefusals(call, hasBody, inPath.length > 0, error) },
  }
}

/** Returns an id such as `getDtpchanBoardsByBoardIdThreads`. */
const createId = ({ method, path }: DocumentedCall) =>
  method.toLowerCase() +
  path
    .replace(/^\/api/, '')
    .replaceAll(':', 'by-')
    .replaceAll(/[^a-zA-Z0-9]+([a-zA-Z0-9])/g, (_whole, letter: string) => letter.toUpperCase())

function readFields({ input }: DocumentedCall, writer: Writer): Fields {
  const { properties = {}, required = [] } = input ? writer.write(input, 'input') : {}
  return { properties, required }
}

const pickFields = ({ properties, required }: Fields, isPicked: (name: string) => boolean): Fields => ({
  properties: Object.fromEntries(Object.entries(properties).filter(([name]) => isPicked(name))),
  required: required.filter(isPicked),
})

/** A header or body replaces a query parameter, so a field that can be in one is required in neither. */
function createQuery(call: DocumentedCall, { properties, required }: Fields, hasBody: boolean) {
  return Object.entries(properties).flatMap(([name, schema]) =>
    isQueryField(call, name)
      ? createParameter('query', name, schema, !hasBody && !call.headers?.[name] && required.includes(name))
      : [],
  )
}

function createParameter(
  place: Parameter['in'],
  name: string,
  { description, ...schema }: JsonSchema,
  required: boolean,
): Parameter {
  const example = exampleOf(name, schema)
  // A path is text. Of several types, generated clients use the first one, and some write numbers as `1.0`.
  const isText = place === 'path' && Array.isArray(schema.type)
  return {
    name,
    in: place,
    required,
    ...(description !== undefined && { description }),
    schema: isText ? { ...schema, type: 'string' } : schema,
    ...(example !== undefined && { example }),
  }
}

/**
 * Names one type, and others in words. Of several types, generated clients use the first one (hey-api 0.99), or send an
 * object without its type (Orval 8.38).
 */
function createBody({ bytesField }: DocumentedCall, { properties, required }: Fields) {
  // In JSON, bytes are text.
  const text = bytesField ? { ...properties, [bytesField.name]: { type: 'string' } } : properties
  const files = Object.keys(text).filter((name) => isFileField(text[name] ?? {}))
  const others = bytesField ? 'JSON, form or raw content' : 'JSON or form'
  const withFiles = files.some((name) => required.includes(name)) ? 'form' : 'form, or JSON without files'
  return {
    description: files.length > 0 ? withFiles : others,
    required: required.length > 0,
    content: { [files.length > 0 ? FORM_TYPE : JSON_TYPE]: createMedia({ properties: text, required }) },
  }
}

function createMedia({ properties, required }: Fields) {
  const example = Object.fromEntries(
    Object.entries(properties)
      .filter(([name]) => required.includes(name))
      .map(([name, schema]) => [name, exampleOf(name, schema)])
      .filter(([, value]) => value !== undefined),
  )
  return {
    schema: { type: 'object', properties, ...(required.length > 0 && { required }) },
    ...(Object.keys(example).length > 0 && { example }),
  }
}

function createAnswer({ answer, sends = {}, formPage }: DocumentedCall, writer: Writer): Answer {
  const success = z.object({ success: z.literal(true) })
  const hasJson = Boolean(answer) || Object.keys(sends).length === 0
  const schema = hasJson && writer.write(answer ? success.extend(answer.shape) : success, 'output')
  return {
    description: Object.values(sends)[0] ?? 'Done',
    content: {
      ...(schema && { [JSON_TYPE]: { schema } }),
      ...Object.fromEntries(
        [...Object.keys(sends), ...(formPage && !formPage.next ? ['text/html'] : [])].map((type) => [
          type,
          // Without a schema, generated clients know nothing of the answer in JSON either.
          type.startsWith('text/') ? { schema: { type: 'string' } } : {},
        ]),
      ),
    },
  }
}

/** Lists the statuses that follow from what a call takes, and those of its row. */
function createRefusals(
  { method, input, access, statuses = {}, formPage }: DocumentedCall,
  hasBody: boolean,
  hasItem: boolean,
  error: JsonSchema,
): Record<string, Answer> {
  const descriptions: Record<string, string> = {
    ...(formPage?.next && { 303: 'To the new item, for browsers without script' }),
    ...((input || hasBody) && { 400: 'The input is invalid' }),
    ...(access && { 401: 'The token is missing, or the session has ended' }),
    ...((access || method !== 'GET') && { 403: forbidden(method, access) }),
    ...(hasItem && { 404: 'There is nothing at this URL' }),
    ...(hasBody && { 408: 'The body took too long', 413: 'The body is too large', 415: 'The body has another type' }),
    429: 'Too many requests from your network, or on this site',
    ...statuses,
    '5XX': 'The site failed, or is too busy',
  }
  return Object.fromEntries(
    Object.entries(descriptions).map(([status, description]) => [
      status,
      {
        description,
        ...((status === '429' || status === '5XX') && { headers: RETRY_AFTER }),
        ...(status >= '4' && { content: { [JSON_TYPE]: { schema: error } } }),
      },
    ]),
  )
}

const forbidden = (method: string, access: DocumentedCall['access']) =>
  [
    ...(access ? ['The user may not do this'] : []),
    ...(method === 'GET' ? [] : ['a page of another site sent this, or the visitor is banned']),
  ].join(', or ')
