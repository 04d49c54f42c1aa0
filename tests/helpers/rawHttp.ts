import { connect, type Socket } from 'node:net'

/** A parsed response. Header names are in lower case; repeated headers are joined with ', '. */
export type RawResponse = { status: number; headers: Record<string, string>; body: Buffer }

/** Everything received until the connection ended or, with `untilHead`, until the first response head. */
export type RawExchange = { responses: RawResponse[]; bytes: Buffer; ms: number }

type Options = {
  /** half-closes the connection after sending; the server can still respond */
  halfClose?: boolean
  /** resolves after the first response head, for responses that never end */
  untilHead?: boolean
  /** rejects if the connection is still open after this time, in ms */
  timeoutMs?: number
  /** request method; the parser expects no body after HEAD, even with a Content-Length */
  method?: string
}

const open = (origin: string): Socket => {
  const { hostname, port } = new URL(origin)
  return connect(Number(port), hostname)
}

/** Encodes a request head with the given header lines. Adds `Host` if it is missing. */
export const encodeHead = (method: string, target: string, lines: string[] = []): Buffer => {
  const host = lines.some((line) => /^host:/i.test(line)) ? [] : ['Host: localhost']
  return Buffer.from([`${method} ${target} HTTP/1.1`, ...host, ...lines, '', ''].join('\r\n'), 'latin1')
}

/** Sends bytes and reads until the server closes or resets the connection. */
export function sendRaw(origin: string, sent: (string | Uint8Array)[], options: Options = {}): Promise<RawExchange> {
  const { halfClose = false, untilHead = false, timeoutMs = 20_000, method } = options
  return new Promise((resolve, reject) => {
    const socket = open(origin)
    const started = performance.now()
    const received: Buffer[] = []
    const end = () => {
      clearTimeout(timer)
      socket.destroy()
      const bytes = Buffer.concat(received)
      try {
        resolve({ responses: parseResponses(bytes, method), bytes, ms: performance.now() - started })
      } catch (error) {
        reject(error)
      }
    }
    const timer = setTimeout(() => {
      socket.destroy()
      reject(
        new Error(`Still open after ${timeoutMs} ms; received: ${Buffer.concat(received).toString('latin1', 0, 400)}`),
      )
    }, timeoutMs)
    socket.on('data', (chunk) => {
      received.push(chunk)
      const text = untilHead ? Buffer.concat(received).toString('latin1') : ''
      // ignores interim (1xx) responses
      if (untilHead && /(^|\r\n\r\n)HTTP\/1\.1 [2-5]\d\d [\s\S]*\r\n\r\n/.test(text)) end()
    })
    socket.on('error', () => {})
    socket.on('close', end)
    for (const bytes of sent) socket.write(bytes)
    if (halfClose) socket.end()
  })
}

/** Sends one request over a new connection. */
export async function requestRaw(
  origin: string,
  method: string,
  target: string,
  { lines = [], body, ...options }: { lines?: string[]; body?: Uint8Array } & Options = {},
): Promise<RawResponse> {
  const length = body ? [`Content-Length: ${body.length}`] : []
  const head = encodeHead(method, target, ['Connection: close', ...length, ...lines])
  const { responses, bytes } = await sendRaw(origin, body ? [head, body] : [head], { method, ...options })
  const answer = responses.find(({ status }) => status >= 200)
  if (!answer) throw new Error(`No response to ${method} ${target.slice(0, 200)}: ${bytes.toString('latin1', 0, 200)}`)
  return answer
}

/** Parses a body that is a JSON object, and returns any other body as text. */
// biome-ignore lint/suspicious/noExplicitAny: tests read responses as any client would
export const parseBody = ({ body }: RawResponse): any => (body[0] === 0x7b ? JSON.parse(String(body)) : String(body))

/** Parses all responses. @param method request method; HEAD responses can have a Content-Length, but no body */
export function parseResponses(bytes: Buffer, method?: string): RawResponse[] {
  const responses: RawResponse[] = []
  for (let rest = bytes; rest.length > 0; ) {
    const end = rest.indexOf('\r\n\r\n')
    const [first = '', ...lines] = rest.toString('latin1', 0, end < 0 ? rest.length : end).split('\r\n')
    const status = Number(/^HTTP\/1\.[01] (\d{3}) /.exec(first)?.[1])
    if (end < 0 || !status) throw new Error(`Not a response: ${rest.toString('latin1', 0, 300)}`)
    const headers: Record<string, string> = {}
    for (const line of lines) {
      const name = line.slice(0, line.indexOf(':')).toLowerCase()
      const value = line.slice(line.indexOf(':') + 1).trim()
      headers[name] = name in headers ? `${headers[name]}, ${value}` : value
    }
    rest = rest.subarray(end + 4)
    const none = method === 'HEAD' || status < 200 || status === 204 || status === 304
    const chunked = !none && headers['transfer-encoding'] === 'chunked'
    const length = none ? 0 : Number(headers['content-length'] ?? rest.length)
    const [body, used] = chunked ? unchunk(rest) : [rest.subarray(0, length), Math.min(length, rest.length)]
    responses.push({ status, headers, body })
    rest = rest.subarray(used)
  }
  return responses
}

/** Decodes a chunked body and returns it with the number of bytes read. Accepts a truncated body. */
function unchunk(bytes: Buffer): [body: Buffer, used: number] {
  const pieces: Buffer[] = []
  for (let at = 0; ; ) {
    const line = bytes.indexOf('\r\n', at)
    const size = Number.parseInt(bytes.toString('latin1', at, line < 0 ? at : line), 16)
    if (!(size > 0)) return [Buffer.concat(pieces), line < 0 ? bytes.length : Math.min(line + 4, bytes.length)]
    pieces.push(bytes.subarray(line + 2, line + 2 + size))
    at = line + 2 + size + 2
  }
}
