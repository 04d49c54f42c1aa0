import sharp from 'sharp'
import { withSvgDecoder } from '#server/core/media/svg.ts'

/** `pixels` has three bytes per pixel. */
export type RawImage = { pixels: Buffer; width: number; height: number }
type Random = () => number

/** Returns numbers from 0 to 1. The same seed returns the same numbers (mulberry32). */
export function seededRandom(seed: number): Random {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const between = (random: Random, from: number, to: number) => from + random() * (to - from)
const integer = (random: Random, from: number, to: number) => Math.floor(between(random, from, to + 1))
const colour = (random: Random) => `rgb(${[0, 0, 0].map(() => integer(random, 0, 255)).join(',')})`
const repeat = (count: number, create: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => create(i)).join('')

async function renderSvg(width: number, height: number, content: string): Promise<RawImage> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${content}</svg>`
  const image = sharp(Buffer.from(svg)).flatten({ background: '#fff' }).toColourspace('srgb').removeAlpha()
  return { pixels: await withSvgDecoder(() => image.raw().toBuffer()), width, height }
}

/** Draws every pixel from its position, both from 0 to 1. The function writes values from 0 to 255. */
function drawPixels(width: number, height: number, draw: (x: number, y: number, to: number[]) => void): RawImage {
  const pixels = Buffer.alloc(width * height * 3)
  const values = [0, 0, 0]
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at += 3) {
      draw(x / width, y / height, values)
      for (let channel = 0; channel < 3; channel++)
        pixels[at + channel] = Math.max(0, Math.min(255, values[channel] ?? 0))
    }
  }
  return { pixels, width, height }
}

/** Returns smooth noise on a grid, from -1 to 1. */
function valueNoise(random: Random, columns: number, rows: number) {
  const grid = Float64Array.from({ length: (columns + 2) * (rows + 2) }, () => random() * 2 - 1)
  const smooth = (part: number) => part * part * (3 - 2 * part)
  return (x: number, y: number) => {
    const [gx, gy] = [x * columns, y * rows]
    const [left, top] = [Math.floor(gx), Math.floor(gy)]
    const at = (column: number, row: number) => grid[(top + row) * (columns + 2) + left + column] ?? 0
    const [fx, fy] = [smooth(gx - left), smooth(gy - top)]
    return (at(0, 0) * (1 - fx) + at(1, 0) * fx) * (1 - fy) + (at(0, 1) * (1 - fx) + at(1, 1) * fx) * fy
  }
}

/** Sums octaves of noise: `fall` 0.5 resembles landscapes and clouds, 1 resembles grain. */
function fractalNoise(random: Random, octaves: number, fall: number, base = 2) {
  const layers = Array.from({ length: octaves }, (_, octave) =>
    valueNoise(random, base * 2 ** octave, base * 2 ** octave),
  )
  const total = layers.reduce((sum, _, octave) => sum + fall ** octave, 0)
  return (x: number, y: number) => layers.reduce((sum, layer, octave) => sum + layer(x, y) * fall ** octave, 0) / total
}

const size = (random: Random): [number, number] => [integer(random, 120, 300), integer(random, 120, 300)]
const drawingSize = (random: Random): [number, number] => [integer(random, 48, 96), integer(random, 48, 96)]

const GENERATORS: Record<string, (random: Random) => RawImage | Promise<RawImage>> = {
  noise(random) {
    const noise = [0, 1, 2].map(() =>
      fractalNoise(random, integer(random, 2, 5), between(random, 0.6, 1), integer(random, 3, 12)),
    )
    return drawPixels(...drawingSize(random), (x, y, to) => {
      for (const [i, layer] of noise.entries()) to[i] = 128 + 250 * layer(x, y)
    })
  },
  landscape(random) {
    const noise = fractalNoise(random, 6, 0.55)
    const hills = Array.from({ length: integer(random, 1, 4) }, () => ({
      line: fractalNoise(random, 5, 0.5),
      at: between(random, 0.2, 0.8),
      tint: [0, 0, 0].map(() => between(random, 0.2, 1)),
    })).sort((a, b) => a.at - b.at)
    const sky = [0, 0, 0].map(() => between(random, 90, 240))
    return drawPixels(...drawingSize(random), (x, y, to) => {
      const texture = noise(x, y)
      const hill = hills.findLast(({ line, at }) => y > at + line(x, 0.5) * 0.4)
      for (let i = 0; i < 3; i++)
        to[i] = hill ? (120 + 120 * texture) * (hill.tint[i] ?? 0) : (sky[i] ?? 0) + 60 * y + 50 * texture
    })
  },
  plasma(random) {
    const waves = Array.from({ length: integer(random, 3, 7) }, () => [0, 0, 0].map(() => between(random, -22, 22)))
    const shift = [0, 0, 0].map(() => between(random, 0, 6))
    return drawPixels(...drawingSize(random), (x, y, to) => {
      const value = waves.reduce((sum, [a = 0, b = 0, c = 0]) => sum + Math.sin(a * x + b * y + c), 0)
      for (let i = 0; i < 3; i++) to[i] = 128 + 127 * Math.sin(value + (shift[i] ?? 0))
    })
  },
  gradient(random) {
    const [width, height] = size(random)
    const stops = repeat(
      integer(random, 2, 6),
      (i) => `<stop offset="${i * between(random, 0.15, 0.3)}" stop-color="${colour(random)}"/>`,
    )
    const radial = `<radialGradient id="g" cx="${random()}" cy="${random()}" r="${between(random, 0.3, 1)}">${stops}</radialGradient>`
    const linear = `<linearGradient id="g" x1="${random()}" y1="${random()}" x2="${random()}" y2="${random()}">${stops}</linearGradient>`
    return renderSvg(
      width,
      height,
      `<defs>${random() < 0.5 ? radial : linear}</defs><rect width="100%" height="100%" fill="url(#g)"/>`,
    )
  },
  shapes(random) {
    const [width, height] = size(random)
    const x = () => between(random, -20, width)
    const y = () => between(random, -20, height)
    const shape = [
      () => `<rect x="${x()}" y="${y()}" width="${x()}" height="${y()}" fill="${colour(random)}"/>`,
      () => `<circle cx="${x()}" cy="${y()}" r="${between(random, 5, width / 3)}" fill="${colour(random)}"/>`,
      () => `<polygon points="${repeat(3, () => `${x()},${y()} `)}" fill="${colour(random)}"/>`,
      () =>
        `<path d="M${x()} ${y()}Q${x()} ${y()} ${x()} ${y()}" fill="none" stroke="${colour(random)}" stroke-width="${between(random, 2, 20)}"/>`,
    ]
    const shapes = repeat(integer(random, 3, 30), () => shape[integer(random, 0, 3)]?.() ?? '')
    return renderSvg(width, height, `<rect width="100%" height="100%" fill="${colour(random)}"/>${shapes}`)
  },
  text(random) {
    const [width, height] = size(random)
    const fontSize = between(random, 9, 34)
    const word = () => repeat(integer(random, 1, 9), () => String.fromCharCode(integer(random, 97, 122)))
    const line = () => repeat(integer(random, 1, Math.max(1, Math.floor(width / fontSize / 2))), () => `${word()} `)
    const lines = repeat(Math.floor(height / fontSize / 1.4), (i) =>
      random() < 0.15
        ? ''
        : `<text x="${fontSize}" y="${(i + 1) * fontSize * 1.4}" font-size="${fontSize}" fill="currentColor">${line()}</text>`,
    )
    const isDark = random() < 0.3
    return renderSvg(
      width,
      height,
      `<rect width="100%" height="100%" fill="${isDark ? '#111' : '#fff'}"/><g color="${isDark ? '#ddd' : '#222'}" font-family="sans-serif">${lines}</g>`,
    )
  },
  screenshot(random) {
    const [width, height] = size(random)
    const bar = between(random, 20, 60)
    const side = between(random, 0.15, 0.35) * width
    const card = () =>
      `<rect x="${between(random, side, width - 40)}" y="${between(random, bar, height - 30)}" width="${between(random, 40, width - side)}" height="${between(random, 12, 80)}" rx="6" fill="${colour(random)}"/>`
    const item = (i: number) =>
      `<rect x="8" y="${bar + 8 + i * 22}" width="${between(random, 20, side - 16)}" height="10" fill="${colour(random)}"/>`
    return renderSvg(
      width,
      height,
      `<rect width="100%" height="100%" fill="#f4f4f6"/>${repeat(integer(random, 2, 9), card)}<rect width="${side}" height="100%" fill="#26262e"/>${repeat(integer(random, 2, 12), item)}<rect width="100%" height="${bar}" fill="${colour(random)}"/>`,
    )
  },
  fields(random) {
    const [width, height] = size(random)
    const [columns, rows] = [integer(random, 2, 9), integer(random, 2, 9)]
    return renderSvg(
      width,
      height,
      repeat(
        columns * rows,
        (i) =>
          `<rect x="${((i % columns) * width) / columns}" y="${(Math.floor(i / columns) * height) / rows}" width="${width / columns + 1}" height="${height / rows + 1}" fill="${colour(random)}"/>`,
      ),
    )
  },
}

/** Enlarges images drawn pixel by pixel, because drawing them in full size takes 100 ms. */
async function enlarge({ pixels, width, height }: RawImage): Promise<RawImage> {
  const large = { width: width * 3, height: height * 3 }
  const image = sharp(pixels, { raw: { width, height, channels: 3 } }).resize({ ...large, fit: 'fill' })
  return { pixels: await image.raw().toBuffer(), ...large }
}

export const IMAGE_KINDS = Object.keys(GENERATORS)

/** Creates the image with a number. Consecutive numbers create different kinds of images. */
export async function createVariedImage(number: number): Promise<RawImage & { kind: string }> {
  const kind = IMAGE_KINDS[number % IMAGE_KINDS.length] ?? 'noise'
  const image = await GENERATORS[kind]?.(seededRandom(number * 7919 + 1))
  if (!image) throw new Error(`no generator for ${kind}`)
  return { ...(image.width < 100 ? await enlarge(image) : image), kind }
}

export const openRaw = ({ pixels, width, height }: RawImage) => sharp(pixels, { raw: { width, height, channels: 3 } })
