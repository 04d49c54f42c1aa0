import sharp from 'sharp'

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
