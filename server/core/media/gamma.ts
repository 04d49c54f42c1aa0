import { gammaProfile, type Primaries, SRGB_PRIMARIES } from './colourProfile.ts'
import { pngChunks, withProfile } from './png.ts'

/** What sRGB is taken for in a gAMA chunk. */
const SRGB_GAMMA = 0.45455
/** As in libpng: a smaller difference is not worth a conversion. */
const TOLERANCE = 0.05
const GREY_TYPES = [0, 4]

/**
 * Replaces a PNG's gAMA and cHRM chunks by a colour profile that says the same, because libvips ignores them and
 * browsers do not. As in Chromium they count only without iCCP, sRGB and cICP, and cHRM counts only beside gAMA.
 */
export function applyGamma(png: Buffer): Buffer {
  let gamma = 0
  let primaries: Primaries | null = null
  for (const { type, data } of pngChunks(png)) {
    if (type === 'IDAT') break
    if (['iCCP', 'sRGB', 'cICP'].includes(type)) return png
    if (type === 'gAMA' && data.length === 4) gamma ||= data.readUInt32BE(0) / 100_000
    if (type === 'cHRM' && data.length === 32) primaries ??= readPrimaries(data)
  }
  if (gamma === 0) return png
  if (primaries === null && Math.abs(gamma / SRGB_GAMMA - 1) < TOLERANCE) return png
  const isGrey = GREY_TYPES.includes(png[25] ?? 0)
  const profile = gammaProfile(1 / gamma, isGrey ? null : (primaries ?? SRGB_PRIMARIES))
  return profile ? withProfile(png, profile) : png
}

const readPrimaries = (data: Buffer) =>
  Array.from({ length: 8 }, (_, index) => data.readUInt32BE(index * 4) / 100_000) as Primaries
