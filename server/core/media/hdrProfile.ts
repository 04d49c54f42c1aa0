import {
  colorantsOf,
  invert,
  type Matrix,
  multiply,
  type Primaries,
  profileOf,
  transpose,
  type Vector,
} from './colourProfile.ts'

export type HdrTransfer = 'pq' | 'hlg'

/** Light is relative to white paper, which has 203 cd/m². The brightest light has 1,000 cd/m². */
const WHITE = 203
const BRIGHTEST = 1000 / WHITE
const REC2020: Primaries = [0.3127, 0.329, 0.708, 0.292, 0.17, 0.797, 0.131, 0.046]

/** points per side of the table of colours */
const GRID = 33
/** The table stores roots, because eyes see differences of dark colours best. */
const ROOT = 3
const ROOT_STEPS = 4096
const LARGEST_XYZ = 1 + 32_767 / 32_768

const profiles = new Map<string, Buffer | null>()

/**
 * Builds a profile that converts HDR colours as Chromium shows them on a usual screen. The brightness of a colour depends
 * on all of its channels, so the profile is a table of colours.
 * @returns null if the primaries are not a valid colour space
 */
export function hdrProfile(transfer: HdrTransfer, primaries: Primaries): Buffer | null {
  const key = `${transfer} ${primaries}`
  // The frames of an animation have the same profile.
  if (!profiles.has(key)) profiles.set(key, createProfile(transfer, primaries))
  return profiles.get(key) ?? null
}

function createProfile(transfer: HdrTransfer, primaries: Primaries): Buffer | null {
  const [own, wide] = [colorantsOf(primaries), colorantsOf(REC2020)]
  if (!own || !wide) return null
  const [toXyz, wideToXyz] = [transpose(own), transpose(wide)]
  const toWide = invert(wideToXyz)
  const light = transfer === 'pq' ? pqLight : (colour: Vector) => hlgLight(colour, toXyz)
  const data = Buffer.alloc(52 + 2 * (3 * 2 + GRID ** 3 * 3 + 3 * ROOT_STEPS))
  data.write('mft2', 'latin1')
  data.set([3, 3, GRID], 8)
  for (const at of [12, 28, 44]) data.writeInt32BE(65_536, at)
  data.writeUInt16BE(2, 48)
  data.writeUInt16BE(ROOT_STEPS, 50)
  let at = 52
  const write = (share: number) => {
    at = data.writeUInt16BE(Math.round(65_535 * Math.min(1, Math.max(0, share))), at)
  }
  for (const share of [0, 1, 0, 1, 0, 1]) write(share)
  for (let index = 0; index < GRID ** 3; index++) {
    const steps = [index / GRID ** 2, (index / GRID) % GRID, index % GRID].map(Math.floor)
    const rgb = multiply(toWide, multiply(toXyz, light(steps.map((step) => step / (GRID - 1)) as Vector)))
    const factor = toneFactor(Math.max(...rgb))
    for (const value of multiply(wideToXyz, rgb)) write(Math.max(0, (value * factor) / LARGEST_XYZ) ** (1 / ROOT))
  }
  for (let step = 0; step < 3 * ROOT_STEPS; step++) write(((step % ROOT_STEPS) / (ROOT_STEPS - 1)) ** ROOT)
  return profileOf([['A2B0', data]])
}

/** SMPTE ST 2084 */
const pqLight = (colour: Vector) =>
  colour.map((value) => {
    const root = value ** (1 / 78.84375)
    return (10_000 / WHITE) * (Math.max(root - 0.8359375, 0) / (18.8515625 - 18.6875 * root)) ** (1 / 0.1593017578125)
  }) as Vector

/** ITU-R BT.2100, on a screen of 1,000 cd/m²: the light of the scene grows with its luminance. */
function hlgLight(colour: Vector, toXyz: Matrix): Vector {
  const scene = colour.map((value) =>
    value <= 0.5 ? value ** 2 / 3 : (Math.exp((value - 0.55991073) / 0.17883277) + 0.28466892) / 12,
  ) as Vector
  const luminance = multiply(toXyz, scene)[1]
  return scene.map((value) => value * BRIGHTEST * luminance ** 0.2) as Vector
}

/**
 * Returns the factor for a colour with this largest channel. Up to white, light is halved. Brighter light follows a curve
 * to the white of the screen: Chromium's, as measured.
 */
function toneFactor(light: number): number {
  if (light <= 1) return 0.5
  if (light >= BRIGHTEST) return 1 / light
  // A quadratic Bézier curve from (1, 0.5) by (1.65, 0.825) to (BRIGHTEST, 1).
  const bend = BRIGHTEST - 2.3
  const t = (Math.sqrt(1.3 ** 2 + 4 * bend * (light - 1)) - 1.3) / (2 * bend)
  return (0.5 + 0.65 * t - 0.15 * t * t) / light
}
