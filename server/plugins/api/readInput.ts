import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Services } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { type FormReading, parseMultipartForm } from '#server/core/http/multipartForm.ts'
import { convertField, type FieldTypes, readFieldTypes } from '#server/core/rpc/fieldTypes.ts'
import { isQueryField, type RestRoute } from '#server/core/rpc/restRoute.ts'
import { refusal } from '#src/contract/refusal.ts'

export type InputReader = (request: FastifyRequest, reply: FastifyReply, reading?: FormReading) => Promise<object>

/**
 * Returns a function that merges the query, the body or form parts, path parameters, and headers. Later sources
 * override earlier ones.
 */
export function createInputReader({ bodyBudget }: Pick<Services, 'bodyBudget'>, row: RestRoute): InputReader {
  let types: FieldTypes | undefined
  return async (request, reply, reading) => {
    types ??= readFieldTypes(row.input)
    const { query, body, params } = request as { query: Record<string, unknown>; body: unknown; params: object }
    const above = { ...params, ...readHeaderFields(request, row) }
    const queryFields = convertFields(pickQueryFields(query, row), types)
    if (Buffer.isBuffer(body)) {
      return { ...queryFields, ...(row.bytesField && { [row.bytesField.name]: body }), ...above }
    }
    if (request.isMultipart()) {
      const rules = { ...row, isList: (name: string) => types?.get(name) === 'list' }
      const parts = await parseMultipartForm(request, bodyBudget.reserve(request, reply), rules, reading)
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
