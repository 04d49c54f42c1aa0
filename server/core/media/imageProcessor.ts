import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '#server/core/config/config.ts'
import { errors } from '#server/core/errors.ts'
import { createSemaphore } from '#server/core/limits/semaphore.ts'
import { CARD, MAX_IMAGE_BYTES, MAX_WEBP_SIDE, PIXEL_DENSITY } from '#src/contract/image.ts'
import { refusal } from '#src/contract/refusal.ts'
import { createImageProcesses, ImageTimeoutError, type Outcome, type Task } from './childProcesses.ts'
import type { Encoded, MaxSize } from './codec.ts'
import type { EncodedImage, ImageSizes } from './encodeImage.ts'
import { fitsLimits, type ImageFormat, readHeader } from './imageHeader.ts'
import type { Card, CardImages } from './previewCard.ts'
import type { DrawnSiteImages, SiteImageUse } from './siteImage.ts'

/** `preview` and `display` are not animated, and WebP by default. `ext` has no dot. */
type ProcessedImage = EncodedImage & { mime: string; ext: string }

export type ImageProcessor = ReturnType<typeof createImageProcessor>

/** Limits decoding time: a 5 MB JPEG can have 48,000 scans of about 4 ms each. Encoders write about ten. */
const MAX_SCANS = 100
const MAX_WAITING = 64
/** One network uses one process, so that others do not wait for its images. */
const PER_NETWORK = { running: 1, waiting: 16 }
/** Drawing an SVG takes about as much memory as a picture of this size. */
const VECTOR = { width: 1000, height: 1000, frames: 1 }

const fileTypes: Record<ImageFormat, { mime: string; ext: string }> = {
  jpeg: { mime: 'image/jpeg', ext: 'jpg' },
  png: { mime: 'image/png', ext: 'png' },
  gif: { mime: 'image/gif', ext: 'gif' },
  webp: { mime: 'image/webp', ext: 'webp' },
}

export function createImageProcessor({
  limits,
  log,
}: {
  limits: Config['limits']['images']
  log?: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>
}) {
  const processes = createImageProcesses()
  let closed = false
  const semaphore = createSemaphore({
    running: limits.processes,
    budget: limits.pixelsAtOnce,
    waiting: MAX_WAITING,
    perKey: PER_NETWORK,
    waitMs: limits.queueMs,
    onFull: () => errors.unavailable(refusal('image.busy')),
  })

  async function run<T>(task: Task, network?: string): Promise<T> {
    const outcome = await attempt(task, onFailure, network)
    if ('result' in outcome) return outcome.result as T
    if ('fault' in outcome) return onFailure(outcome.fault)
    const { refusal: reason, cause } = outcome
    log?.info({ refusal: reason, cause }, 'an image was rejected')
    throw reason === 'pixels'
      ? errors.tooLarge(refusal('image.pixels'))
      : errors.unsupportedType(refusal(`image.${reason}`))
  }

  const attempt = (task: Task, onError: (error: Error) => Outcome, network?: string) =>
    semaphore.run(() => processes.run(task, limits.processMs).catch(onError), { cost: task.pixels, key: network })

  function onFailure(error: unknown): never {
    if (error instanceof ImageTimeoutError) {
      log?.warn({ reason: error.message }, 'an image took too long')
      throw errors.unavailable(refusal('image.tooSlow'))
    }
    // A shutdown ends the processes.
    if (!closed) log?.error({ err: error }, 'processing an image failed')
    throw errors.unavailable(refusal('failure.unavailable'))
  }

  return {
    /**
     * Re-encodes an upload without metadata, verifies the result and creates its thumbnails.
     * @param sizes in CSS px
     * @param network of the visitor; without it, no limit per network applies
     * @throws AppError 413 for too many bytes or pixels, 503 if busy or too slow, 415 for other images
     */
    async process(bytes: Uint8Array, sizes: ImageSizes, network?: string): Promise<ProcessedImage> {
      if (bytes.length > MAX_IMAGE_BYTES) throw errors.tooLarge(refusal('image.size'))
      const pixelSizes = { preview: toPixels(sizes.preview), display: toPixels(sizes.display) }
      const task: Task = { kind: 'image', bytes, sizes: pixelSizes, ...checkHeader(bytes) }
      const encoded = await run<EncodedImage>(task, network)
      return { ...encoded, ...fileTypes[encoded.format] }
    },
    /** Creates a WebP thumbnail of the first frame. @param side maximum width and height in pixels @throws AppError */
    async thumbnail(bytes: Uint8Array, side: number) {
      return run<Encoded>({ kind: 'thumbnail', bytes, side, ...checkHeader(bytes) })
    },
    /** Hashes a stored original that is blocked. @returns null if it is nearly flat @throws AppError */
    async hash(bytes: Uint8Array) {
      return run<Buffer | null>({ kind: 'hash', bytes, ...checkHeader(bytes) })
    },
    /** Draws an image for link previews. @throws AppError */
    async card(card: Card, { picture, ...images }: CardImages) {
      const bytes = picture ?? new Uint8Array()
      const header = picture ? checkHeader(picture) : { format: 'png' as const, pixels: 0 }
      const pixels = header.pixels + CARD.width * CARD.height
      return run<Buffer>({ kind: 'card', card, ...images, bytes, format: header.format, pixels })
    },
    /**
     * Draws an operator's file in the sizes of its use.
     * @throws Error with the reason if the file is refused, AppError 503 if the site is busy
     */
    async site<U extends SiteImageUse>(bytes: Buffer, use: U): Promise<DrawnSiteImages[U]> {
      const header = readHeader(bytes)
      const { width, height, frames } = header && fitsLimits(header) ? header : VECTOR
      const task = { kind: 'site' as const, use, bytes, format: 'png' as const, pixels: width * height * frames }
      const outcome = await attempt(task, (error) => ({
        refusal: 'type',
        cause: error instanceof ImageTimeoutError ? 'it takes too long to draw' : error.message,
      }))
      if ('result' in outcome) return outcome.result as DrawnSiteImages[U]
      // A shutdown ends the processes.
      if (closed) throw errors.unavailable(refusal('failure.unavailable'))
      throw new Error('cause' in outcome ? outcome.cause : String(outcome.fault))
    },
    close() {
      closed = true
      return processes.close()
    },
  }
}

/** Rejects files before a decoder opens them: files that are not images, or that take too much time or memory. */
function checkHeader(bytes: Uint8Array): { format: ImageFormat; pixels: number } {
  const header = readHeader(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length))
  if (!header) throw errors.unsupportedType(refusal('image.type'))
  if (!fitsLimits(header)) throw errors.tooLarge(refusal('image.pixels'))
  // Animated PNGs become WebPs.
  const isTooLong =
    header.format === 'png' && header.frames > 1 && Math.max(header.width, header.height) > MAX_WEBP_SIDE
  if (isTooLong) throw errors.tooLarge(refusal('image.animationSide', { max: MAX_WEBP_SIDE }))
  if (header.scans > MAX_SCANS) throw errors.unsupportedType(refusal('image.scans'))
  return { format: header.format, pixels: header.width * header.height * header.frames }
}

const toPixels = ({ width, height, type }: MaxSize): MaxSize => ({
  width: width * PIXEL_DENSITY,
  height: height * PIXEL_DENSITY,
  type,
})
