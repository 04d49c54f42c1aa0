import { type Curve, matrixProfile, type Primaries, SRGB_PRIMARIES } from './colourProfile.ts'
import { type HdrTransfer, hdrProfile } from './hdrProfile.ts'

/** Codes of ITU-T H.273: primaries, transfer function, matrix, and whether values use the full range. */
export type Cicp = [primaries: number, transfer: number, matrix: number, isFullRange: number]

const C_WHITE = [0.31, 0.316] as const
const D65 = [0.3127, 0.329] as const
const NTSC: Primaries = [...D65, 0.63, 0.34, 0.31, 0.595, 0.155, 0.07]
const P3 = [0.68, 0.32, 0.265, 0.69, 0.15, 0.06] as const

const PRIMARIES = new Map<number, Primaries>([
  [1, SRGB_PRIMARIES],
  [4, [...C_WHITE, 0.67, 0.33, 0.21, 0.71, 0.14, 0.08]],
  [5, [...D65, 0.64, 0.33, 0.29, 0.6, 0.15, 0.06]],
  [6, NTSC],
  [7, NTSC],
  [8, [...C_WHITE, 0.681, 0.319, 0.243, 0.692, 0.145, 0.049]],
  [9, [...D65, 0.708, 0.292, 0.17, 0.797, 0.131, 0.046]],
  [11, [0.314, 0.351, ...P3]],
  [12, [...D65, ...P3]],
  [22, [...D65, 0.63, 0.34, 0.295, 0.605, 0.155, 0.077]],
])

const power = (exponent: number, factor = 1): Curve => [exponent, factor ** (1 / exponent), 0, 0, 0]
/** The curve of televisions. Chromium also uses it for the codes of cameras. */
const BT1886 = power(2.4)

const CURVES = new Map<number, Curve>([
  [1, BT1886],
  [4, power(2.2)],
  [5, power(2.8)],
  [6, BT1886],
  [7, [1 / 0.45, 1 / 1.1115, 0.1115 / 1.1115, 1 / 4, 0.0912]],
  [8, power(1)],
  [11, BT1886],
  [13, [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045]],
  [14, BT1886],
  [15, BT1886],
  [17, power(2.6, 52.37 / 48)],
])

const HDR = new Map<number, HdrTransfer>([
  [16, 'pq'],
  [18, 'hlg'],
])

/** Builds the profile of a PNG's cICP chunk. @returns null for codes that Chromium ignores, or that are not for RGB */
export function cicpProfile([primaries, transfer, matrix, isFullRange]: Cicp): Buffer | null {
  const known = PRIMARIES.get(primaries)
  if (!known || matrix !== 0 || isFullRange !== 1) return null
  const hdr = HDR.get(transfer)
  if (hdr) return hdrProfile(hdr, known)
  const curve = CURVES.get(transfer)
  return curve ? matrixProfile(curve, known) : null
}
