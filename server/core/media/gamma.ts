import { gammaProfile, type Primaries, SRGB_PRIMARIES } from './colourProfile.ts'
import { pngChunks, withProfile } from './png.ts'

const SRGB_GAMMA = 0.45455
/** relative difference from sRGB's gamma below which nothing is converted, as in libpng */
const TOLERANCE = 0.05
const GREY_TYPES = [0, 4]

/**
 * Converts gAMA and cHRM to an ICC profile, because libvips ignores both. As in Chromium, iCCP, sRGB and cICP take
 * precedence, and cHRM needs gAMA.
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
