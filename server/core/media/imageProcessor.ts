import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '#server/core/config/config.ts'
import { errors, errorTexts } from '#server/core/errors.ts'
import { createGate } from '#server/core/limits/semaphore.ts'
import { imageMessages, MAX_IMAGE_BYTES } from '#src/contract/image.ts'
import { createImageProcesses, TooSlow } from './childProcesses.ts'
import type { Encoded, StillType } from './codec.ts'
import type { EncodedImage } from './encodeImage.ts'
import { type ImageFormat, sniffFormat } from './imageFormat.ts'
import { fitsLimits, readOutline } from './imageHeader.ts'
import type { Task } from './messages.ts'

/** A place on a page, in CSS px; its file has twice as many pixels each way, for dense screens. */
export type Place = { width: number; height: number; type?: StillType }
export type Places = { preview: Place; display: Place }

/** `preview` and `display` are stills, WebP unless their place asks for another type; `ext` has no dot. */
export type ProcessedImage = EncodedImage & { mime: string; ext: string }

export type ImageProcessor = {
  /**
   * Makes an upload fit to be shown: decided by its bytes, decoded and re-encoded without metadata, read back, and
   * reduced for its places.
   * @param places where the preview and the display file are shown
   * @throws AppError 413 for bytes and pixels; 503 when the server is busy, or the image takes too long; otherwise 415
   */
  process(bytes: Uint8Array, places: Places): Promise<ProcessedImage>
  /**
   * Makes a small WebP of an image that is not a visitor's own, such as album art: of an animation its first frame.
   * @param side most pixels each way
   * @throws AppError as above
   */
  thumbnail(bytes: Uint8Array, side: number): Promise<Encoded>
  /** ends the processes that decode */
  close(): void
}

/** A real encoder writes ten or so. A decoder takes some 4 ms for each, whatever is in it: 5 MB hold 48,000. */
const MAX_SCANS = 100
const MAX_WAITING = 16
const IDLE_MS = 20_000
const DENSITY = 2

const kinds: Record<ImageFormat, { mime: string; ext: string }> = {
  jpeg: { mime: 'image/jpeg', ext: 'jpg' },
  png: { mime: 'image/png', ext: 'png' },
  gif: { mime: 'image/gif', ext: 'gif' },
  webp: { mime: 'image/webp', ext: 'webp' },
}

/** Creates the processor of all images that strangers send; its processes start when they are needed. */
export function createImageProcessor({
  limits,
  log,
}: {
  limits: Config['limits']['images']
  log?: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>
}): ImageProcessor {
  const processes = createImageProcesses({ idleMs: IDLE_MS })
  const gate = createGate({
    running: limits.processes,
    budget: limits.pixelsAtOnce,
    waiting: MAX_WAITING,
    waitMs: limits.queueMs,
    onFull: () => errors.unavailable(imageMessages.busy),
  })

  /** Runs a task when its turn comes; the log gets the cause of every refusal. */
  async function run<T>(task: Task): Promise<T> {
    const outcome = await gate.run(() => processes.run(task, limits.processMs).catch(onFailure), { cost: task.pixels })
    if ('result' in outcome) return outcome.result as T
    if ('fault' in outcome) return onFailure(outcome.fault)
    const { refusal, cause } = outcome
    log?.info({ refusal, cause }, 'an image was refused')
    throw refusal === 'pixels' ? errors.tooLarge(imageMessages.pixels) : errors.unsupportedType(imageMessages.type)
  }

  function onFailure(error: unknown): never {
    if (error instanceof TooSlow) {
      log?.warn({ reason: error.message }, 'an image took too long')
      throw errors.unavailable(imageMessages.tooSlow)
    }
    log?.error({ err: error }, 'processing an image failed')
    throw errors.unavailable(errorTexts.unavailable)
  }

  return {
    async process(bytes, { preview, display }) {
      if (bytes.length > MAX_IMAGE_BYTES) throw errors.tooLarge(imageMessages.size)
      const boxes = { preview: dense(preview), display: dense(display) }
      const encoded = await run<EncodedImage>({ kind: 'image', bytes, boxes, ...admit(bytes) })
      return { ...encoded, ...kinds[encoded.format] }
    },
    async thumbnail(bytes, side) {
      return run<Encoded>({ kind: 'thumbnail', bytes, side, ...admit(bytes) })
    },
    close: processes.close,
  }
}

/** Refuses what is no image, and what would cost too much, before a decoder sees it. */
function admit(bytes: Uint8Array): { format: ImageFormat; pixels: number } {
  const format = sniffFormat(bytes)
  const outline = format && readOutline(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), format)
  if (!outline) throw errors.unsupportedType(imageMessages.type)
  if (!fitsLimits(outline)) throw errors.tooLarge(imageMessages.pixels)
  if (outline.scans > MAX_SCANS) throw errors.unsupportedType(imageMessages.scans)
  return { format, pixels: outline.width * outline.height * outline.frames }
}

const dense = ({ width, height, type }: Place): Place => ({ width: width * DENSITY, height: height * DENSITY, type })
