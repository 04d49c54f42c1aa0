/** The x and y coordinates of white, red, green and blue, as in a cHRM chunk. */
export type Primaries = [number, number, number, number, number, number, number, number]
export const SRGB_PRIMARIES: Primaries = [0.3127, 0.329, 0.64, 0.33, 0.3, 0.6, 0.15, 0.06]

export type Vector = [number, number, number]
export type Matrix = [Vector, Vector, Vector]

const D50: Vector = [0.9642, 1, 0.8249]
const BRADFORD: Matrix = [
  [0.8951, 0.2664, -0.1614],
  [-0.7502, 1.7135, 0.0367],
  [0.0389, -0.0685, 1.0296],
]
/** Numbers of an ICC curve: `x < d ? c * x : (a * x + b) ** g` converts encoded values to linear values. */
export type Curve = [g: number, a: number, b: number, c: number, d: number]

/**
 * Builds an RGB profile.
 * @param curve of all channels, or the data of an ICC tag
 * @returns null if the primaries are not a valid colour space
 */
export function matrixProfile(curve: Curve | Buffer, primaries: Primaries): Buffer | null {
  const colorants = colorantsOf(primaries)
  if (!colorants) return null
  const data = Buffer.isBuffer(curve) ? curve : tagData('para', [3 << 16, ...curve.map(fixed)])
  return profileOf(
    ['r', 'g', 'b'].flatMap((name, index): Tag[] => [
      [`${name}XYZ`, xyz(colorants[index] as Vector)],
      [`${name}TRC`, data],
    ]),
  )
}

/** Builds an RGB profile with the curve of a greyscale profile. @returns null for other profiles */
export function rgbOfGrey(profile: Buffer): Buffer | null {
  if (spaceOf(profile) !== 'GRAY' || profile.length < 132) return null
  for (let at = 132; at + 12 <= Math.min(profile.length, 132 + 12 * profile.readUInt32BE(128)); at += 12) {
    if (profile.toString('latin1', at, at + 4) !== 'kTRC') continue
    const start = profile.readUInt32BE(at + 4)
    return matrixProfile(profile.subarray(start, start + profile.readUInt32BE(at + 8)), SRGB_PRIMARIES)
  }
  return null
}

/** Returns the colour space whose values a profile describes, such as `RGB ` or `GRAY`. */
export const spaceOf = (profile: Buffer): string => profile.toString('latin1', 16, 20)

export type Tag = [name: string, data: Buffer]

const fixed = (value: number) => Math.round(value * 65_536)
export const xyz = (values: Vector) => tagData('XYZ ', values.map(fixed))

function tagData(type: string, values: number[]): Buffer {
  const data = Buffer.alloc(8 + values.length * 4)
  data.write(type, 'latin1')
  for (const [index, value] of values.entries()) data.writeInt32BE(value, 8 + index * 4)
  return data
}

/** Builds an RGB profile of version 2, because version 4 has another black for tables. */
export function profileOf(ownTags: Tag[]): Buffer {
  const tags: Tag[] = [['wtpt', xyz(D50)], ...ownTags]
  const header = Buffer.alloc(128)
  header.writeUInt32BE(0x02400000, 8)
  header.write('mntrRGB XYZ ', 12, 'latin1')
  header.write('acsp', 36, 'latin1')
  for (const [index, value] of D50.entries()) header.writeInt32BE(fixed(value), 68 + index * 4)
  const table = Buffer.alloc(4 + tags.length * 12)
  table.writeUInt32BE(tags.length)
  let at = header.length + table.length
  for (const [index, [name, data]] of tags.entries()) {
    table.write(name, 4 + index * 12, 'latin1')
    table.writeUInt32BE(at, 8 + index * 12)
    table.writeUInt32BE(data.length, 12 + index * 12)
    at += data.length
  }
  header.writeUInt32BE(at)
  return Buffer.concat([header, table, ...tags.map(([, data]) => data)])
}

/** Returns the XYZ values of red, green and blue as rows, adapted to the D50 white point of ICC profiles. */
export function colorantsOf([wx, wy, ...colours]: Primaries): Matrix | null {
  const toXyz = (x: number, y: number): Vector => [x / y, 1, (1 - x - y) / y]
  const white = toXyz(wx, wy)
  const [rx, ry, gx, gy, bx, by] = colours
  const columns = transpose([toXyz(rx, ry), toXyz(gx, gy), toXyz(bx, by)])
  const scale = multiply(invert(columns), white)
  const cones = multiply(BRADFORD, white)
  const target = multiply(BRADFORD, D50)
  const adapt = (colour: Vector) => {
    const response = multiply(BRADFORD, colour).map((value, index) => (value * at(target, index)) / at(cones, index))
    return multiply(invert(BRADFORD), response as Vector)
  }
  const colorants = transpose(columns).map((colour, index) =>
    adapt(colour.map((value) => value * at(scale, index)) as Vector),
  ) as Matrix
  // Larger values could overflow ICC's 16.16 fixed-point numbers. Real colour spaces stay far below 100.
  return colorants.flat().every((value) => Math.abs(value) < 100) ? colorants : null
}

const at = (vector: Vector, index: number) => vector[index] ?? 0
export const multiply = (matrix: Matrix, [x, y, z]: Vector) =>
  matrix.map(([a, b, c]) => a * x + b * y + c * z) as Vector
export const transpose = ([a, b, c]: Matrix) => [0, 1, 2].map((i) => [at(a, i), at(b, i), at(c, i)]) as Matrix

export function invert([[a, b, c], [d, e, f], [g, h, i]]: Matrix): Matrix {
  const determinant = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
  return [
    [e * i - f * h, c * h - b * i, b * f - c * e],
    [f * g - d * i, a * i - c * g, c * d - a * f],
    [d * h - e * g, b * g - a * h, a * e - b * d],
  ].map((row) => row.map((value) => value / determinant)) as Matrix
}
