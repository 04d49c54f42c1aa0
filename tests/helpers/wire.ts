import { connect, type Socket } from 'node:net'

/** One answer as it came over the connection; names of headers in lower case, a repeated one joined by ', '. */
export type WireAnswer = { status: number; headers: Record<string, string>; body: Buffer }

/** What came back until the connection ended, or until `enough`. */
export type Exchange = { answers: WireAnswer[]; bytes: Buffer; ms: number }

type Options = {
  /** ends our side after the last byte, as a client does that breaks off */
  half?: boolean
  /** resolves as soon as the first head is there, for answers that never end */
  headOnly?: boolean
  /** fails when the connection is still open after so long */
  withinMs?: number
  /** what the answers belong to: one to HEAD has a length and no body */
  method?: string
}

const open = (origin: string): Socket => {
  const { hostname, port } = new URL(origin)
  return connect(Number(port), hostname)
}

/** Head of a request as its bytes, line by line as given; without a `Host` line among them there is one. */
export const headOf = (method: string, target: string, lines: string[] = []): Buffer => {
  const host = lines.some((line) => /^host:/i.test(line)) ? [] : ['Host: localhost']
  return Buffer.from([`${method} ${target} HTTP/1.1`, ...host, ...lines, '', ''].join('\r\n'), 'latin1')
}

/** Sends bytes and reads until the server ends the connection; a reset counts as an end. */
export function exchange(origin: string, sent: Uint8Array[], options: Options = {}): Promise<Exchange> {
  const { half = false, headOnly = false, withinMs = 20_000, method } = options
  return new Promise((resolve, reject) => {
    const socket = open(origin)
    const started = performance.now()
    const received: Buffer[] = []
    const end = () => {
      clearTimeout(timer)
      socket.destroy()
      const bytes = Buffer.concat(received)
      try {
        resolve({ answers: readAnswers(bytes, method), bytes, ms: performance.now() - started })
      } catch (error) {
        reject(error)
      }
    }
    const timer = setTimeout(() => {
      socket.destroy()
      reject(new Error(`Still open after ${withinMs} ms; came: ${Buffer.concat(received).toString('latin1', 0, 400)}`))
    }, withinMs)
    socket.on('data', (chunk) => {
      received.push(chunk)
      const text = headOnly ? Buffer.concat(received).toString('latin1') : ''
      // An interim answer is no answer yet.
      if (headOnly && /(^|\r\n\r\n)HTTP\/1\.1 [2-5]\d\d [\s\S]*\r\n\r\n/.test(text)) end()
    })
    socket.on('error', () => {})
    socket.on('close', end)
    for (const bytes of sent) socket.write(bytes)
    if (half) socket.end()
  })
}

/** Asks once over a connection of its own. */
export async function ask(
  origin: string,
  method: string,
  target: string,
  { lines = [], body, ...options }: { lines?: string[]; body?: Uint8Array } & Options = {},
): Promise<WireAnswer> {
  const length = body ? [`Content-Length: ${body.length}`] : []
  const head = headOf(method, target, ['Connection: close', ...length, ...lines])
  const { answers, bytes } = await exchange(origin, body ? [head, body] : [head], { method, ...options })
  const answer = answers.find(({ status }) => status >= 200)
  if (!answer) throw new Error(`No answer to ${method} ${target.slice(0, 200)}: ${bytes.toString('latin1', 0, 200)}`)
  return answer
}

/** Answers in what came; `method` of the request, for one to HEAD has a length and no body. */
export function readAnswers(bytes: Buffer, method?: string): WireAnswer[] {
  const answers: WireAnswer[] = []
  for (let rest = bytes; rest.length > 0; ) {
    const end = rest.indexOf('\r\n\r\n')
    const [first = '', ...lines] = rest.toString('latin1', 0, end < 0 ? rest.length : end).split('\r\n')
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1])
    if (end < 0 || !status) throw new Error(`No answer: ${rest.toString('latin1', 0, 300)}`)
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
    answers.push({ status, headers, body })
    rest = rest.subarray(used)
  }
  return answers
}

/** Pieces put together, and how many bytes they took; one that is cut off ends there. */
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
