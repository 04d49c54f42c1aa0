import fc, { type Arbitrary } from 'fast-check'
import { encodeHead, sendRaw } from '#tests/helpers/rawHttp.ts'
import type { Target } from './fuzzTarget.ts'
import { checkRawResponses } from './responseChecks.ts'
import { wildText } from './values.ts'

const BOUNDARY = 'edge'

/** `Content-Disposition` values. Most of them are from the site's forms. */
const disposition = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .constantFrom('title', 'content', 'author', 'links', 'captchaAnswer', 'challengeId', 'expiryHours')
      .map((name) => `form-data; name="${name}"`),
  },
  { weight: 2, arbitrary: fc.constant('form-data; name="image"; filename="a.png"') },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      'form-data',
      'form-data; name',
      'form-data; name=title',
      'form-data; name="title',
      'form-data; name=""',
      'form-data; name="__proto__"',
      'form-data; name="title"; name="content"',
      'attachment; name="title"',
      'form-data; name="image"; filename=""',
      'form-data; name="image"; filename*=UTF-8\'\'%e2%82%ac.png',
      'form-data; name="image"; filename*=utf-16\'x\'%00%ff',
      "form-data; name*=UTF-8''%FF%FE",
      'form-data; name="image"; filename="../../../etc/passwd"',
      'form-data; name="image"; filename="C:\\\\a\\"b.png"',
      `form-data; name="${'n'.repeat(2000)}"`,
      `form-data; name="image"; filename="${'f'.repeat(20_000)}"`,
      `form-data${'; a=b'.repeat(2000)}`,
    ),
  },
  { weight: 1, arbitrary: wildText.map((text) => `form-data; name="${text}"`) },
)
const lines = fc.array(
  fc.constantFrom(
    'Content-Type: image/png',
    'Content-Type: IMAGE/x',
    'Content-Type: text/plain; charset=utf-7',
    'Content-Type: text/plain; charset="\xff',
    'Content-Type: multipart/mixed; boundary=inner',
    'Content-Type: multipart/form-data; boundary=edge',
    'Content-Transfer-Encoding: base64',
    'Content-Transfer-Encoding: quoted-printable',
    'Content-Length: 5',
    'X',
    ': x',
    ' folded: x',
    `X-Bomb: ${'x'.repeat(90_000)}`,
    ...Array.from({ length: 3 }, (_, index) => `X-${index}: y`),
  ),
  { maxLength: 3 },
)
const content = fc.oneof(
  { weight: 4, arbitrary: wildText },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '--edge',
      '--edge--',
      '\r\n--edge',
      '\r\n--edg',
      '--inner\r\n\r\nx\r\n--inner--',
      '\r\n\r\n',
      '\0'.repeat(100),
    ),
  },
  { weight: 1, arbitrary: fc.nat(600_000).map((length) => 'x'.repeat(length)) },
)
const part = fc.record({ disposition, lines, content, ending: fc.constantFrom('\r\n', '\r\n', '\r\n', '\n', '') })

type Part = { disposition: string; lines: string[]; content: string; ending: string }
type Input = {
  path: string
  type: string
  parts: Part[]
  /** whether the form starts with valid fields and a solved captcha */
  hasValidForm: boolean
  last: string
  before: string
  /** declared length minus actual length, in bytes */
  lengthError: number
  chunked: boolean
}

/** Sends multipart forms with boundaries, part headers, lengths and endings that browsers never send. */
export const formTarget: Target<Input> = {
  name: 'forms',
  inputs: ({ known }) =>
    fc.record({
      path: fc.constantFrom(
        `/api/dtpchan/boards/${known.boardId}/threads`,
        `/api/dtpchan/boards/${known.boardId}/threads/${known.threadId}/comments`,
        '/api/paste',
        '/api/image-share',
        '/trpc/board.createThread',
      ),
      type: fc.oneof(
        { weight: 5, arbitrary: fc.constant(`multipart/form-data; boundary=${BOUNDARY}`) },
        {
          weight: 1,
          arbitrary: fc.constantFrom(
            'multipart/form-data',
            'multipart/form-data; boundary=',
            'multipart/form-data; boundary=other',
            'multipart/form-data; boundary="edge"',
            'multipart/form-data; boundary=edge; boundary=other',
            'multipart/form-data; charset=utf-16; boundary=edge',
            `multipart/form-data; boundary=${'b'.repeat(5000)}`,
            'multipart/mixed; boundary=edge',
            'Multipart/Form-Data; BOUNDARY=edge',
          ),
        },
      ),
      parts: parts(),
      hasValidForm: fc.boolean(),
      last: fc.oneof(
        { weight: 4, arbitrary: fc.constant('--edge--\r\n') },
        {
          weight: 1,
          arbitrary: fc.constantFrom('--edge--', '--edge-', '--edge\r\n', '', '--edge--\r\n--edge--\r\nepilogue'),
        },
      ),
      before: fc.oneof(
        { weight: 4, arbitrary: fc.constant('') },
        { weight: 1, arbitrary: fc.constantFrom('preamble\r\n', '\r\n', '--edge') },
      ),
      lengthError: fc.oneof(
        { weight: 4, arbitrary: fc.constant(0) },
        { weight: 1, arbitrary: fc.integer({ min: -40, max: 40 }) },
      ),
      chunked: fc.boolean(),
    }),
  sendInput: async (context, input) => {
    const before = input.hasValidForm ? validParts({ ...VALID_FIELDS, ...(await context.solve()) }) : []
    const body = bodyOf({ ...input, parts: [...before, ...input.parts] })
    const length = frameBody(input, body)
    const sent = [
      encodeHead('POST', input.path, [`Content-Type: ${input.type}`, 'Connection: close', length.line]),
      length.body,
    ]
    // Closes the sending side if the server expects more bytes, because it would wait for them.
    // After a chunk with a wrong length, it expects another chunk.
    const promisesMore = input.lengthError > 0 || (input.chunked && input.lengthError !== 0)
    const { bytes } = await sendRaw(context.origin, sent, { halfClose: promisesMore, timeoutMs: 15_000 })
    return checkRawResponses(context, bytes, Buffer.concat(sent).toString())
  },
}

const VALID_FIELDS = { title: 'A title', content: 'text', author: 'me', expiryHours: '1', language: 'plain' }

const validParts = (fields: Record<string, string>): Part[] =>
  Object.entries(fields).map(([name, content]) => ({
    disposition: `form-data; name="${name}"`,
    lines: [],
    content,
    ending: '\r\n',
  }))

function parts(): Arbitrary<Part[]> {
  const bomb = fc.constant(
    Array.from({ length: 10_000 }, () => ({
      disposition: 'form-data; name="x"',
      lines: [],
      content: '',
      ending: '\r\n',
    })),
  )
  return fc.oneof(
    { weight: 20, arbitrary: fc.array(part, { maxLength: 5 }) },
    { weight: 10, arbitrary: fc.constant<Part[]>([]) },
    { weight: 1, arbitrary: bomb },
  )
}

function bodyOf({ before, parts, last }: Input): Buffer {
  const written = parts.map(({ disposition, lines, content, ending }) =>
    [`--${BOUNDARY}`, `Content-Disposition: ${disposition}`, ...lines, '', content].join('\r\n').concat(ending),
  )
  return Buffer.from(`${before}${written.join('')}${last}`)
}

function frameBody({ chunked, lengthError }: Input, body: Buffer): { line: string; body: Buffer } {
  if (!chunked) return { line: `Content-Length: ${Math.max(0, body.length + lengthError)}`, body }
  const size = Buffer.from(`${Math.max(0, body.length + lengthError).toString(16)}\r\n`)
  return { line: 'Transfer-Encoding: chunked', body: Buffer.concat([size, body, Buffer.from('\r\n0\r\n\r\n')]) }
}
