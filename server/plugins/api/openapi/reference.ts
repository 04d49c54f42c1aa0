import type { ApiCall, ApiField, ApiReference } from '#src/contract/apiReference.ts'
import { COMPONENTS, FILE_TYPE, isFileField, type JsonSchema } from './jsonSchema.ts'
import type { OpenApiDocument } from './openApi.ts'
import type { Operation, Parameter } from './operation.ts'

/** Statuses that the page explains once, for all calls. */
const COMMON = ['200', '400', '408', '413', '415', '429', '5XX']
const PLACES: Parameter['in'][] = ['path', 'query', 'header']

/** Prepares the document for the page of the API. */
export function createReference({ paths, tags, components, servers }: OpenApiDocument): ApiReference {
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      group: operation.tags[0],
      call: describeCall(method.toUpperCase(), path, operation, servers[0]?.url ?? ''),
    })),
  )
  return {
    groups: tags.map(({ name }) => ({
      name,
      calls: calls.filter(({ group }) => group === name).map(({ call }) => call),
    })),
    types: Object.entries(components.schemas).map(([name, { description = '', ...schema }]) => ({
      name,
      description,
      fields: listFields(schema),
      type: schema.properties ? '' : describeType(schema),
    })),
  }
}

function describeCall(method: string, path: string, operation: Operation, siteUrl: string): ApiCall {
  const { operationId, summary, security, parameters, requestBody, responses } = operation
  const success = responses['200']?.content ?? {}
  const body = listFields(mediaOf(operation)?.schema ?? {})
  // With raw content, fields of the body are in the query. The page shows them once.
  const isShown = ({ in: place, name }: Parameter) => place !== 'query' || !body.some((field) => field.name === name)
  return {
    id: operationId,
    method,
    path,
    summary,
    access: security ? (security.length > 1 ? 'bearer token, or delete token' : 'bearer token') : '',
    takes: [
      ...PLACES.map((place) => ({
        place,
        fields: parameters.filter((one) => one.in === place && isShown(one)).map(describeParameter),
      })),
      { place: requestBody?.description ?? '', fields: body },
    ].filter(({ fields }) => fields.length > 0),
    answers: listFields(success['application/json']?.schema ?? {}).filter(({ name }) => name !== 'success'),
    sends: Object.keys(success)
      .filter((type) => type !== 'application/json')
      .map((type) => [type, type === 'text/html' ? 'the page, for browsers without script' : describe200(operation)]),
    statuses: Object.entries(responses)
      .filter(([status]) => !COMMON.includes(status))
      .map(([status, { description }]) => [status, description]),
    example: createCurl(method, path, operation, siteUrl),
  }
}

const describe200 = ({ responses }: Operation) => responses['200']?.description ?? ''

const mediaOf = ({ requestBody }: Operation) => Object.values(requestBody?.content ?? {})[0]

const describeParameter = ({ name, schema, required, description = '' }: Parameter): ApiField => ({
  name,
  type: describeType(schema),
  isRequired: required,
  note: describeNote({ ...schema, description }),
})

function listFields({ properties = {}, required = [] }: JsonSchema): ApiField[] {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    type: describeType(schema),
    isRequired: required.includes(name),
    note: describeNote(schema),
  }))
}

function describeNote({
  description,
  minLength,
  maxLength,
  maxItems,
  minimum,
  maximum,
  default: value,
}: JsonSchema): string {
  return [
    description ?? '',
    ...(minLength !== undefined && minLength > 1 ? [`at least ${minLength} characters`] : []),
    ...(maxLength === undefined ? [] : [`at most ${maxLength.toLocaleString('en')} characters`]),
    ...(maxItems === undefined ? [] : [`at most ${maxItems}`]),
    ...(minimum === undefined || maximum === undefined ? [] : [`from ${minimum} to ${maximum.toLocaleString('en')}`]),
    ...(value === undefined || value === '' ? [] : [`default: ${JSON.stringify(value)}`]),
  ]
    .filter(Boolean)
    .join('; ')
}

/** Returns a type as TypeScript writes it. */
function describeType(schema: JsonSchema): string {
  const { $ref, type, format, items, properties, additionalProperties } = schema
  const choices = schema.anyOf ?? schema.oneOf
  if ($ref) return $ref.slice(COMPONENTS.length)
  if (schema.contentMediaType === FILE_TYPE) return 'file'
  if ('const' in schema) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (choices) return choices.map(describeType).join(' | ')
  if (Array.isArray(type)) return type.join(' | ')
  if (format === 'date-time') return 'date-time'
  if (items) return describeType(items).includes(' | ') ? `(${describeType(items)})[]` : `${describeType(items)}[]`
  if (properties) {
    return `{ ${Object.entries(properties)
      .map(([name, one]) => `${name}: ${describeType(one)}`)
      .join('; ')} }`
  }
  if (typeof additionalProperties === 'object') return `{ [name]: ${describeType(additionalProperties)} }`
  return type ?? 'any'
}

/** Returns a command that makes the call. Words in capitals are placeholders. */
function createCurl(method: string, path: string, operation: Operation, siteUrl: string): string {
  const { parameters, security } = operation
  const url = `${siteUrl}${fillPath(path, operation)}${createQuery(parameters)}`
  const media = mediaOf(operation)
  const example = media?.example as Record<string, unknown> | undefined
  const files = Object.entries(media?.schema?.properties ?? {}).filter(([, schema]) => isFileField(schema))
  const isForm = files.length > 0
  return [
    `curl ${method === 'GET' || (method === 'POST' && (isForm || example)) ? '' : `-X ${method} `}${quote(url)}`,
    ...(security ? ["-H 'Authorization: Bearer TOKEN'"] : []),
    ...(isForm
      ? [
          ...Object.entries(example ?? {}).map(([name, value]) => `-F ${quote(`${name}=${value}`)}`),
          // curl knows the types of few images, and posts ignore files of other types.
          ...files.map(([name]) => `-F '${name}=@FILE;type=image/png'`),
        ]
      : example
        ? ["-H 'Content-Type: application/json'", `-d ${quote(JSON.stringify(example))}`]
        : []),
  ].join(' \\\n  ')
}

const fillPath = (path: string, { parameters }: Operation) =>
  path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) =>
    String(parameters.find((one) => one.in === 'path' && one.name === name)?.example ?? capitals(name)),
  )

function createQuery(parameters: Operation['parameters']): string {
  const query = parameters
    .filter((one) => one.in === 'query' && one.required)
    .map(({ name, example }) => `${name}=${example ?? capitals(name)}`)
  return query.length > 0 ? `?${query.join('&')}` : ''
}

/** Writes `pasteId` as PASTE_ID. */
const capitals = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()

const quote = (text: string) => (/^[\w:/.-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`)
