import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

export type Encoding = 'identity' | 'gzip' | 'br'

/** Levels at which the time goes into rendering and not into the last percent. */
const BROTLI = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT },
}
const GZIP = { level: 6 }

const brotli = promisify<Buffer, object, Buffer>(brotliCompress)
const zip = promisify<Buffer, object, Buffer>(gzip)

/** Compresses a text, beside the main thread. */
export const encode = (body: Buffer, encoding: Encoding): Promise<Buffer> =>
  encoding === 'br' ? brotli(body, BROTLI) : encoding === 'gzip' ? zip(body, GZIP) : Promise.resolve(body)

/** Browsers send one of a few headers: what was made of them is remembered. */
const chosen = new Map<string, Encoding>()
const REMEMBERED = 100

/** The form to which an Accept-Encoding header gives most weight, of several the smallest; what has none is not taken. */
export function chooseEncoding(header: string | undefined): Encoding {
  if (!header) return 'identity'
  const known = chosen.get(header)
  if (known) return known
  const encoding = choose(header)
  if (chosen.size < REMEMBERED) chosen.set(header, encoding)
  return encoding
}

/** From small to large. */
const FORMS = ['br', 'gzip', 'identity'] as const

function choose(header: string): Encoding {
  const weights = new Map<string, number>()
  for (const part of header.toLowerCase().split(',')) {
    const [, name = '', weight = '1'] = /^\s*([\w-]+)\s*(?:;\s*q=([\d.]+)\s*)?$/.exec(part) ?? []
    weights.set(name, Number(weight))
  }
  const weightOf = (form: Encoding) => weights.get(form) || 0
  const [first] = FORMS.toSorted((a, b) => weightOf(b) - weightOf(a))
  return first && weightOf(first) > 0 ? first : 'identity'
}
