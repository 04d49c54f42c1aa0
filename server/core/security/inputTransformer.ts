import superjson from 'superjson'
import { errors } from '#server/core/errors.ts'
import { refusal } from '#src/contract/refusal.ts'

/** Limits CPU time for checking input. Valid input has at most three levels and a few dozen values. */
const MAX_DEPTH = 20
const MAX_VALUES = 2000
/** Limits the text to parse. The longest valid form, a post of 20,000 escaped characters, has 120 kB. */
export const MAX_INPUT_BYTES = 256 * 1024

/** These keys could change the prototypes of objects. */
const UNSAFE_KEYS = new Set(['__proto__', 'constructor', 'prototype'])

type Revive = (value: unknown) => unknown
/** The only types that inputs may contain in addition to JSON types. */
const REVIVERS: Record<string, Revive> = {
  undefined: () => undefined,
  Date: (value) => (typeof value === 'string' ? new Date(value) : rejectInput()),
}

/** Revives only dates and `undefined`. superjson would also create huge maps and typed arrays before validation. */
export const inputTransformer = { serialize: superjson.serialize, deserialize }

/** @throws AppError 400 unless the payload is plain JSON with dates and `undefined`, within the limits */
function deserialize(payload: unknown): unknown {
  if (!isRecord(payload)) return rejectInput()
  checkBounds(payload)
  const { json, meta } = payload
  if (meta === undefined) return json
  if (!isRecord(meta)) return rejectInput()
  // Ignore `referentialEqualities`: the JSON contains an object in full wherever it occurs.
  const { values } = meta
  if (values === undefined) return json
  if (Array.isArray(values)) return reviverOf(values)(json)
  if (!isRecord(values)) return rejectInput()
  for (const [path, type] of Object.entries(values)) reviveAt(json, parsePath(path), reviverOf(type))
  return json
}

function reviverOf(annotation: unknown): Revive {
  const [type, ...children] = Array.isArray(annotation) ? annotation : []
  const isKnown = typeof type === 'string' && Object.hasOwn(REVIVERS, type) && children.length === 0
  return (isKnown && REVIVERS[type]) || rejectInput()
}

function reviveAt(json: unknown, path: string[], revive: Revive): void {
  let parent = json
  for (const key of path.slice(0, -1)) parent = ownValue(parent, key)
  const key = path.at(-1) as string
  const value = ownValue(parent, key)
  ;(parent as Record<string, unknown>)[key] = revive(value)
}

function ownValue(parent: unknown, key: string): unknown {
  if (typeof parent !== 'object' || parent === null || UNSAFE_KEYS.has(key)) return rejectInput()
  const exists = Array.isArray(parent) ? /^\d+$/.test(key) && Number(key) < parent.length : Object.hasOwn(parent, key)
  return exists ? (parent as Record<string, unknown>)[key] : rejectInput()
}

/** Splits a path at its dots. A backslash escapes a dot or a backslash. */
function parsePath(path: string): string[] {
  const keys = path.match(/(?:[^.\\]|\\[.\\])+/g) ?? []
  return keys.length > 0 && keys.join('.') === path ? keys.map((key) => key.replace(/\\(.)/g, '$1')) : rejectInput()
}

function checkBounds(payload: object): void {
  let values = 0
  let level: object[] = [payload]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) rejectInput()
    const next: object[] = []
    for (const parent of level) {
      for (const key of Object.keys(parent)) {
        if (++values > MAX_VALUES || UNSAFE_KEYS.has(key)) rejectInput()
        const value = (parent as Record<string, unknown>)[key]
        if (typeof value === 'object' && value !== null) next.push(value)
      }
    }
    level = next
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function rejectInput(): never {
  throw errors.badRequest(refusal('failure.badRequest'))
}
