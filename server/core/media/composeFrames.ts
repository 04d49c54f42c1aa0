export type Frame = {
  left: number
  top: number
  width: number
  height: number
  /** RGBA */
  pixels: Buffer
  /** whether the frame's area is kept, cleared or restored before the next frame */
  dispose: 'keep' | 'clear' | 'restore'
  /** whether transparent pixels show the canvas below; otherwise they replace it */
  blend: boolean
}

const BYTES_PER_PIXEL = 4

/** Draws frames like a browser. @returns RGBA pixels of the canvas after each frame, stacked vertically */
export async function composeFrames(
  { width, height }: { width: number; height: number },
  frames: AsyncIterable<Frame>,
  count: number,
): Promise<Buffer> {
  const size = width * height * BYTES_PER_PIXEL
  const canvas = Buffer.alloc(size)
  const all = Buffer.alloc(size * count)
  let index = 0
  for await (const frame of frames) {
    const before = frame.dispose === 'restore' ? Buffer.from(canvas) : null
    drawRows(canvas, width, height, frame, frame.blend ? drawOver : replace)
    canvas.copy(all, index++ * size)
    if (before) before.copy(canvas)
    else if (frame.dispose === 'clear') drawRows(canvas, width, height, frame, (to) => to.fill(0))
  }
  return all
}

function drawRows(
  canvas: Buffer,
  width: number,
  height: number,
  frame: Frame,
  draw: (to: Buffer, from: Buffer) => void,
): void {
  const bytes = Math.min(frame.width, width - frame.left) * BYTES_PER_PIXEL
  const rows = Math.min(frame.height, height - frame.top)
  for (let row = 0; row < rows && bytes > 0; row++) {
    const to = ((frame.top + row) * width + frame.left) * BYTES_PER_PIXEL
    const from = row * frame.width * BYTES_PER_PIXEL
    draw(canvas.subarray(to, to + bytes), frame.pixels.subarray(from, from + bytes))
  }
}

const replace = (to: Buffer, from: Buffer) => from.copy(to)

function drawOver(to: Buffer, from: Buffer): void {
  for (let at = 0; at < from.length; at += BYTES_PER_PIXEL) {
    const alpha = from[at + 3] ?? 0
    const below = to[at + 3] ?? 0
    if (alpha === 0) continue
    if (alpha === 255 || below === 0) {
      to[at] = from[at] ?? 0
      to[at + 1] = from[at + 1] ?? 0
      to[at + 2] = from[at + 2] ?? 0
      to[at + 3] = alpha
      continue
    }
    const kept = (below * (255 - alpha)) / 255
    const sum = alpha + kept
    for (let channel = at; channel < at + 3; channel++) {
      to[channel] = Math.round(((from[channel] ?? 0) * alpha + (to[channel] ?? 0) * kept) / sum)
    }
    to[at + 3] = Math.round(sum)
  }
}
