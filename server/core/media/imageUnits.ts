import { COST } from '#server/core/limits/requestCost.ts'
import type { UploadedFile } from '#src/contract/image.ts'
import { fitsLimits, readHeader } from './imageHeader.ts'

/** The size of a phone's photos, and of most animations with all their frames. */
const FREE_PIXELS = 12_000_000
/** Less than a network's default burst, so that a post with the largest images does not need all of it. */
const MAX_UNITS = 2500

/** Returns the request units of a form's images. The rate limits count a form with one image of a common size. */
export function imageUnits(uploads: UploadedFile[]): number {
  const further = Math.max(0, uploads.length - 1) * COST.furtherImage
  return Math.min(
    MAX_UNITS,
    uploads.reduce((units, upload) => units + sizeUnits(upload), further),
  )
}

/** Images that are rejected before decoding have no extra cost. */
function sizeUnits({ bytes, truncated }: UploadedFile): number {
  const header = truncated ? null : readHeader(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length))
  if (!header || !fitsLimits(header)) return 0
  const pixels = header.width * header.height * header.frames
  return Math.ceil((Math.max(0, pixels - FREE_PIXELS) / 1_000_000) * COST.imageMegapixel)
}
