import fc, { type Arbitrary } from 'fast-check'
import { appRouter } from '#server/router.ts'
import { anyLines, send, type Target } from './target.ts'
import { anyJson, encodeLoosely, FIELDS, someFields } from './values.ts'

const PROCEDURES = Object.keys(appRouter._def.procedures)
const described = appRouter._def.procedures as unknown as Record<string, { _def: { type: string } }>
const MUTATIONS = new Set(PROCEDURES.filter((name) => described[name]?._def.type === 'mutation'))
const NO_PROCEDURES = [
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

/** What a transformer is told of the values it carries. */
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
const place = fc.oneof(
  fc.constantFrom(...FIELDS, 'boardId', 'threadId', 'id', 'pasteId', 'stationId', ''),
  fc.constantFrom('__proto__', '__proto__.polluted', 'constructor.prototype.polluted', 'a.b.c', '\\', 'title.0', '0'),
)
const meta = fc.record(
  {
    values: fc.oneof(
      fc.dictionary(place, fc.oneof(fc.tuple(annotation), annotation), { maxKeys: 4 }),
      fc.tuple(annotation),
      anyJson,
    ),
    referentialEqualities: fc.oneof(fc.dictionary(place, fc.array(place, { maxLength: 3 }), { maxKeys: 3 }), anyJson),
  },
  { requiredKeys: [] },
)
const IDS = {
  boardId: 'fuzz',
  threadId: '1',
  commentId: '1',
  replyId: '1',
  id: '1',
  pasteId: 'x',
  stationId: 1,
  streamerId: 1,
}

const input: Arbitrary<unknown> = someFields().map((fields) => ({ ...IDS, ...fields }))
const envelope: Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ json: fc.oneof(input, anyJson) }) },
  { weight: 4, arbitrary: fc.record({ json: fc.oneof(input, anyJson), meta }) },
  { weight: 1, arbitrary: anyJson },
)

type Guess = {
  paths: string[]
  envelopes: unknown[]
  batch: '' | 'batch=1' | 'batch=' | 'batch=0&batch=1'
  shape: 'numbered' | 'list' | 'first' | 'text'
  method: string
  type: string
  auth: string | null
  lines: string[]
}

/** The typed calls, one and many in a request, with envelopes their transformer never made. */
export const trpcTarget: Target<Guess> = {
  name: 'typed calls',
  guesses: ({ token }) =>
    fc.record({
      paths: fc.array(
        fc.oneof(
          { weight: 9, arbitrary: fc.constantFrom(...PROCEDURES.filter((name) => name !== 'auth.logout')) },
          { weight: 1, arbitrary: fc.constantFrom(...NO_PROCEDURES) },
        ),
        { minLength: 1, maxLength: 4 },
      ),
      envelopes: fc.array(envelope, { minLength: 1, maxLength: 4 }),
      batch: fc.constantFrom('', '', 'batch=1', 'batch=', 'batch=0&batch=1'),
      shape: fc.constantFrom('numbered', 'list', 'first', 'first', 'text'),
      // Two of three as the procedure wants to be asked.
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
      lines: anyLines,
    }),
  attempt: async (stage, { paths, envelopes, batch, shape, method: tried, type, auth, lines }) => {
    const called = batch === '' ? paths.slice(0, 1) : paths
    // A board's deletion would leave nothing for other guesses to be made at.
    const spared = called.filter((name) => name !== 'board.delete')
    const text = serialized(envelopes, batch === '' ? shape : shape === 'first' ? 'numbered' : shape)
    const method = tried || (MUTATIONS.has(spared[0] ?? '') ? 'POST' : 'GET')
    const inUrl = method === 'GET' || method === 'HEAD'
    const query = [batch, ...(inUrl ? [`input=${encodeLoosely(text).slice(0, 10_000)}`] : [])].filter(Boolean)
    return send(stage, {
      method,
      path: `/trpc/${spared.join(',')}?${query.join('&')}`,
      lines: [...lines, ...(auth ? [`Authorization: ${auth}`] : []), ...(inUrl ? [] : [`Content-Type: ${type}`])],
      body: inUrl ? undefined : Buffer.from(text),
      sent: text,
    })
  },
}

function serialized(envelopes: unknown[], shape: Guess['shape']): string {
  if (shape === 'numbered') return JSON.stringify(Object.fromEntries(envelopes.map((one, at) => [at, one])))
  if (shape === 'list') return JSON.stringify(envelopes)
  const first = JSON.stringify(envelopes[0]) ?? ''
  return shape === 'first' ? first : first.slice(0, -1)
}
