import { z } from 'zod'

/** Types to which the text of a query or form field is converted. Fields of other types keep their text. */
export type FieldType = 'number' | 'boolean' | 'list' | 'json'
export type FieldTypes = ReadonlyMap<string, FieldType>

/** Reads the types of a call's fields. A union with text stays text: its schema parses the text. */
export function readFieldTypes(input: z.ZodType | null): FieldTypes {
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
export function convertField(type: FieldType | undefined, value: unknown): unknown {
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
