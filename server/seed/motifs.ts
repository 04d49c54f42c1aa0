import type { Random } from './random.ts'

type Size = { width: number; height: number }
type Motif = {
  name: string
  format: 'png' | 'webp' | 'jpeg'
  /** @returns SVG elements; without text, because fonts differ between machines */
  draw: (random: Random, size: Size) => string
}

const range = (count: number) => Array.from({ length: count }, (_, index) => index)
const rect = (x: number, y: number, width: number, height: number, fill: string, rest = '') =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fill}" ${rest}/>`
const line = (stroke: string, width: number, ...points: (readonly [number, number])[]) =>
  `<polyline points="${points.map(([x, y]) => `${Math.round(x)},${Math.round(y)}`).join(' ')}" fill="none" stroke="${stroke}" stroke-width="${width}"/>`

const TRACES = ['#ffd166', '#4cc9f0', '#f28482', '#80ed99']

function drawScope(random: Random, { width, height }: Size): string {
  const cell = Math.round(width / 12)
  const columns = range(Math.ceil(width / cell)).map((at) => rect(at * cell, 0, 1, height, '#24344d'))
  const rows = range(Math.ceil(height / cell)).map((at) => rect(0, at * cell, width, 1, '#24344d'))
  const count = random.int(2, 3)
  const traces = range(count).map((at) => {
    const middle = ((at + 0.5) * height) / count
    const swing = (height / count) * 0.3
    const period = width / random.int(3, 14)
    const isSquare = random.int(0, 1) === 1
    const points = range(Math.round(width / 4)).map((step) => {
      const wave = Math.sin((step * 4 * 2 * Math.PI) / period)
      const noise = random.int(-3, 3)
      return [step * 4, middle - swing * (isSquare ? Math.sign(wave) : wave) + noise] as const
    })
    return line(TRACES[at] ?? '#fff', 3, ...points)
  })
  return [rect(0, 0, width, height, '#0b1626'), ...columns, ...rows, ...traces].join('')
}

const CODE = ['#c792ea', '#82aaff', '#c3e88d', '#ffcb6b', '#a6accd', '#a6accd', '#676e95']

function drawTerminal(random: Random, { width, height }: Size): string {
  const bar = 36
  const dots = ['#ff5f57', '#febc2e', '#28c840'].map(
    (fill, at) => `<circle cx="${22 + at * 22}" cy="${bar / 2}" r="6" fill="${fill}"/>`,
  )
  const lines = range(Math.floor((height - bar - 40) / 22)).flatMap((row) => {
    if (random.int(0, 8) === 0) return []
    let x = 24 + random.int(0, 3) * 28
    return range(random.int(1, 6)).map(() => {
      const length = random.int(2, 14) * 9
      const word = rect(x, bar + 22 + row * 22, length, 9, random.pick(CODE), 'rx="2"')
      x += length + 12
      return x < width - 20 ? word : ''
    })
  })
  return [rect(0, 0, width, height, '#151520'), rect(0, 0, width, bar, '#262636'), ...dots, ...lines].join('')
}

function drawCircuit(random: Random, { width, height }: Size): string {
  const hue = random.pick([145, 165, 215, 265])
  const copper = `hsl(${hue}, 45%, 30%)`
  const traces = range(46).map(() => {
    const [x, y] = [random.int(0, width), random.int(0, height)]
    const bend = random.int(-6, 6) * 16
    const end = x + random.int(-12, 12) * 24
    const level = y + Math.abs(bend)
    return `${line(copper, 5, [x, y], [x + bend, level], [end, level])}
      <circle cx="${x}" cy="${y}" r="8" fill="#d8b25c"/><circle cx="${x}" cy="${y}" r="4" fill="#2a2412"/>`
  })
  const chips = range(random.int(3, 6)).map(() => {
    const pins = random.int(4, 9)
    const [x, y, w, h] = [random.int(40, width - 240), random.int(40, height - 190), pins * 22, random.int(70, 130)]
    const legs = range(pins).map((at) => rect(x + 6 + at * 22, y - 12, 9, h + 24, '#c9ced6'))
    return `${legs.join('')}${rect(x, y, w, h, '#1a1c20', 'rx="5"')}<circle cx="${x + 14}" cy="${y + h - 14}" r="5" fill="#33363c"/>`
  })
  const parts = range(28).map(() => {
    const [x, y] = [random.int(0, width), random.int(0, height)]
    return `${rect(x, y, 34, 15, '#c9ced6')}${rect(x + 8, y, 18, 15, random.pick(['#3b2f25', '#16181c', '#8a6a45']))}`
  })
  return [rect(0, 0, width, height, `hsl(${hue}, 50%, 19%)`), ...traces, ...parts, ...chips].join('')
}

function drawWaterfall(random: Random, { width, height }: Size): string {
  const row = 6
  const signals = range(random.int(4, 8)).map(() => ({
    x: random.int(40, width - 40),
    spread: random.int(2, 26),
    drift: random.int(-10, 10) / 10,
    pause: random.int(1, 30),
  }))
  const rows = range(Math.ceil(height / row)).flatMap((at) => {
    const noise = range(14).map(() =>
      rect(random.int(0, width), at * row, random.int(2, 40), row, '#28307a', 'opacity="0.5"'),
    )
    const bursts = signals.flatMap(({ x, spread, drift, pause }) => {
      if (Math.floor(at / pause) % 2 === 1) return []
      const left = x + drift * at + random.int(-3, 3)
      return [
        rect(left - spread, at * row, spread * 2, row, '#b5367a', 'opacity="0.8"'),
        rect(left - 2, at * row, 5, row, '#fde3a0'),
      ]
    })
    return [...noise, ...bursts]
  })
  return [rect(0, 0, width, height, '#0b0a24'), ...rows].join('')
}

function drawHills(random: Random, { width, height }: Size): string {
  const hue = random.pick([18, 205, 265, 330])
  const sky = `<linearGradient id="sky" x2="0" y2="1"><stop stop-color="hsl(${hue}, 45%, 22%)"/><stop offset="1" stop-color="hsl(${(hue + 40) % 360}, 70%, 70%)"/></linearGradient>`
  const sun = `<circle cx="${random.int(width / 5, (width * 4) / 5)}" cy="${height * 0.5}" r="${height / 9}" fill="#ffe8b8"/>`
  const hills = range(4).map((at) => {
    const base = height * (0.55 + at * 0.11)
    const [slow, fast, shift] = [random.int(200, 400), random.int(60, 120), random.int(0, 600)]
    const ridge = range(Math.ceil(width / 16) + 1).map((step) => {
      const x = step * 16
      return `${x},${Math.round(base + Math.sin((x + shift) / slow) * height * 0.06 + Math.sin((x + shift) / fast) * 10)}`
    })
    return `<polygon points="${ridge.join(' ')} ${width},${height} 0,${height}" fill="hsl(${hue}, 30%, ${30 - at * 7}%)"/>`
  })
  const x = random.int(width / 4, (width * 3) / 4)
  const [top, foot] = [height * 0.18, height * 0.72]
  const mast = [
    ...[-1, 1].map((side) => line('#20202c', 2, [x, top + 20], [x + (side * height) / 5, foot])),
    ...range(12).map((at) =>
      line('#16161f', 3, [x - 7, top + (at * (foot - top)) / 12], [x + 7, top + ((at + 1) * (foot - top)) / 12]),
    ),
    rect(x - 8, top, 4, foot - top, '#16161f'),
    rect(x + 5, top, 4, foot - top, '#16161f'),
    `<circle cx="${x}" cy="${top - 6}" r="7" fill="#ff5a4e"/>`,
  ]
  return [sky, rect(0, 0, width, height, 'url(#sky)'), sun, ...hills.slice(0, 2), ...mast, ...hills.slice(2)].join('')
}

export const motifs: readonly Motif[] = [
  { name: 'scope', format: 'png', draw: drawScope },
  { name: 'terminal', format: 'png', draw: drawTerminal },
  { name: 'circuit', format: 'webp', draw: drawCircuit },
  { name: 'waterfall', format: 'jpeg', draw: drawWaterfall },
  { name: 'mast', format: 'jpeg', draw: drawHills },
]
