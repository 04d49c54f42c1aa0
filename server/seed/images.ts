import sharp from 'sharp'
import { UploadedFile } from '#src/contract/image.ts'
import { CELL, textPath } from './glyphs.ts'
import type { Random } from './random.ts'

const INK = { ground: '#101018', panel: '#1b1b28', line: '#34344a', dim: '#77778f', text: '#d9d9ea', violet: '#a279fd' }
const WARM = ['#e6b673', '#e08a5b', '#d9694f', '#c9524f', '#f0cf8a']
const FORMATS = ['png', 'png', 'webp', 'jpeg'] as const

type Size = { width: number; height: number }
type Drawing = (random: Random, size: Size) => string

const SIZES: Size[] = [
  { width: 1280, height: 720 },
  { width: 960, height: 600 },
  { width: 720, height: 960 },
  { width: 1600, height: 520 },
  { width: 640, height: 640 },
  { width: 540, height: 900 },
  { width: 860, height: 430 },
]

const rect = (x: number, y: number, width: number, height: number, fill: string, more = '') =>
  `<rect x="${x.toFixed(1)}" y="${y.toFixed(1)}" width="${width.toFixed(1)}" height="${height.toFixed(1)}" fill="${fill}" ${more}/>`
const stroke = (d: string, colour: string, width: number) =>
  `<path d="${d}" fill="none" stroke="${colour}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"/>`
const write = (text: string, x: number, y: number, dot: number, colour: string) =>
  `<path d="${textPath(text, x, y, dot)}" fill="${colour}"/>`

const COMMANDS = [
  ['$ make -j4', '  cc   main.o parse.o net.o', '  ld   build/site', 'done in 3.1 s'],
  ['$ uptime', ' 16:31  up 412 days, 2 users', ' load: 0.08 0.03 0.01'],
  ['$ sha256sum dump*.bin', '9f31c07a...e2  dump1.bin', '9f31c07a...e2  dump2.bin', '41d8aa90...7b  dump3.bin'],
  ['$ df -h /srv', 'size  used  free  use%', '3.6t  3.4t  180g   95%'],
  ['$ ping -c 3 node7', 'seq=1 time=41.2 ms', 'seq=2 time=39.8 ms', 'seq=3 time=644 ms  (!)'],
  ['$ grep -rn todo src | wc -l', '118'],
  ['$ flashrom -p ch341a_spi -r a.bin', 'found chip w25q128 (16384 kb)', 'reading flash... done.'],
  ['> explain (analyze, buffers)', 'index scan  rows=48  0.31 ms', '  buffers: shared hit=12'],
  ['$ sensors', 'cpu  +41.0 c   (high = +90.0 c)', 'fan1  612 rpm'],
]

const terminal: Drawing = (random, { width, height }) => {
  const dot = Math.max(2, Math.floor(width / 300))
  const line = CELL.height * dot * 1.25
  const bar = 18 * dot
  const lines = random.shuffle(COMMANDS).flat()
  const rows = Math.floor((height - bar - 16 * dot) / line)
  const shown = [...lines.slice(0, rows - 1), '$ _']
  const buttons = ['#d9694f', '#e6b673', '#8fbf7a'].map(
    (fill, at) => `<circle cx="${(11 + at * 11) * dot}" cy="${bar / 2}" r="${3.2 * dot}" fill="${fill}"/>`,
  )
  const text = shown.map((one, row) =>
    write(one, 8 * dot, Math.round(bar + 8 * dot + row * line), dot, /^[$>]/.test(one) ? INK.violet : INK.text),
  )
  return rect(0, 0, width, bar, INK.panel) + buttons.join('') + text.join('')
}

const waveform: Drawing = (random, { width, height }) => {
  const step = Math.max(4, Math.round(width / 180))
  const [slow, fast] = [random.int(2, 5), random.int(9, 17)]
  let ticks = ''
  for (let x = step * 2; x < width - step; x += step) {
    const at = x / width
    const swell = 0.35 + 0.65 * Math.abs(Math.sin(at * slow * Math.PI) * Math.cos(at * fast))
    const reach = Math.max(2, swell * (0.35 + 0.65 * random.next()) * height * 0.42)
    ticks += rect(
      x,
      height / 2 - reach,
      step * 0.55,
      reach * 2,
      at < 0.38 ? INK.violet : INK.dim,
      `rx="${step * 0.27}"`,
    )
  }
  const head = Math.round(width * 0.38)
  return `${stroke(`M0 ${height / 2}H${width}`, INK.line, 1)}${ticks}${stroke(`M${head} 0V${height}`, INK.text, 2)}`
}

const circuit: Drawing = (random, { width, height }) => {
  const grid = Math.round(Math.min(width, height) / 24)
  const onGrid = (value: number) => Math.round(value / grid) * grid
  const chip = { x: onGrid(width * 0.34), y: onGrid(height * 0.28), w: onGrid(width * 0.32), h: onGrid(height * 0.44) }
  let svg = ''
  for (let y = chip.y + grid; y < chip.y + chip.h; y += grid * 2) {
    for (const [pin, side] of [
      [chip.x, -1],
      [chip.x + chip.w, 1],
    ] as const) {
      const bend = pin + side * grid * random.int(2, 4)
      const rise = grid * random.pick([-3, -2, 0, 2, 3])
      const end = side < 0 ? grid * random.int(1, 3) : onGrid(width) - grid * random.int(1, 3)
      const copper = random.chance(0.2) ? INK.violet : '#4f8f78'
      svg += stroke(`M${pin} ${y}H${bend}l${side * Math.abs(rise)} ${rise}H${end}`, copper, grid * 0.22)
      svg += `<circle cx="${end}" cy="${y + rise}" r="${grid * 0.42}" fill="${INK.ground}" stroke="#e6b673" stroke-width="${grid * 0.2}"/>`
      svg += rect(pin - grid * 0.4, y - grid * 0.25, grid * 0.8, grid * 0.5, '#c9c9d6')
    }
  }
  const dot = Math.max(2, Math.round(chip.w / 110))
  return (
    rect(0, 0, width, height, '#16302a') +
    svg +
    rect(chip.x, chip.y, chip.w, chip.h, '#0c0c10', `rx="${grid * 0.3}"`) +
    `<circle cx="${chip.x + grid}" cy="${chip.y + grid}" r="${grid * 0.35}" fill="${INK.line}"/>` +
    write(
      random.pick(['w25q128', 'z80 cpu', '6502', 'max232', 'ne555']),
      chip.x + grid * 2,
      chip.y + chip.h / 2,
      dot,
      INK.dim,
    )
  )
}

/** A flame graph. */
const flame: Drawing = (random, { width, height }) => {
  const row = Math.max(16, Math.round(height / 18))
  let svg = ''
  const grow = (left: number, span: number, level: number) => {
    if (span < 6 || level > 15) return
    svg += rect(left, height - (level + 1) * row, span - 1.5, row - 1.5, random.pick(WARM), 'rx="2"')
    let at = left
    while (at < left + span * 0.97 && (level < 3 || random.chance(0.9))) {
      const share = Math.min(span * (0.2 + 0.75 * random.next()), left + span - at)
      grow(at, share, level + 1)
      at += share + span * 0.03 * random.next()
    }
  }
  grow(0, width, 0)
  return svg
}

/** Frequency to the right, time downwards: carriers, bursts and a drifting one over noise. */
const waterfall: Drawing = (random, { width, height }) => {
  const [across, down] = [120, 70]
  const carriers = Array.from({ length: 5 }, () => ({
    at: random.int(4, across - 5),
    drift: random.chance(0.3) ? random.next() * 0.4 - 0.2 : 0,
    every: random.pick([1, 1, 6, 11]),
  }))
  let svg = ''
  for (let y = 0; y < down; y++) {
    for (let x = 0; x < across; x++) {
      const strong = carriers.some(
        ({ at, drift, every }) => Math.abs(x - at - y * drift) < 1.2 && (every === 1 || y % every < every / 3),
      )
      const level = Math.min(1, random.next() ** 3 * 0.5 + (strong ? 0.55 + 0.4 * random.next() : 0))
      const colour = `hsl(${Math.round(262 - 215 * level)} 80% ${Math.round(8 + 58 * level)}%)`
      svg += rect((x * width) / across, (y * height) / down, width / across + 0.5, height / down + 0.5, colour)
    }
  }
  return svg
}

const drawings = { terminal, waveform, circuit, flame, waterfall }
export type ImageKind = keyof typeof drawings

export async function createImage(random: Random, kind: ImageKind): Promise<UploadedFile> {
  const size = random.pick(SIZES)
  const format = random.pick(FORMATS)
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}">${
    rect(0, 0, size.width, size.height, INK.ground) + drawings[kind](random, size)
  }</svg>`
  return new UploadedFile(`${kind}.${format}`, `image/${format}`, await render(svg, format))
}

const render = (svg: string, format: (typeof FORMATS)[number]): Promise<Buffer> =>
  sharp(Buffer.from(svg)).flatten().toFormat(format, { quality: 88 }).toBuffer()
