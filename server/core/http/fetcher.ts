import { isUtf8 } from 'node:buffer'
import { type IncomingHttpHeaders, type IncomingMessage, type RequestOptions, request as requestPlain } from 'node:http'
import { request as requestEncrypted } from 'node:https'
import { isIP } from 'node:net'
import { pipeline, type Readable } from 'node:stream'
import { createBrotliDecompress, createUnzip } from 'node:zlib'
import { isPublicAddress, PrivateAddressError, publicLookup } from '#server/core/security/publicAddress.ts'
import { IcySocket } from './icySocket.ts'

/** The message is for the log and never contains a URL. */
export class FetchFailed extends Error {
  override name = 'FetchFailed'
}

export type OpenOptions = {
  /** sent by POST; without it, the method is GET. Use it with `maxRedirects: 0` */
  body?: Uint8Array
  headers?: Record<string, string>
  signal?: AbortSignal
  /** maximum ms until the last response's headers arrive, including redirects */
  headMs: number
  /** maximum ms without a byte of the body */
  silenceMs: number
  maxRedirects: number
  /** whether to follow a redirect; by default, all are followed */
  follows?: (from: URL, to: URL) => boolean
  /** whether the operator configured the URL; only then may it be in a private network. Also called for redirects */
  trusts?: (url: URL) => boolean
  /** whether to accept the status line of SHOUTcast 1, over http only */
  acceptIcy?: boolean
}
export type OpenResponse = {
  status: number
  headers: IncomingHttpHeaders
  url: URL
  /** URL after the permanent redirects that came first; null if there were none */
  movedTo: URL | null
  body: Readable
}

export type ReadOptions = Omit<OpenOptions, 'headMs' | 'silenceMs'> & {
  /** maximum ms for the whole response */
  totalMs: number
  /** maximum size after decompression */
  maxBytes: number
  /** whether to return the beginning of a longer body instead of throwing */
  truncate?: boolean
}
export type ReadResponse = Omit<OpenResponse, 'body'> & { bytes: Buffer }

export type Fetcher = ReturnType<typeof createFetcher>

const PERMANENT_REDIRECTS = [301, 308]
const REDIRECTS = [...PERMANENT_REDIRECTS, 302, 303, 307]
const EMPTY = [204, 304]
const CREDENTIAL_HEADERS = ['authorization', 'cookie']
/** Content encodings of a plain body. Only the first two are valid, but some servers send the others. */
const UNCOMPRESSED = ['', 'identity', 'none', 'utf-8']
/** Limits 1xx responses, because a flood of them would use up CPU time. */
const MAX_INFORMATIONAL = 20

/** Prevents SSRF: allows only http and https, blocks private networks, and limits time, bytes and redirects. */
export function createFetcher() {
  const closing = new AbortController()

  /** @throws FetchFailed */
  async function open(url: URL, options: OpenOptions): Promise<OpenResponse> {
    const head = new AbortController()
    const timer = setTimeout(() => head.abort(new FetchFailed('no answer in time')), options.headMs)
    const signals = [head.signal, closing.signal, ...(options.signal ? [options.signal] : [])]
    const signal = AbortSignal.any(signals)
    try {
      return await follow(url, { ...options, signal })
    } catch (error) {
      throw toFetchFailed(error, signal)
    } finally {
      clearTimeout(timer)
    }
  }

  async function follow(start: URL, options: OpenOptions): Promise<OpenResponse> {
    let url = start
    let movedTo: URL | null = null
    let isPermanent = true
    let headers = options.headers ?? {}
    for (let hops = 0; ; hops++) {
      const answer = await send(url, { ...options, headers })
      const { location } = answer.headers
      if (!REDIRECTS.includes(answer.status) || typeof location !== 'string') return { ...answer, movedTo }
      answer.body.destroy()
      const next = parseLocation(location, url)
      if (!next || hops >= options.maxRedirects) throw new FetchFailed('redirected too often, or nowhere')
      if (options.follows && !options.follows(url, next)) throw new FetchFailed('redirected elsewhere')
      if (!isSameServer(url, next)) headers = withoutCredentials(headers)
      isPermanent &&= PERMANENT_REDIRECTS.includes(answer.status)
      if (isPermanent) movedTo = next
      url = next
    }
  }

  return {
    open,

    /** @throws FetchFailed */
    async read(url: URL, { totalMs, maxBytes, truncate = false, ...options }: ReadOptions): Promise<ReadResponse> {
      const time = AbortSignal.timeout(totalMs)
      const signal = options.signal ? AbortSignal.any([time, options.signal]) : time
      const { body, ...answer } = await open(url, { ...options, signal, headMs: totalMs, silenceMs: totalMs })
      try {
        // Some servers name an encoding of the empty body, too.
        const encoding = EMPTY.includes(answer.status) ? undefined : answer.headers['content-encoding']
        return { ...answer, bytes: await collect(decompress(body, encoding), maxBytes, truncate) }
      } catch (error) {
        throw toFetchFailed(error, signal)
      } finally {
        body.destroy()
      }
    },

    /**
     * Returns only the status. The body is read too, because some servers stop their work when the client disconnects,
     * but an invalid or longer body is not an error.
     * @throws FetchFailed
     */
    async readStatus(url: URL, { totalMs, maxBytes, ...options }: Omit<ReadOptions, 'truncate'>): Promise<number> {
      const time = AbortSignal.timeout(totalMs)
      const signal = options.signal ? AbortSignal.any([time, options.signal]) : time
      const { status, body } = await open(url, { ...options, signal, headMs: totalMs, silenceMs: totalMs })
      await collect(body, maxBytes, true).catch(() => {})
      return status
    },

    async close() {
      closing.abort(new FetchFailed('the site is closing'))
    },
  }
}

/** Returns whether a URL has the same origin, or the same host with https on the default port. */
export const isSameServer = (from: URL, to: URL): boolean =>
  to.origin === from.origin || (from.port === '' && to.origin === `https://${from.hostname}`)

/** Node decodes headers as Latin-1, but browsers read a Location as UTF-8. */
function parseLocation(header: string, base: URL): URL | null {
  const bytes = Buffer.from(header, 'latin1')
  const location = isUtf8(bytes) ? bytes.toString() : header
  return URL.canParse(location, base) ? new URL(location, base) : null
}

/** Sends one request. Does not reuse connections: requests are seconds apart, and an idle connection may be dead. */
function send(url: URL, options: OpenOptions): Promise<Omit<OpenResponse, 'movedTo'>> {
  const { body: sent, headers, signal, silenceMs, trusts, acceptIcy } = options
  const trusted = trusts?.(url) ?? false
  checkAddress(url, trusted)
  const lookup = trusted ? undefined : publicLookup
  const isEncrypted = url.protocol === 'https:'
  const open = isEncrypted ? requestEncrypted : requestPlain
  const method = sent ? 'POST' : 'GET'
  const connection = acceptIcy && !isEncrypted ? { createConnection: connectIcy } : { agent: false }
  return new Promise((resolve, reject) => {
    let response: IncomingMessage | undefined
    const request = open(url, { method, headers, signal, lookup, ...connection }, (body) => {
      response = body
      // An error without a listener would end the process.
      body.on('error', () => {})
      limitSilence(body, silenceMs)
      resolve({ status: body.statusCode ?? 0, headers: body.headers, url, body })
    })
    let informational = 0
    request.on('information', () => {
      if (++informational > MAX_INFORMATIONAL) request.destroy(new FetchFailed('too many informational responses'))
    })
    request.on('error', (error) => {
      // Without this, Node ends a body of unknown length as if it were complete when the connection breaks.
      if (response && !response.complete) response.destroy(error)
      reject(error)
    })
    request.end(sent)
  })
}

const connectIcy = ({ host, port, lookup }: RequestOptions) =>
  new IcySocket().connect({ host: host ?? undefined, port: Number(port), lookup })

/** Aborts a body when the server sends nothing for too long. Does not abort it when the reader is slow. */
function limitSilence(body: IncomingMessage, silenceMs: number): void {
  const { socket } = body
  socket.setTimeout(silenceMs)
  // Use a listener: the timeout can occur again, but `socket.setTimeout` calls its own callback only once.
  socket.on('timeout', () => {
    const { bytesRead } = socket
    // When this process was busy, the timer runs before bytes that have already arrived are read.
    setImmediate(() => {
      if (body.readableLength > 0 || socket.bytesRead > bytesRead) socket.setTimeout(silenceMs)
      else body.destroy(new FetchFailed('silent for too long'))
    })
  })
}

function checkAddress(url: URL, trusted: boolean): void {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new FetchFailed('neither http nor https')
  if (url.username || url.password) throw new FetchFailed('a URL with credentials')
  const host = url.hostname.replace(/^\[|\]$/g, '')
  // Node does not call `lookup` for IP addresses, so check them here.
  if (!trusted && isIP(host) && !isPublicAddress(host)) throw new FetchFailed('not a public address')
}

const withoutCredentials = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !CREDENTIAL_HEADERS.includes(name.toLowerCase())))

const normalizeEncoding = (header: string | undefined) => (header ?? '').trim().toLowerCase()

export const isUncompressed = (contentEncoding: string | undefined): boolean =>
  UNCOMPRESSED.includes(normalizeEncoding(contentEncoding))

/** Decompresses a body. The caller limits the decompressed bytes, to stop decompression bombs. */
function decompress(body: Readable, header: string | undefined): Readable {
  if (isUncompressed(header)) return body
  const encoding = normalizeEncoding(header)
  const decompressor =
    encoding === 'gzip' || encoding === 'x-gzip' || encoding === 'deflate'
      ? createUnzip()
      : encoding === 'br'
        ? createBrotliDecompress()
        : null
  if (!decompressor) throw new FetchFailed('unknown content encoding')
  return pipeline(body, decompressor, () => {})
}

async function collect(body: Readable, maxBytes: number, truncate: boolean): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > maxBytes && !truncate) throw new FetchFailed('too large')
    chunks.push(chunk)
    if (length > maxBytes) break
  }
  return Buffer.concat(chunks, Math.min(length, maxBytes))
}

/** Keeps only the codes of network errors: their messages contain IP addresses that may be private. */
function toFetchFailed(error: unknown, signal: AbortSignal): FetchFailed {
  if (error instanceof FetchFailed) return error
  if (error instanceof PrivateAddressError) return new FetchFailed(error.message)
  if (signal.aborted) return signal.reason instanceof FetchFailed ? signal.reason : new FetchFailed('no answer in time')
  const { code, name } = error as { code?: unknown; name?: unknown }
  return new FetchFailed(String(code ?? name ?? 'unknown'))
}
