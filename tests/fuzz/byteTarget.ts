import fc from 'fast-check'
import { FORM_TYPE, fieldPart, formBody } from '#tests/helpers/multipart.ts'
import { encodeHead, sendRaw } from '#tests/helpers/rawHttp.ts'
import type { FuzzContext } from './fuzzContext.ts'
import type { Target } from './fuzzTarget.ts'
import { checkRawResponses } from './responseChecks.ts'

/** Bytes that have a meaning to an HTTP parser, and invalid bytes. */
const TOKENS = [
  '\r\n',
  '\n',
  '\r',
  '\0',
  ' ',
  '\t',
  ':',
  ',',
  ';',
  '%',
  '/',
  '\xff',
  '\r\n\r\n',
  'HTTP/1.1',
  'HTTP/1.0',
  'HEAD ',
  'Content-Length: 5\r\n',
  'Content-Length: 99999999999999999999\r\n',
  'Transfer-Encoding: chunked\r\n',
  'Transfer-Encoding: identity\r\n',
  'Expect: 100-continue\r\n',
  'Connection: keep-alive, close, upgrade\r\n',
  'Upgrade: websocket\r\n',
  'Host: other\r\n',
  '0\r\n\r\n',
  'ffffffffffffffff\r\n',
  'x'.repeat(17_000),
  'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n',
]

type Change = { at: number; kind: 'insert' | 'replace' | 'delete' | 'repeat'; token: number; length: number }
type Input = { template: number; changes: Change[]; cut: number | null; pieces: number }

/** Sends raw requests, some of them changed, truncated or split. */
export const byteTarget: Target<Input> = {
  name: 'bytes',
  inputs: () =>
    fc.record({
      template: fc.nat(100),
      changes: fc.array(
        fc.record({
          at: fc.nat(1000),
          kind: fc.constantFrom('insert', 'replace', 'delete', 'repeat'),
          token: fc.nat(TOKENS.length - 1),
          length: fc.nat(20),
        }),
        { maxLength: 4 },
      ),
      cut: fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fc.nat(400) }),
      pieces: fc.integer({ min: 1, max: 4 }),
    }),
  sendInput: async (context, { template, changes, cut, pieces }) => {
    const all = templates(context)
    const changed = changes.reduce(applyChange, all[template % all.length] ?? Buffer.alloc(0))
    const bytes = changed.subarray(0, cut ?? changed.length)
    const size = Math.max(1, Math.ceil(bytes.length / pieces))
    const sent = Array.from({ length: pieces }, (_, at) => bytes.subarray(at * size, (at + 1) * size))
    const answer = await sendRaw(context.origin, sent, { halfClose: true, timeoutMs: 15_000 })
    return checkRawResponses(context, answer.bytes, bytes.toString('latin1'))
  },
}

function templates({ known, token }: FuzzContext): Buffer[] {
  const { boardId, threadId, upload } = known
  const threads = `/api/dtpchan/boards/${boardId}/threads`
  const json = Buffer.from('{"content":"text","expiryHours":1}')
  const form = formBody(fieldPart('content', 'text'), fieldPart('author', 'me'))
  return [
    encodeHead('GET', '/'),
    encodeHead('GET', `/dtpchan/board/${boardId}/thread/${threadId}?x=%20`, [
      'Accept-Encoding: br',
      'If-None-Match: "x"',
    ]),
    encodeHead('GET', upload, ['Range: bytes=0-9']),
    encodeHead('HEAD', threads),
    encodeHead('GET', '/trpc/board.list?batch=1&input=%7B%7D', ['trpc-accept: application/jsonl']),
    Buffer.concat([
      encodeHead('POST', '/api/paste', ['Content-Type: application/json', `Content-Length: ${json.length}`]),
      json,
    ]),
    Buffer.concat([
      encodeHead('POST', `${threads}/${threadId}/comments`, [
        `Content-Type: ${FORM_TYPE}`,
        `Content-Length: ${form.length}`,
      ]),
      form,
    ]),
    Buffer.concat([
      encodeHead('POST', '/api/paste', ['Content-Type: text/plain', 'Transfer-Encoding: chunked']),
      Buffer.from('5;a=b\r\nhello\r\n0\r\nX: y\r\n\r\n'),
    ]),
    encodeHead('DELETE', `${threads}/999`, [`Authorization: Bearer ${token}`]),
    Buffer.concat([encodeHead('GET', '/healthz'), encodeHead('GET', '/robots.txt'), encodeHead('GET', '/readyz')]),
  ]
}

function applyChange(bytes: Buffer, { at, kind, token, length }: Change): Buffer {
  const offset = bytes.length === 0 ? 0 : at % bytes.length
  const head = bytes.subarray(0, offset)
  const inserted = Buffer.from(TOKENS[token] ?? '', 'latin1')
  if (kind === 'insert') return Buffer.concat([head, inserted, bytes.subarray(offset)])
  if (kind === 'replace') return Buffer.concat([head, inserted, bytes.subarray(offset + inserted.length)])
  if (kind === 'delete') return Buffer.concat([head, bytes.subarray(offset + length)])
  return Buffer.concat([bytes.subarray(0, offset + length), bytes.subarray(offset)])
}
