import { imageMessages, MAX_IMAGE_BYTES } from '#src/contract/image.ts'
import { AppError, errors } from './errors.ts'
import { createGate, type Gate } from './gate.ts'
import {
  type Encoded,
  inspect,
  isAnimated,
  readBack,
  reduce,
  reencode,
  type StillType,
  stillWithin,
} from './images/codec.ts'
import { countGifFrames, type ImageFormat, sniffFormat } from './images/sniff.ts'

/** A place on a page, in CSS px; its file has twice as many pixels each way, for dense screens. */
export type Place = { width: number; height: number; type?: StillType }
export type Places = { preview: Place; display: Place }

export type ProcessedImage = {
  format: ImageFormat
  mime: string
  /** without a dot */
  ext: string
  /** pixels of the full picture, upright; of one frame */
  width: number
  height: number
  animated: boolean
  /** the full picture, written anew in the format it came in */
  original: Buffer
  /** stills, WebP unless their place asks for another type */
  preview: Encoded
  display: Encoded
}

type Deps = { gate: Gate; milliseconds: number }

const STILL_PIXELS = 40_000_000
const ANIMATION_PIXELS = 100_000_000
const MAX_FRAMES = 400
/** As JPEG has it: millions of rows of one pixel each take longer than all pixels of a square. */
const MAX_SIDE = 65_535
/** No picture holds the visitor longer, whatever is in it. */
const TOTAL_MILLISECONDS = 15_000
const DENSITY = 2

const kinds: Record<ImageFormat, { mime: string; ext: string }> = {
  jpeg: { mime: 'image/jpeg', ext: 'jpg' },
  png: { mime: 'image/png', ext: 'png' },
  gif: { mime: 'image/gif', ext: 'gif' },
  webp: { mime: 'image/webp', ext: 'webp' },
}

// Two pictures of the largest size take some 800 MB together: more at once would be a way to bring the site down.
const gate = createGate({ running: 2, waiting: 16, onFull: () => errors.unavailable(imageMessages.busy) })

/**
 * Makes an upload fit to be shown: decided by its bytes, bounded in pixels, frames and time, decoded and written anew
 * without metadata, read back, and reduced for its places. Refuses with 413 (bytes, pixels), 503 (busy), and in any
 * doubt with 415.
 * @param places where the preview and the display file are shown
 */
export async function processImage(
  bytes: Uint8Array,
  places: Places,
  deps: Partial<Deps> = {},
): Promise<ProcessedImage> {
  if (bytes.length > MAX_IMAGE_BYTES) throw errors.tooLarge(imageMessages.size)
  const format = sniffFormat(bytes)
  if (!format) throw errors.unsupportedType(imageMessages.type)
  return new Promise((resolve, reject) => {
    const turn = (deps.gate ?? gate).run(async () => {
      // The visitor is answered when the time is up; the place is free only when the decoder has really stopped.
      const time = AbortSignal.timeout(deps.milliseconds ?? TOTAL_MILLISECONDS)
      time.addEventListener('abort', () => reject(errors.unsupportedType(imageMessages.type)))
      await build(bytes, format, places, time).then(resolve, (error: unknown) =>
        reject(error instanceof AppError ? error : errors.unsupportedType(imageMessages.type)),
      )
    })
    turn.catch(reject)
  })
}

async function build(
  bytes: Uint8Array,
  format: ImageFormat,
  places: Places,
  time: AbortSignal,
): Promise<ProcessedImage> {
  const frames = format === 'gif' ? countGifFrames(bytes, MAX_FRAMES) : 1
  if (!frames) throw errors.unsupportedType(imageMessages.type)
  if (frames > MAX_FRAMES) throw errors.tooLarge(imageMessages.pixels)

  const source = await inspect(bytes)
  if (source.format !== format) throw errors.unsupportedType(imageMessages.type)
  const pages = source.pages ?? 1
  const pixels = isAnimated(source) ? ANIMATION_PIXELS : STILL_PIXELS
  const tooLarge = Math.max(source.width, source.height) > MAX_SIDE || source.width * source.height * pages > pixels
  if (pages > MAX_FRAMES || tooLarge) throw errors.tooLarge(imageMessages.pixels)

  const bounds = { pixels, seconds: TOTAL_MILLISECONDS / 1000 }
  const original = await reencode(bytes, format, source, bounds)
  time.throwIfAborted()
  const written = await readBack(original, format, source)
  if (!written) throw errors.unsupportedType(imageMessages.type)
  time.throwIfAborted()
  const { preview, display } = await reduce(
    original,
    { preview: dense(places.preview), display: dense(places.display) },
    bounds,
  )
  const { width, height } = written
  return { format, ...kinds[format], width, height, animated: isAnimated(written), original, preview, display }
}

const dense = ({ width, height, type }: Place): Place => ({ width: width * DENSITY, height: height * DENSITY, type })

/**
 * Makes a small WebP of a picture that is not the visitors' own, such as album art: of an animation its first frame.
 * @param side most pixels each way
 * @throws whatever the decoder says of what is no picture, or one of too many pixels
 */
export async function thumbnail(bytes: Uint8Array, side: number): Promise<Encoded> {
  if (!sniffFormat(bytes)) throw errors.unsupportedType(imageMessages.type)
  const { width, height } = await inspect(bytes)
  if (Math.max(width, height) > MAX_SIDE || width * height > STILL_PIXELS) throw errors.tooLarge(imageMessages.pixels)
  return stillWithin(bytes, side, { pixels: STILL_PIXELS, seconds: TOTAL_MILLISECONDS / 1000 })
}
