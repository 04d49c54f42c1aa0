import type { Metadata, Sharp } from 'sharp'
import { splitApng } from './apng.ts'
import { openFile, openRaw, type PreparedImage } from './codec.ts'
import { composeFrames, type Frame } from './composeFrames.ts'
import { disposalOf, isTransparent, needsComposing, readGif, singleFrameGif } from './gif.ts'
import { type ImageFormat, webpKind } from './imageHeader.ts'

/** Browsers replace a delay of at most 10 ms with 100 ms. */
const MAX_IGNORED_DELAY_MS = 10
const DEFAULT_DELAY_MS = 100
/** Limits delays to sharp's maximum. */
const MAX_DELAY_MS = 65_530
const effectiveDelay = (ms: number) => (ms <= MAX_IGNORED_DELAY_MS ? DEFAULT_DELAY_MS : ms)

/** Converts images that libvips and browsers decode differently: animated PNGs and partial GIF frames. */
export async function prepareImage(
  bytes: Buffer,
  format: ImageFormat,
  source: Metadata,
  maxFrames = Number.POSITIVE_INFINITY,
): Promise<PreparedImage> {
  const frames = Math.min(maxFrames, source.pages ?? 1)
  const plain: PreparedImage = {
    image: openFile(bytes, frames > 1),
    format,
    ...(frames > 1 ? { width: source.width, height: source.height } : source.autoOrient),
    frames,
    delay: (source.delay ?? []).map(format === 'webp' ? effectiveDelay : Number),
    loop: source.loop ?? 0,
    isComposed: false,
    kind: null,
  }
  if (format === 'png') return preparePng(bytes, plain, source, maxFrames)
  if (format === 'gif') return prepareGif(bytes, plain)
  if (format === 'webp') return { ...plain, kind: webpKind(bytes) }
  return plain
}

/** Converts 16-bit colours that have a profile: otherwise sharp stores Display P3 values as if they were sRGB. */
function openPng(png: Buffer, { icc, space }: Pick<Metadata, 'icc' | 'space'>): Sharp {
  const image = openFile(png, false)
  return icc && space === 'rgb16' ? image.withIccProfile('srgb', { attach: false }) : image
}

async function preparePng(
  bytes: Buffer,
  plain: PreparedImage,
  source: Metadata,
  maxFrames: number,
): Promise<PreparedImage> {
  const apng = splitApng(bytes)
  if (!apng) return { ...plain, image: openPng(bytes, source), kind: source.isPalette ? 'palette' : null }
  const { width, height } = source
  const frames = apng.frames.slice(0, maxFrames)
  async function* decoded(): AsyncGenerator<Frame> {
    for (const { png, ...frame } of frames) yield { ...frame, pixels: await rgbaOf(openPng(png, source), frame) }
  }
  return {
    ...{ width, height, frames: frames.length, loop: apng.loop, isComposed: true },
    image: openRaw(await composeFrames({ width, height }, decoded(), frames.length), { width, height }),
    delay: frames.map(({ delay }) => Math.min(MAX_DELAY_MS, effectiveDelay(delay))),
    ...(frames.length > 1 ? { format: 'webp', kind: 'lossless' } : { format: 'png', kind: null }),
  }
}

async function prepareGif(bytes: Buffer, plain: PreparedImage): Promise<PreparedImage> {
  const gif = readGif(bytes)
  if (!gif || !needsComposing(gif)) return plain
  const { width, height } = plain
  const frames = gif.frames.slice(0, plain.frames)
  async function* decoded(): AsyncGenerator<Frame> {
    for (const frame of frames) {
      const pixels = await rgbaOf(openFile(singleFrameGif(bytes, frame), false), frame)
      yield { ...frame, pixels, dispose: disposalOf(frame), blend: isTransparent(frame) }
    }
  }
  const pixels = await composeFrames({ width, height }, decoded(), frames.length)
  const delay = plain.delay.map((ms) => Math.min(MAX_DELAY_MS, ms))
  return { ...plain, delay, isComposed: true, image: openRaw(pixels, { width, height }) }
}

async function rgbaOf(image: Sharp, { width, height }: { width: number; height: number }): Promise<Buffer> {
  const { data, info } = await image.toColourspace('srgb').ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  if (info.width !== width || info.height !== height || info.channels !== 4) throw new Error('a frame has another size')
  return data
}
