import fc, { type Arbitrary } from 'fast-check'
import { appRouter } from '#server/router.ts'
import { anyHeaders, send, type Target } from './fuzzTarget.ts'
import { anyJson, encodeLoosely, FIELDS, someFields } from './values.ts'

const PROCEDURES = Object.keys(appRouter._def.procedures)
const described = appRouter._def.procedures as unknown as Record<string, { _def: { type: string } }>
const MUTATIONS = new Set(PROCEDURES.filter((name) => described[name]?._def.type === 'mutation'))
const UNKNOWN_PROCEDURES = [
  '',
  'board',
  'board.',
  '.',
  'board.list.x',
  '__proto__',
  'constructor.name',
  'x'.repeat(3000),
  '%00',
  '%2C',
]

/** Valid and invalid type annotations for superjson's `meta`. */
const annotation = fc.oneof(
  fc.constantFrom<unknown>('Date', 'undefined', 'bigint', 'set', 'map', 'regexp', 'Error', 'URL', 'number', 'nothing'),
  fc.constantFrom<unknown>(
    ['symbol', 'x'],
    ['class', 'Object'],
    ['custom', 'x'],
    ['typed-array', 'Uint8Array'],
    [],
    [[]],
  ),
  anyJson,
)
const fieldPath = fc.oneof(
  fc.constantFrom(...FIELDS, 'boardId', 'threadId', 'id', 'pasteId', 'stationId', ''),
  fc.constantFrom('__proto__', '__proto__.polluted', 'constructor.prototype.polluted', 'a.b.c', '\\', 'title.0', '0'),
)
const meta = fc.record(
  {
    values: fc.oneof(
      fc.dictionary(fieldPath, fc.oneof(fc.tuple(annotation), annotation), { maxKeys: 4 }),
      fc.tuple(annotation),
      anyJson,
    ),
    referentialEqualities: fc.oneof(
      fc.dictionary(fieldPath, fc.array(fieldPath, { maxLength: 3 }), { maxKeys: 3 }),
      anyJson,
    ),
  },
  { requiredKeys: [] },
)
const VALID_IDS = {
  boardId: 'fuzz',
  threadId: '1',
  commentId: '1',
  replyId: '1',
  id: '1',
  pasteId: 'x',
  stationId: 1,
  streamerId: 1,
}

const input: Arbitrary<unknown> = someFields().map((fields) => ({ ...VALID_IDS, ...fields }))
const envelope: Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ json: fc.oneof(input, anyJson) }) },
  { weight: 4, arbitrary: fc.record({ json: fc.oneof(input, anyJson), meta }) },
  { weight: 1, arbitrary: anyJson },
)

type Input = {
  paths: string[]
  envelopes: unknown[]
  batch: '' | 'batch=1' | 'batch=' | 'batch=0&batch=1'
  shape: 'numbered' | 'list' | 'first' | 'text'
  method: string
  type: string
  auth: string | null
  lines: string[]
}

/** Sends single and batched typed calls with malformed superjson envelopes. */
export const trpcTarget: Target<Input> = {
  name: 'typed calls',
  inputs: ({ token }) =>
    fc.record({
      paths: fc.array(
        fc.oneof(
          { weight: 9, arbitrary: fc.constantFrom(...PROCEDURES.filter((name) => name !== 'auth.logout')) },
          { weight: 1, arbitrary: fc.constantFrom(...UNKNOWN_PROCEDURES) },
        ),
        { minLength: 1, maxLength: 4 },
      ),
      envelopes: fc.array(envelope, { minLength: 1, maxLength: 4 }),
      batch: fc.constantFrom('', '', 'batch=1', 'batch=', 'batch=0&batch=1'),
      shape: fc.constantFrom('numbered', 'list', 'first', 'first', 'text'),
      // Two of three inputs use the procedure's own method, written as ''.
      method: fc.oneof(
        { weight: 2, arbitrary: fc.constant('') },
        { weight: 1, arbitrary: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH') },
      ),
      type: fc.oneof(
        { weight: 4, arbitrary: fc.constant('application/json') },
        {
          weight: 1,
          arbitrary: fc.constantFrom('text/plain', 'application/octet-stream', 'multipart/form-data; boundary=x'),
        },
      ),
      auth: fc.constantFrom(null, `Bearer ${token}`, 'Bearer x'),
      lines: anyHeaders,
    }),
  sendInput: async (context, { paths, envelopes, batch, shape, method: chosenMethod, type, auth, lines }) => {
    const called = batch === '' ? paths.slice(0, 1) : paths
    // Never deletes the board, because other inputs need it.
    const procedures = called.filter((name) => name !== 'board.delete')
    const text = serialized(envelopes, batch === '' ? shape : shape === 'first' ? 'numbered' : shape)
    const method = chosenMethod || (MUTATIONS.has(procedures[0] ?? '') ? 'POST' : 'GET')
    const inUrl = method === 'GET' || method === 'HEAD'
    const query = [batch, ...(inUrl ? [`input=${encodeLoosely(text).slice(0, 10_000)}`] : [])].filter(Boolean)
    return send(context, {
      method,
      path: `/trpc/${procedures.join(',')}?${query.join('&')}`,
      lines: [...lines, ...(auth ? [`Authorization: ${auth}`] : []), ...(inUrl ? [] : [`Content-Type: ${type}`])],
      body: inUrl ? undefined : Buffer.from(text),
      sent: text,
    })
  },
}

function serialized(envelopes: unknown[], shape: Input['shape']): string {
  if (shape === 'numbered')
    return JSON.stringify(Object.fromEntries(envelopes.map((envelope, index) => [index, envelope])))
  if (shape === 'list') return JSON.stringify(envelopes)
  const first = JSON.stringify(envelopes[0]) ?? ''
  return shape === 'first' ? first : first.slice(0, -1)
}
