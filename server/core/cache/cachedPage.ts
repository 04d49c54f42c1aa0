import { createHash } from 'node:crypto'
import { type Encoding, encode } from '#server/core/http/contentEncoding.ts'

export type RenderedPage = {
  outcome: 'cacheable' | 'uncacheable' | 'failed'
  status: number
  headers: Record<string, string>
  /** headers that a 304 has too */
  sharedHeaders?: Record<string, string>
  /** the second since which the content is the same; set only for pages that support If-Modified-Since */
  unchangedSince?: number
  body: Buffer
}

export type Page = RenderedPage & {
  etag: (encoding: Encoding) => string
  encoded: (encoding: Encoding) => Buffer | Promise<Buffer>
  /** the encodings in which the page was requested so far */
  encodings: () => Iterable<Encoding>
}

/** @param onGrow called with the size of each compressed body that is added */
export function createPage(rendered: RenderedPage, onGrow: (bytes: number) => void = () => {}): Page {
  const { body } = rendered
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 22)
  // A strong ETag identifies the exact bytes, so each encoding needs its own ETag.
  const etags = { identity: `"${hash}"`, gzip: `"${hash}-gzip"`, br: `"${hash}-br"` }
  const bodies = new Map<Encoding, Buffer | Promise<Buffer>>([['identity', body]])

  async function compress(encoding: Encoding): Promise<Buffer> {
    const bytes = await encode(body, encoding)
    bodies.set(encoding, bytes)
    onGrow(bytes.length)
    return bytes
  }

  return {
    ...rendered,
    etag: (encoding) => etags[encoding],
    encoded(encoding) {
      const bytes = bodies.get(encoding) ?? compress(encoding)
      bodies.set(encoding, bytes)
      return bytes
    },
    encodings: () => bodies.keys(),
  }
}
