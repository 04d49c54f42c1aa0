import fc, { type Arbitrary } from 'fast-check'
import { restRoutes } from '#server/plugins/api/rest.ts'
import { FORM_TYPE, fieldPart, filePart, formBody } from '#tests/helpers/multipart.ts'
import type { FuzzContext } from './fuzzContext.ts'
import { anyHeaders, send, type Target } from './fuzzTarget.ts'
import { anyId, encodeLoosely, FIELDS, someFields } from './values.ts'

/** Form fields per path. Other paths get the first six of `FIELDS`. */
const FORMS: [RegExp, string[]][] = [
  [/\/threads$/, ['title', 'content', 'author', 'links', 'cursor']],
  [/\/(comments|replies)$/, ['content', 'author', 'links']],
  [/\/boards$/, ['name', 'description']],
  [/\/login$/, ['email', 'token']],
  [/\/api\/paste$/, ['content', 'expiryHours', 'language', 'burnAfterReading', 'encrypted', 'proofHash']],
  [/\/api\/image-share$/, ['expiryHours']],
  [/\/programs/, ['name', 'link', 'description', 'addedBy', 'category', 'updatedAt']],
  [/\/tech-articles$/, ['page', 'source']],
  [/\/(read|delete)$/, ['proof', 'token']],
]
const ENCODINGS = ['json', 'form', 'urlencoded', 'text', 'broken json', 'none'] as const

type Input = {
  row: number
  ids: Record<string, string>
  query: Record<string, unknown>
  fields: Record<string, unknown>
  encoding: (typeof ENCODINGS)[number]
  auth: string | null
  hasCaptcha: boolean
  image: Uint8Array | null
  lines: string[]
}

/** Sends valid, nearly valid and invalid input to every documented call. */
export const restTarget: Target<Input> = {
  name: 'documented calls',
  inputs: (context) => fc.nat(restRoutes.length - 1).chain((row) => inputsFor(context, row)),
  sendInput: async (context, { row: index, ids, query, fields, encoding, auth, hasCaptcha, image, lines }) => {
    const row = restRoutes[index]
    if (!row) return []
    const path = row.path.replaceAll(/:(\w+)/g, (_whole, name: string) => ids[name] ?? '')
    const search = Object.entries(query).map(
      ([name, value]) => `${encodeLoosely(name)}=${encodeLoosely(String(asText(value)))}`,
    )
    const all = hasCaptcha ? { ...fields, ...(await context.solve()) } : fields
    const { type, body } = row.method === 'GET' ? { type: null, body: undefined } : encode(encoding, all, image)
    return send(context, {
      method: row.method,
      path: search.length > 0 ? `${path}?${search.join('&').slice(0, 6000)}` : path,
      lines: [
        ...lines,
        ...(auth === null ? [] : [`Authorization: ${auth}`]),
        ...(type ? [`Content-Type: ${type}`] : []),
      ],
      body,
      isCall: path.startsWith('/api'),
      sent: JSON.stringify(all),
    })
  },
}

function inputsFor(context: FuzzContext, row: number): Arbitrary<Input> {
  const { known, token, imageBytes } = context
  const { path, method } = restRoutes[row] ?? { path: '', method: 'GET' }
  const names = FORMS.find(([pattern]) => pattern.test(path))?.[1] ?? FIELDS.slice(0, 6)
  // Sends no valid token to logout and board deletion, because later inputs need the session and the board.
  const isDestructive = path.endsWith('/logout') || (method === 'DELETE' && path.endsWith('/:boardId'))
  return fc.record({
    row: fc.constant(row),
    ids: fc.record(
      Object.fromEntries(
        [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => {
          const valid = (known as Record<string, string>)[name === 'id' ? 'shareId' : name] ?? '1'
          return [
            name,
            fc.oneof({ weight: 3, arbitrary: fc.constant(valid) }, { weight: 1, arbitrary: anyId([valid]) }),
          ]
        }),
      ),
    ),
    query: fc.oneof({ weight: 2, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: someFields(names) }),
    fields: fc.oneof({ weight: 3, arbitrary: someFields(names, true) }, { weight: 1, arbitrary: someFields(names) }),
    encoding: fc.constantFrom(...ENCODINGS, 'json', 'form'),
    auth: isDestructive
      ? fc.constantFrom(null, 'Bearer x', `Bearer ${token}x`)
      : fc.constantFrom(
          null,
          `Bearer ${token}`,
          `bearer  ${token}`,
          `Bearer ${token.slice(0, -2)}`,
          'Basic eDp5',
          `Bearer ${'x'.repeat(6000)}`,
        ),
    hasCaptcha: fc.boolean(),
    image: fc.oneof(fc.constant(null), fc.constant(imageBytes), damageImage(imageBytes)),
    lines: anyHeaders,
  })
}

const damageImage = (imageBytes: Buffer): Arbitrary<Uint8Array> =>
  fc.array(fc.tuple(fc.nat(imageBytes.length - 1), fc.nat(255)), { maxLength: 8 }).map((bytes) => {
    const copy = Uint8Array.from(imageBytes)
    for (const [at, value] of bytes) copy[at] = value
    return copy
  })

const asText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

function encode(encoding: Input['encoding'], fields: Record<string, unknown>, image: Uint8Array | null) {
  if (encoding === 'none') return { type: null, body: Buffer.alloc(0) }
  if (encoding === 'form') {
    const parts = Object.entries(fields).map(([name, value]) => fieldPart(name, asText(value)))
    const file = image ? [filePart('image', 'a.png', 'image/png', image)] : []
    return { type: FORM_TYPE, body: formBody(...parts, ...file) }
  }
  if (encoding === 'urlencoded' || encoding === 'text') {
    const type = encoding === 'text' ? 'text/plain' : 'application/x-www-form-urlencoded'
    return { type, body: Buffer.from(asText(fields.content ?? fields)) }
  }
  const body = Buffer.from(JSON.stringify(fields))
  return { type: 'application/json', body: encoding === 'json' ? body : body.subarray(0, body.length >> 1) }
}
