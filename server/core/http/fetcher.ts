import { get as getPlain, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { get as getEncrypted } from 'node:https'
import { isIP } from 'node:net'
import { pipeline, type Readable } from 'node:stream'
import { createBrotliDecompress, createUnzip } from 'node:zlib'
import { isPublicAddress, PrivateAddressError, publicLookup } from '#server/core/security/publicAddress.ts'

/** Why something could not be had; the message is for our log and names no address. */
export class FetchFailed extends Error {
  override name = 'FetchFailed'
}

export type OpenOptions = {
  headers?: Record<string, string>
  /** ends everything, the body too */
  signal?: AbortSignal
  /** ms until the head of the last answer has come, redirects included */
  headMs: number
  /** ms without a byte after which the body ends with an error */
  silenceMs: number
  /** most redirects that are followed */
  redirects: number
  /** whether a redirect is followed; without it, any */
  follows?: (from: URL, to: URL) => boolean
  /** addresses that may be inside the house, because the operator gave them; asked at each redirect too */
  trusts?: (url: URL) => boolean
}
export type Opened = { status: number; headers: IncomingHttpHeaders; url: URL; body: Readable }

export type ReadOptions = Omit<OpenOptions, 'headMs' | 'silenceMs'> & {
  /** for the whole answer */
  totalMs: number
  /** most bytes of the body, unpacked */
  bytes: number
  /** of a longer body the beginning is enough, where otherwise it is refused */
  cut?: boolean
}
export type Read = Omit<Opened, 'body'> & { bytes: Buffer }

export type Fetcher = {
  /** Opens an answer whose body may have no end. @throws FetchFailed */
  open: (url: URL, options: OpenOptions) => Promise<Opened>
  /** Reads a whole answer. @throws FetchFailed */
  read: (url: URL, options: ReadOptions) => Promise<Read>
  /** ends what is under way */
  close: () => Promise<void>
}

const REDIRECTS = [301, 302, 303, 307, 308]
const NEVER_TO_ANOTHER = ['authorization', 'cookie']
/** Each 1xx before the answer is work, and a server can send them as fast as they are taken. */
const MAX_HINTS = 20

/**
 * The one way to ask other machines: http and https only, bounded in time, bytes and redirects, and never an address
 * inside the house, which a foreign text or a redirect could name.
 */
export function createFetcher(): Fetcher {
  const closing = new AbortController()

  async function open(url: URL, options: OpenOptions): Promise<Opened> {
    const head = new AbortController()
    const timer = setTimeout(() => head.abort(new FetchFailed('no answer in time')), options.headMs)
    const signals = [head.signal, closing.signal, ...(options.signal ? [options.signal] : [])]
    const signal = AbortSignal.any(signals)
    try {
      return await follow(url, { ...options, signal })
    } catch (error) {
      throw failed(error, signal)
    } finally {
      clearTimeout(timer)
    }
  }

  async function follow(start: URL, options: OpenOptions): Promise<Opened> {
    let url = start
    let headers = options.headers ?? {}
    for (let hops = 0; ; hops++) {
      const answer = await ask(url, { ...options, headers })
      const { location } = answer.headers
      if (!REDIRECTS.includes(answer.status) || typeof location !== 'string') return answer
      answer.body.destroy()
      const next = URL.canParse(location, url) ? new URL(location, url) : null
      if (!next || hops >= options.redirects) throw new FetchFailed('redirected too often, or nowhere')
      if (options.follows && !options.follows(url, next)) throw new FetchFailed('redirected elsewhere')
      if (!isSameServer(url, next)) headers = withoutSecrets(headers)
      url = next
    }
  }

  return {
    open,

    async read(url, { totalMs, bytes, cut = false, ...options }) {
      const time = AbortSignal.timeout(totalMs)
      const signal = options.signal ? AbortSignal.any([time, options.signal]) : time
      const { body, ...answer } = await open(url, { ...options, signal, headMs: totalMs, silenceMs: totalMs })
      try {
        return { ...answer, bytes: await collect(unpack(body, answer.headers['content-encoding']), bytes, cut) }
      } catch (error) {
        throw failed(error, signal)
      } finally {
        body.destroy()
      }
    },

    async close() {
      closing.abort(new FetchFailed('the site is closing'))
    },
  }
}

/** Whether an address is at the same server as another, or at its encrypted side on the usual ports. */
export const isSameServer = (from: URL, to: URL): boolean =>
  to.origin === from.origin || (from.port === '' && to.origin === `https://${from.hostname}`)

/** One request; no connection is kept: calls are seconds apart, and a kept one may be dead without our knowing. */
function ask(url: URL, { headers, signal, silenceMs, trusts }: OpenOptions): Promise<Opened> {
  const trusted = trusts?.(url) ?? false
  checkAddress(url, trusted)
  const lookup = trusted ? undefined : publicLookup
  const get = url.protocol === 'https:' ? getEncrypted : getPlain
  return new Promise((resolve, reject) => {
    const request = get(url, { headers, signal, lookup, agent: false }, (body) => {
      // A body that fails while nobody reads it must not end the process.
      body.on('error', () => {})
      expectBytes(body, silenceMs)
      resolve({ status: body.statusCode ?? 0, headers: body.headers, url, body })
    })
    let hints = 0
    request.on('information', () => {
      if (++hints > MAX_HINTS) request.destroy(new FetchFailed('only announces an answer'))
    })
    request.on('error', reject)
  })
}

/** Ends a body that stays silent; one whose reader takes its time is not silent. */
function expectBytes(body: IncomingMessage, silenceMs: number): void {
  const { socket } = body
  socket.setTimeout(silenceMs)
  // Not with `setTimeout`, which takes its listener away after the first time.
  socket.on('timeout', () => {
    if (body.readableLength > 0) socket.setTimeout(silenceMs)
    else body.destroy(new FetchFailed('silent for too long'))
  })
}

function checkAddress(url: URL, trusted: boolean): void {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new FetchFailed('neither http nor https')
  if (url.username || url.password) throw new FetchFailed('an address with a password in it')
  const host = url.hostname.replace(/^\[|\]$/g, '')
  // Names are looked at where they are looked up; an address needs no looking up.
  if (!trusted && isIP(host) && !isPublicAddress(host)) throw new FetchFailed('not a public address')
}

const withoutSecrets = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !NEVER_TO_ANOTHER.includes(name.toLowerCase())))

/** Undoes what a server packed; what is unpacked is what is counted, so that a few bytes cannot become a flood. */
function unpack(body: Readable, header: string | undefined): Readable {
  const encoding = (header ?? '').trim().toLowerCase()
  if (encoding === '' || encoding === 'identity') return body
  const unpacker =
    encoding === 'gzip' || encoding === 'x-gzip' || encoding === 'deflate'
      ? createUnzip()
      : encoding === 'br'
        ? createBrotliDecompress()
        : null
  if (!unpacker) throw new FetchFailed('packed in an unknown way')
  return pipeline(body, unpacker, () => {})
}

async function collect(body: Readable, most: number, cut: boolean): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > most && !cut) throw new FetchFailed('too large')
    chunks.push(chunk)
    if (length > most) break
  }
  return Buffer.concat(chunks, Math.min(length, most))
}

/** Messages of the network name addresses, and those may be inside the house: only codes are kept. */
function failed(error: unknown, signal: AbortSignal): FetchFailed {
  if (error instanceof FetchFailed) return error
  if (error instanceof PrivateAddressError) return new FetchFailed(error.message)
  if (signal.aborted) return signal.reason instanceof FetchFailed ? signal.reason : new FetchFailed('no answer in time')
  const { code, name } = error as { code?: unknown; name?: unknown }
  return new FetchFailed(String(code ?? name ?? 'unknown'))
}
