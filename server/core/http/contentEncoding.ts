import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { LRUCache } from 'lru-cache'

export type Encoding = 'identity' | 'gzip' | 'br'

/** Higher compression levels take longer than rendering the page and save few bytes. */
const BROTLI = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT },
}
const GZIP = { level: 6 }

const compressBrotli = promisify<Buffer, object, Buffer>(brotliCompress)
const compressGzip = promisify<Buffer, object, Buffer>(gzip)

export const encode = (body: Buffer, encoding: Encoding): Promise<Buffer> =>
  encoding === 'br'
    ? compressBrotli(body, BROTLI)
    : encoding === 'gzip'
      ? compressGzip(body, GZIP)
      : Promise.resolve(body)

const encodings = new LRUCache<string, Encoding>({ max: 100, memoMethod: parseAcceptEncoding })

export const chooseEncoding = (header: string | undefined): Encoding => (header ? encodings.memo(header) : 'identity')

const BY_SIZE = ['br', 'gzip', 'identity'] as const

function parseAcceptEncoding(header: string): Encoding {
  const weights = new Map<string, number>()
  for (const part of header.toLowerCase().split(',')) {
    const [, name = '', weight = '1'] = /^\s*([\w-]+)\s*(?:;\s*q=([\d.]+)\s*)?$/.exec(part) ?? []
    weights.set(name, Number(weight))
  }
  const weightOf = (encoding: Encoding) => weights.get(encoding) || 0
  const [best] = BY_SIZE.toSorted((a, b) => weightOf(b) - weightOf(a))
  return best && weightOf(best) > 0 ? best : 'identity'
}
