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

/** The smallest form that an Accept-Encoding header takes; what it gives a weight of nought it does not take. */
export function chooseEncoding(header: string | undefined): Encoding {
  if (!header) return 'identity'
  const known = chosen.get(header)
  if (known) return known
  const encoding = choose(header)
  if (chosen.size < REMEMBERED) chosen.set(header, encoding)
  return encoding
}

function choose(header: string): Encoding {
  const takes = (name: string) =>
    new RegExp(`(?:^|,)\\s*${name}\\s*(?:;\\s*q=(?!0(?:\\.0*)?\\s*(?:,|$))[\\d.]+\\s*)?(?:,|$)`, 'i').test(header)
  return takes('br') ? 'br' : takes('gzip') ? 'gzip' : 'identity'
}
