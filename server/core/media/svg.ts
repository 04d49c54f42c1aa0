import sharp from 'sharp'
import { siteImageLimits } from '#src/contract/siteContent.ts'
import { ImageRejectedError } from './encodeImage.ts'

/** Parts that a drawing does not need. They have no effect, because only pixels reach browsers. */
const HOSTILE: [pattern: RegExp, reason: string][] = [
  [/<!ENTITY/i, 'it declares entities, which can expand without end. Export it again without a DOCTYPE'],
  [/<(?:\w+:)?script[\s>/]|\son[a-z]+\s*=\s*["']|javascript:/i, 'it contains a script'],
  [/<(?:\w+:)?foreignObject[\s>]/i, 'it contains HTML (foreignObject)'],
  [
    /href\s*=\s*["']\s*(?!["'#\s]|data:image\/)|url\(\s*["']?\s*(?!["')#\s]|data:image\/)|@import/i,
    'it refers to another file. Embed fonts and images, or turn them into paths',
  ],
]

/** Drawing programs write comments and declarations before the first element. */
const HEAD_BYTES = 16 * 1024

export function isSvg(bytes: Buffer): boolean {
  const head = bytes.toString('utf8', 0, HEAD_BYTES)
  return /^\uFEFF?\s*</.test(head) && /<(?:\w+:)?svg[\s>]/.test(head)
}

/** @throws ImageRejectedError with the reason */
export function checkSvg(bytes: Buffer): void {
  if (bytes.length > siteImageLimits.vectorBytes) {
    throw new ImageRejectedError('pixels', `an SVG can have ${siteImageLimits.vectorBytes / 1024} kB`)
  }
  const text = bytes.toString('utf8')
  const [, reason] = HOSTILE.find(([pattern]) => pattern.test(text)) ?? []
  if (reason) throw new ImageRejectedError('type', reason)
}

const SVG_DECODER = { operation: ['VipsForeignLoadSvgBuffer'] }

let users = 0

/**
 * Runs work that decodes an SVG of the site or its operator. Otherwise the decoder is blocked, so that it never sees an
 * upload (`codec.ts`).
 */
export async function withSvgDecoder<T>(work: () => Promise<T>): Promise<T> {
  if (users++ === 0) sharp.unblock(SVG_DECODER)
  try {
    return await work()
  } finally {
    if (--users === 0) sharp.block(SVG_DECODER)
  }
}
