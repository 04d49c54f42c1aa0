import { z } from 'zod'
import { UploadedFile } from '#src/contract/image.ts'

/** The keywords of JSON Schema that our schemas use. */
export type JsonSchema = {
  $ref?: string
  type?: string | string[]
  format?: string
  pattern?: string
  contentMediaType?: string
  description?: string
  default?: unknown
  const?: unknown
  enum?: unknown[]
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  items?: JsonSchema
  maxItems?: number
  properties?: Record<string, JsonSchema>
  required?: string[]
  additionalProperties?: boolean | JsonSchema
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
}

/** The media type of files in forms. */
export const FILE_TYPE = 'application/octet-stream'

/** Returns whether a field of a form is a file or a list of files. */
export const isFileField = ({ contentMediaType, items }: JsonSchema): boolean =>
  (contentMediaType ?? items?.contentMediaType) === FILE_TYPE

export const COMPONENTS = '#/components/schemas/'

/** Converts schemas to JSON Schema. Those with an id become components, and are referenced. */
export function createSchemaWriter() {
  const components: Record<string, JsonSchema> = {}
  function write(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
    const { $schema: _schema, $defs, ...json } = z.toJSONSchema(schema, { io, unrepresentable: describeOther })
    Object.assign(components, simplify($defs ?? {}))
    return simplify(json) as JsonSchema
  }
  return { components, write }
}

/** Describes types that JSON does not have. Custom rules have no description: calls state them in their errors. */
function describeOther({ zodSchema }: { zodSchema: z.core.$ZodType }): z.core.JSONSchema.JSONSchema | 'any' {
  if (zodSchema._zod.def.type === 'date') return { type: 'string', format: 'date-time' }
  return isFile(zodSchema) ? { contentMediaType: FILE_TYPE } : 'any'
}

/** A schema with a rule of its own has the schema without it as its parent. */
const isFile = ({ _zod: { bag, parent } }: z.core.$ZodType): boolean =>
  bag.Class === UploadedFile || (parent !== undefined && isFile(parent))

/** Removes redundant keywords: bounds of all integers, patterns of formats, equal alternatives, ids of components. */
const simplify = (json: object): unknown =>
  JSON.parse(JSON.stringify(json).replaceAll('#/$defs/', COMPONENTS), (_key, value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    const { id, minimum, maximum, pattern, anyOf, ...rest } = value
    return {
      ...(typeof id === 'object' && { id }),
      ...(minimum !== undefined && minimum !== Number.MIN_SAFE_INTEGER && { minimum }),
      ...(maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER && { maximum }),
      ...(pattern !== undefined && rest.format === undefined && { pattern }),
      ...(Array.isArray(anyOf) ? joinAlternatives(anyOf) : anyOf !== undefined && { anyOf }),
      ...rest,
    }
  })

function joinAlternatives(anyOf: JsonSchema[]): JsonSchema {
  const texts = [...new Set(anyOf.map((one) => JSON.stringify(one)))]
  const [first, ...others] = texts.map((text) => JSON.parse(text) as JsonSchema)
  return first && others.length === 0 ? first : { anyOf: [first as JsonSchema, ...others] }
}

/** Values of fields in the examples of the documentation. Fields with the same name mean the same everywhere. */
const EXAMPLES: Record<string, unknown> = {
  addedBy: 'gl1tch',
  appealToken: 'the appealToken of the notice',
  author: 'gl1tch',
  boardId: 'tech',
  captchaAnswer: '12',
  category: 'Development',
  challengeId: 'the challengeId of the captcha',
  commentId: '2',
  content: 'Some text',
  currentPassword: 'the old password',
  description: 'What it is about',
  email: 'admin@example.org',
  endsAt: '2030-01-31T12:00:00Z',
  filename: 'a3f1c2.png',
  firstDay: '2030-01-31',
  heldFor: 'raid',
  itemId: '2',
  link: 'https://example.org/',
  logId: 1,
  minutes: 60,
  name: 'A name',
  newPassword: 'correct horse battery',
  password: 'correct horse battery',
  postId: '2',
  reason: 'Spam',
  replyId: '3',
  rules: 'Be kind',
  startTime: '20:00',
  stationId: '1',
  streamerId: '1',
  text: 'Some text',
  threadId: '1',
  title: 'A title',
  token: 'the token of the delete link',
  trackId: 1,
  url: '/dtpchan/board/tech/thread/1',
  value: 'cheap watches',
  zone: 'Europe/Berlin',
}

/** Returns a value for a field, or undefined if its type says nothing about it. */
export function exampleOf(name: string, schema: JsonSchema): unknown {
  const choices = schema.enum ?? (schema.const === undefined ? [] : [schema.const])
  if (choices.length > 0) return choices.find((choice) => choice === EXAMPLES[name]) ?? choices[0]
  if (schema.default !== undefined) return schema.default
  if (Object.hasOwn(EXAMPLES, name)) return EXAMPLES[name]
  if (schema.type === 'boolean') return true
  return schema.type === 'array' && schema.items ? [exampleOf('', schema.items)] : undefined
}
