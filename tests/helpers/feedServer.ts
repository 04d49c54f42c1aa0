import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'

/** Response for a path: a document, an image, a redirect, or a failure. */
export type FeedBehaviour =
  | { body: string | Uint8Array; type?: string; status?: number; headers?: Record<string, string> }
  | { status: number; headers?: Record<string, string> }
  | { redirect: string; status?: number }
  /** answers 304 if the request sends this ETag */
  | { body: string; etag: string; lastModified?: string }
  /** never responds */
  | 'silence'
  /** endless bodies: `drip` is slow, `endless` is fast */
  | 'drip'
  | 'endless'
  /** a small body that decompresses to a large one */
  | 'bomb'
  /** closes the connection in the middle of the body */
  | 'death'
  | 'html'

/** Computes the response from the request headers. */
type Answering = (headers: IncomingHttpHeaders) => FeedBehaviour | Promise<FeedBehaviour>

export type FeedServer = {
  url: string
  /** all received requests, in order */
  requests: { path: string; headers: IncomingHttpHeaders; at: number }[]
  count: (path: string) => number
  /** highest number of concurrent requests so far */
  maxConcurrent: () => number
  /** sets the response for a path; other paths answer 404 */
  set: (path: string, behaviour: FeedBehaviour | Answering) => void
  /** delay of each response in ms */
  delay: number
  close: () => Promise<void>
}

/** Starts a server for feeds, pages and images on a free port. */
export async function startFeedServer(): Promise<FeedServer> {
  const behaviours = new Map<string, FeedBehaviour | Answering>()
  let open = 0
  let maxConcurrent = 0
  const httpServer = createServer(async ({ url = '/', headers }, response) => {
    response.on('error', () => {})
    server.requests.push({ path: url, headers, at: Date.now() })
    maxConcurrent = Math.max(maxConcurrent, ++open)
    response.on('close', () => open--)
    const set = behaviours.get(url) ?? { status: 404 }
    if (server.delay > 0) await new Promise((resolve) => setTimeout(resolve, server.delay))
    behave(response, headers, typeof set === 'function' ? await set(headers) : set)
  })
  httpServer.listen(0, '127.0.0.1')
  await once(httpServer, 'listening')
  const server: FeedServer = {
    url: `http://127.0.0.1:${(httpServer.address() as AddressInfo).port}`,
    requests: [],
    count: (path) => server.requests.filter((one) => one.path === path).length,
    maxConcurrent: () => maxConcurrent,
    set: (path, behaviour) => void behaviours.set(path, behaviour),
    delay: 0,
    async close() {
      httpServer.closeAllConnections()
      httpServer.close()
      await once(httpServer, 'close')
    },
  }
  return server
}

function behave(response: ServerResponse, asked: IncomingHttpHeaders, behaviour: FeedBehaviour): void {
  if (typeof behaviour === 'string') misbehave(response, behaviour)
  else if ('redirect' in behaviour) {
    response.writeHead(behaviour.status ?? 302, { location: behaviour.redirect }).end()
  } else if ('etag' in behaviour) {
    const { etag, lastModified, body } = behaviour
    const headers = {
      etag,
      'content-type': 'application/rss+xml',
      ...(lastModified && { 'last-modified': lastModified }),
    }
    if (asked['if-none-match'] === etag) response.writeHead(304, headers).end()
    else response.writeHead(200, headers).end(body)
  } else if ('body' in behaviour) {
    const { body, type = 'application/rss+xml', status = 200, headers } = behaviour
    response.writeHead(status, { 'content-type': type, ...headers }).end(body)
  } else response.writeHead(behaviour.status, behaviour.headers).end()
}

function misbehave(response: ServerResponse, how: Extract<FeedBehaviour, string>): void {
  if (how === 'silence') return
  if (how === 'html') {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Portal</title><p>Please log in')
    return
  }
  if (how === 'bomb') {
    response.writeHead(200, { 'content-type': 'text/xml', 'content-encoding': 'gzip' }).end(bomb())
    return
  }
  response.writeHead(200, { 'content-type': 'application/rss+xml' })
  response.write('<?xml version="1.0"?><rss version="2.0"><channel><title>')
  if (how === 'death') setTimeout(() => response.destroy(), 20)
  if (how === 'drip') {
    const timer = setInterval(() => response.write('x'), 20)
    response.on('close', () => clearInterval(timer))
  }
  if (how === 'endless') flood(response)
}

/** Writes only as fast as the client reads, so that a failing test does not fill the memory. */
function flood(response: ServerResponse): void {
  while (!response.destroyed && response.write('x'.repeat(65_536))) {
    // writes until the socket's buffer is full
  }
  if (!response.destroyed) response.once('drain', () => flood(response))
}

const bomb = () => gzipSync(Buffer.alloc(32 * 1024 * 1024))

export type FeedEntry = {
  title?: string
  link: string
  guid?: string
  /** a string is written as it is; undefined omits the element */
  date?: Date | string
  image?: string
}
type Channel = { title?: string; link?: string; ttl?: number }

export function rss(entries: FeedEntry[], { title = 'A feed', link, ttl }: Channel = {}): string {
  const items = entries.map(
    ({ title: name = 'An article', link: at, guid, date, image }) => `<item><title>${escaped(name)}</title>
<link>${escaped(at)}</link>${guid === undefined ? '' : `<guid isPermaLink="false">${escaped(guid)}</guid>`}
${date === undefined ? '' : `<pubDate>${typeof date === 'string' ? date : date.toUTCString()}</pubDate>`}
${image === undefined ? '' : `<enclosure url="${escaped(image)}" type="image/png" length="1"/>`}</item>`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?><rss version="2.0"><channel><title>${escaped(title)}</title>
${link ? `<link>${escaped(link)}</link>` : ''}${ttl === undefined ? '' : `<ttl>${ttl}</ttl>`}
${items.join('\n')}</channel></rss>`
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/** Creates a page with a preview image. */
export const pageWithImage = (image: string) =>
  `<!doctype html><html><head><title>Article</title><meta property="og:image" content="${escaped(image)}"></head></html>`
