import { createHash } from 'node:crypto'
import { type Encoding, encode } from '#server/core/http/contentEncoding.ts'

/**
 * What rendering gave: a finished page is kept; one of the moment (not found, moved) is for those who wait for it;
 * of a failed one the page of before takes the place, where there is one.
 */
export type Rendered = {
  outcome: 'finished' | 'passing' | 'failed'
  status: number
  headers: Record<string, string>
  body: Buffer
}
/** A page ready to be sent. */
export type Page = Rendered & {
  /** its strong ETag in an encoding */
  etag: (encoding: Encoding) => string
  /** compressed when first asked for, once */
  encoded: (encoding: Encoding) => Buffer | Promise<Buffer>
}

/** A page that is sent once and not kept. */
export const unkept = (rendered: Rendered): Page => pageOf(rendered)

/**
 * Makes a page of what was rendered, with an ETag for each encoding.
 * @param onGrow is told of the bytes that compressing adds
 */
export function pageOf(rendered: Rendered, onGrow: (bytes: number) => void = () => {}): Page {
  const { body } = rendered
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 22)
  // Two forms of one page are different bytes, and a strong tag is of bytes.
  const etags = { identity: `"${hash}"`, gzip: `"${hash}-gzip"`, br: `"${hash}-br"` }
  const made = new Map<Encoding, Buffer | Promise<Buffer>>([['identity', body]])

  async function make(encoding: Encoding): Promise<Buffer> {
    const bytes = await encode(body, encoding)
    made.set(encoding, bytes)
    onGrow(bytes.length)
    return bytes
  }

  return {
    ...rendered,
    etag: (encoding) => etags[encoding],
    encoded(encoding) {
      const bytes = made.get(encoding) ?? make(encoding)
      made.set(encoding, bytes)
      return bytes
    },
  }
}
