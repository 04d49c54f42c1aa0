import { isUtf8 } from 'node:buffer'
import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Services } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { type FormReading, parseMultipartForm } from '#server/core/http/multipartForm.ts'
import { isQueryField, type RestRoute } from '#server/core/rpc/restRoute.ts'
import { refusal } from '#src/contract/refusal.ts'

/** Parses multipart forms and JSON. Accepts an empty JSON body, because the documented captcha call sends one. */
export async function registerBodyParsers(app: FastifyInstance): Promise<void> {
  await app.register(multipart, { throwFileSizeLimit: false })
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    // Without this check, Fastify would silently replace invalid UTF-8.
    if (!isUtf8(body)) return done(errors.badRequest(refusal('failure.badRequest')))
    const text = body.toString()
    if (text.trim() === '') done(null, {})
    else parse(request, text, done)
  })
}

type InputReader = (request: FastifyRequest, reading?: FormReading) => Promise<object>

/**
 * Returns a function that merges the query, the body or form parts, path parameters, and headers. Later sources
 * override earlier ones.
 */
export function createInputReader({ bodyBudget }: Pick<Services, 'bodyBudget'>, row: RestRoute): InputReader {
  let types: FieldTypes | undefined
  return async (request, reading) => {
    types ??= readFieldTypes(row.input)
    const { query, body, params } = request as { query: Record<string, unknown>; body: unknown; params: object }
    const above = { ...params, ...readHeaderFields(request, row) }
    const queryFields = convertFields(pickQueryFields(query, row), types)
    if (Buffer.isBuffer(body)) {
      return { ...queryFields, ...(row.bytesField && { [row.bytesField.name]: body }), ...above }
    }
    if (request.isMultipart()) {
      const rules = { ...row, isList: (name: string) => types?.get(name) === 'list' }
      const parts = await parseMultipartForm(request, bodyBudget, rules, reading)
      return { ...queryFields, ...convertFields(parts, types), ...above }
    }
    const fields = body !== null && typeof body === 'object' && !Array.isArray(body) ? body : {}
    return { ...queryFields, ...fields, ...above }
  }
}

/** @throws AppError 400 for names such as `__proto__`, which the parsers of JSON and forms also refuse */
function pickQueryFields(query: Record<string, unknown>, row: RestRoute): Record<string, unknown> {
  const names = Object.keys(query)
  if (names.some((name) => name in Object.prototype)) throw errors.badRequest(refusal('failure.badRequest'))
  return Object.fromEntries(names.filter((name) => isQueryField(row, name)).map((name) => [name, query[name]]))
}

/** Queries and forms contain only text. */
const convertFields = (texts: Record<string, unknown>, types: FieldTypes): object =>
  Object.fromEntries(Object.entries(texts).map(([name, value]) => [name, convertField(types.get(name), value)]))

const readHeaderFields = (request: FastifyRequest, { headers = {} }: RestRoute): object =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([field, header]) => {
      const value = request.headers[header]
      return value === undefined ? [] : [[field, value]]
    }),
  )

/** Types to which the text of a query or form field is converted. Fields of other types keep their text. */
type FieldType = 'number' | 'boolean' | 'list' | 'json'
type FieldTypes = ReadonlyMap<string, FieldType>

/** Reads the types of a call's fields. A union with text stays text: its schema parses the text. */
function readFieldTypes(input: z.ZodType | null): FieldTypes {
  const { properties = {} } = input ? z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) : {}
  return new Map(
    Object.entries(properties).flatMap(([name, schema]) => {
      const type = typeof schema === 'object' ? findType(schema) : null
      return type ? [[name, type]] : []
    }),
  )
}

function findType({ type, items }: z.core.JSONSchema.BaseSchema): FieldType | null {
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'array') {
    const itemType = typeof items === 'object' && 'type' in items ? items.type : undefined
    return itemType === 'string' ? 'list' : itemType === 'object' ? 'json' : null
  }
  return type === 'boolean' ? 'boolean' : type === 'object' ? 'json' : null
}

/** Converts a value of a query or form. Text of another form stays text, so that the procedure refuses it. */
function convertField(type: FieldType | undefined, value: unknown): unknown {
  if (type === 'list') return Array.isArray(value) ? value : [value]
  if (type === undefined || typeof value !== 'string') return value
  if (type === 'number') return /^(0|[1-9]\d{0,14})$/.test(value) ? Number(value) : value
  if (type === 'boolean') return value === 'true' ? true : value === 'false' ? false : value
  try {
    return JSON.parse(value, rejectPrototype)
  } catch {
    return value
  }
}

function rejectPrototype(key: string, value: unknown): unknown {
  if (key === '__proto__') throw new SyntaxError('The JSON contains __proto__')
  return value
}
