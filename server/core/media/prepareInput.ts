import type { Metadata, Sharp } from 'sharp'
import { splitApng } from './apng.ts'
import { openFile, openRaw, type Prepared } from './codec.ts'
import { composeFrames, type Frame } from './composeFrames.ts'
import { applyGamma } from './gamma.ts'
import { disposalOf, isTransparent, needsComposing, readGif, singleFrameGif } from './gif.ts'
import type { ImageFormat } from './imageFormat.ts'
import { webpKind } from './webp.ts'

/** As browsers do: a frame that claims to last no time at all, or hardly any, lasts a tenth of a second. */
const SHORTEST_MS = 10
const INSTEAD_MS = 100
/** The most that sharp can be asked to write. */
const LONGEST_MS = 65_530
const shownDelay = (ms: number) => (ms <= SHORTEST_MS ? INSTEAD_MS : ms)

/**
 * Opens an image. What libvips reads differently from browsers is converted first: animated PNG, gamma, GIF frames that
 * leave gaps, CMYK without a profile.
 * @param most frames to open
 */
export async function prepare(
  bytes: Buffer,
  format: ImageFormat,
  source: Metadata,
  most = Number.POSITIVE_INFINITY,
): Promise<Prepared> {
  const frames = Math.min(most, source.pages ?? 1)
  const plain: Prepared = {
    picture: openFile(bytes, frames > 1),
    format,
    ...(frames > 1 ? { width: source.width, height: source.height } : source.autoOrient),
    frames,
    delay: (source.delay ?? []).map(format === 'webp' ? shownDelay : Number),
    loop: source.loop ?? 0,
    isComposed: false,
    kind: null,
  }
  if (format === 'png') return preparePng(bytes, plain, source, most)
  if (format === 'gif') return prepareGif(bytes, plain)
  if (format === 'webp') return { ...plain, kind: webpKind(bytes) }
  return source.space === 'cmyk' && !source.hasProfile ? { ...plain, picture: await openCmyk(plain.picture) } : plain
}

async function preparePng(bytes: Buffer, plain: Prepared, source: Metadata, most: number): Promise<Prepared> {
  const apng = splitApng(bytes)
  if (!apng) {
    const corrected = applyGamma(bytes)
    const picture = openFile(corrected, false)
    // Colours of 16 bits with a profile are worked on in Display P3 by the library, and would be stored as if sRGB.
    const hasProfile = source.hasProfile || corrected !== bytes
    if (source.depth === 'ushort' && hasProfile) picture.withIccProfile('srgb', { attach: false })
    return { ...plain, picture, kind: source.isPalette ? 'palette' : null }
  }
  const { width, height } = source
  const frames = apng.frames.slice(0, most)
  async function* decoded(): AsyncGenerator<Frame> {
    for (const { png, ...frame } of frames) yield { ...frame, pixels: await rgbaOf(applyGamma(png), frame) }
  }
  return {
    ...{ width, height, frames: frames.length, loop: apng.loop, isComposed: true },
    picture: openRaw(await composeFrames({ width, height }, decoded(), frames.length), { width, height }),
    delay: frames.map(({ delay }) => Math.min(LONGEST_MS, shownDelay(delay))),
    ...(frames.length > 1 ? { format: 'webp', kind: 'lossless' } : { format: 'png', kind: null }),
  }
}

async function prepareGif(bytes: Buffer, plain: Prepared): Promise<Prepared> {
  const gif = readGif(bytes)
  if (!gif || !needsComposing(gif)) return plain
  const { width, height } = plain
  const frames = gif.frames.slice(0, plain.frames)
  async function* decoded(): AsyncGenerator<Frame> {
    for (const frame of frames) {
      const pixels = await rgbaOf(singleFrameGif(bytes, frame), frame)
      yield { ...frame, pixels, dispose: disposalOf(frame), blend: isTransparent(frame) }
    }
  }
  const pixels = await composeFrames({ width, height }, decoded(), frames.length)
  const delay = plain.delay.map((ms) => Math.min(LONGEST_MS, ms))
  return { ...plain, delay, isComposed: true, picture: openRaw(pixels, { width, height }) }
}

async function rgbaOf(bytes: Buffer, { width, height }: { width: number; height: number }): Promise<Buffer> {
  const { data, info } = await openFile(bytes, false)
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  if (info.width !== width || info.height !== height || info.channels !== 4) throw new Error('a frame has another size')
  return data
}

/** Converts CMYK as browsers do where no profile says how: each ink takes its share of the light. */
async function openCmyk(picture: Sharp): Promise<Sharp> {
  const { data, info } = await picture
    .pipelineColourspace('cmyk')
    .toColourspace('cmyk')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const rgb = Buffer.alloc((data.length / 4) * 3)
  for (let from = 0, to = 0; from < data.length; from += 4) {
    const light = 255 - (data[from + 3] ?? 0)
    for (let ink = from; ink < from + 3; ink++) rgb[to++] = Math.round(((255 - (data[ink] ?? 0)) * light) / 255)
  }
  return openRaw(rgb, info, 3)
}
