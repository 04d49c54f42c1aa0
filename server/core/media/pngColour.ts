import { inflateSync } from 'node:zlib'
import type { Sharp } from 'sharp'
import { type Cicp, cicpProfile } from './cicp.ts'
import { openFile } from './codec.ts'
import { matrixProfile, type Primaries, rgbOfGrey, SRGB_PRIMARIES, spaceOf } from './colourProfile.ts'
import { openGrey } from './grey.ts'
import { pngChunks, pngOf, withProfile } from './png.ts'

const SRGB_GAMMA = 0.45455
/** relative difference from sRGB's gamma below which nothing is converted, as in libpng */
const TOLERANCE = 0.05
const EXPONENT_RANGE = [0.01, 100] as const
const GREY_TYPES = [0, 4]
/** Limits profiles that inflate to gigabytes. Profiles of printers have up to 3 MB. */
const MAX_PROFILE_BYTES = 4 * 1024 * 1024

/** Opens a PNG with the colours that Chromium shows. libvips ignores cICP, gAMA, cHRM, and profiles of 16-bit grey. */
export async function openPng(png: Buffer): Promise<Sharp> {
  const { described, embedded } = readColours(png)
  const isDeep = png[24] === 16
  if (GREY_TYPES.includes(png[25] ?? 0)) {
    const profile = described ?? (embedded && greyProfile(embedded, isDeep))
    return profile ? openGrey(png, profile, isDeep ? 16 : 8) : openFile(png, false)
  }
  const image = openFile(described ? withProfile(withoutProfile(png), described) : png, false)
  // Convert 16-bit images that have a profile: otherwise sharp stores Display P3 values as if they were sRGB.
  if (isDeep && (described || embedded)) image.withIccProfile('srgb', { attach: false })
  return image
}

/** Returns a profile for `openGrey`, or null if libvips uses the embedded profile, or nothing can. */
function greyProfile(embedded: Buffer, isDeep: boolean): Buffer | null {
  if (spaceOf(embedded) === 'RGB ') return embedded
  return isDeep ? rgbOfGrey(embedded) : null
}

type Colours = {
  /** a profile of what cICP, or gAMA and cHRM, describe */
  described: Buffer | null
  embedded: Buffer | null
}

/** By the specification, cICP has precedence over iCCP, iCCP over sRGB, and sRGB over gAMA. cHRM needs gAMA. */
function readColours(png: Buffer): Colours {
  let gamma = 0
  let primaries: Primaries | null = null
  let cicp: Buffer | null = null
  let embedded: Buffer | null = null
  let isSrgb = false
  for (const { type, data } of pngChunks(png)) {
    if (type === 'IDAT') break
    if (type === 'cICP' && data.length === 4) cicp ??= data
    if (type === 'iCCP') embedded ??= inflateProfile(data)
    if (type === 'sRGB') isSrgb = true
    if (type === 'gAMA' && data.length === 4) gamma ||= data.readUInt32BE(0) / 100_000
    if (type === 'cHRM' && data.length === 32) primaries ??= readPrimaries(data)
  }
  const described = cicp && cicpProfile([...cicp] as Cicp)
  if (described) return { described, embedded: null }
  return { described: embedded || isSrgb ? null : gammaProfile(gamma, primaries), embedded }
}

function gammaProfile(gamma: number, primaries: Primaries | null): Buffer | null {
  if (gamma === 0) return null
  if (primaries === null && Math.abs(gamma / SRGB_GAMMA - 1) < TOLERANCE) return null
  const [least, most] = EXPONENT_RANGE
  const exponent = Math.min(most, Math.max(least, 1 / gamma))
  return matrixProfile([exponent, 1, 0, 0, 0], primaries ?? SRGB_PRIMARIES)
}

const readPrimaries = (data: Buffer) =>
  Array.from({ length: 8 }, (_, index) => data.readUInt32BE(index * 4) / 100_000) as Primaries

/** Returns an empty profile for a broken one: it still has precedence over gAMA. */
function inflateProfile(data: Buffer): Buffer {
  try {
    return inflateSync(data.subarray(data.indexOf(0) + 2), { maxOutputLength: MAX_PROFILE_BYTES })
  } catch {
    return Buffer.alloc(0)
  }
}

const withoutProfile = (png: Buffer): Buffer => {
  const chunks = [...pngChunks(png)]
  return chunks.some(({ type }) => type === 'iCCP')
    ? pngOf(chunks.filter(({ type }) => type !== 'iCCP' && type !== 'IEND'))
    : png
}
