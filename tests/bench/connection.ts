import { connect, type Socket } from 'node:net'

export type RequestSpec = { path: string; method?: 'GET' | 'POST'; headers?: Record<string, string>; body?: Buffer }
export type RawResponse = { status: number; head: string; body: Buffer }

const HEAD_END = Buffer.from('\r\n\r\n')

/** Encodes a request in advance, so that the load generator only sends bytes. */
export function encode({ path, method = 'GET', headers = {}, body }: RequestSpec): Buffer {
  const length = body || method === 'POST' ? { 'content-length': String(body?.length ?? 0) } : {}
  const lines = Object.entries({ host: 'localhost', ...headers, ...length }).map(([name, value]) => `${name}: ${value}`)
  const head = Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`, 'latin1')
  return body ? Buffer.concat([head, body]) : head
}

/** Sends one request that is not measured. The response body stays compressed. */
export async function sendOnce(
  port: number,
  spec: RequestSpec,
): Promise<RawResponse & { headers: Record<string, string> }> {
  const connection = new Connection(port)
  try {
    const response = await connection.send(encode(spec))
    const lines = response.head.split('\r\n').slice(1)
    const headers = lines.map((line) => [
      line.slice(0, line.indexOf(': ')).toLowerCase(),
      line.slice(line.indexOf(': ') + 2),
    ])
    return { ...response, body: response.body, headers: Object.fromEntries(headers) }
  } finally {
    connection.close()
  }
}

/**
 * Sends one request at a time over a persistent connection. Uses much less CPU time than Node's client, so that the
 * load generator is not the bottleneck. Parses only responses with a Content-Length.
 */
export class Connection {
  readonly #socket: Socket
  #chunks: Buffer[] = []
  #missing = -1
  #status = 0
  #head = ''
  #done: ((response: RawResponse) => void) | null = null
  #failed: ((error: Error) => void) | null = null

  constructor(port: number) {
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true })
    this.#socket.on('data', (chunk) => this.#take(chunk))
    this.#socket.on('error', (error) => this.#failed?.(error))
    this.#socket.on('close', () => this.#failed?.(new Error('The connection was closed before the response')))
  }

  /** @throws Error if the connection ends before the response */
  send(request: Buffer): Promise<RawResponse> {
    return new Promise((resolve, reject) => {
      this.#done = resolve
      this.#failed = reject
      this.#missing = -1
      this.#socket.write(request)
    })
  }

  close(): void {
    this.#failed = null
    this.#socket.destroy()
  }

  #take(chunk: Buffer): void {
    if (this.#missing >= 0) {
      this.#add(chunk)
      return
    }
    const whole = this.#chunks.length > 0 ? Buffer.concat([...this.#chunks, chunk]) : chunk
    const end = whole.indexOf(HEAD_END)
    if (end < 0) {
      this.#chunks = [whole]
      return
    }
    this.#chunks = []
    this.#head = whole.toString('latin1', 0, end)
    this.#status = Number(this.#head.slice(9, 12))
    const length = /\r\ncontent-length: (\d+)/i.exec(this.#head)?.[1]
    if (length === undefined && this.#status !== 304) {
      this.#failed?.(new Error(`Response without Content-Length: ${this.#head}`))
      this.close()
      return
    }
    this.#missing = this.#status === 304 ? 0 : Number(length)
    this.#add(whole.subarray(end + HEAD_END.length))
  }

  #add(chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#missing -= chunk.length
    if (this.#missing > 0) return
    const [chunks, done] = [this.#chunks, this.#done]
    this.#chunks = []
    this.#done = null
    this.#failed = null
    done?.({
      status: this.#status,
      head: this.#head,
      get body() {
        return Buffer.concat(chunks)
      },
    })
  }
}
