const IMAGE = 0x2c
const EXTENSION = 0x21
const GRAPHIC_CONTROL = 0xf9

type GifFrame = {
  left: number
  top: number
  width: number
  height: number
  /** flags of the graphic control extension; 0 if the extension is missing */
  flags: number
  /** offset of the image descriptor */
  start: number
  end: number
  transparentIndex: number
}
type Gif = { width: number; height: number; frames: GifFrame[] }

const colourTableBytes = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)

/**
 * Visits all frames. Allocates nothing per frame, because a file may have 300,000 frames.
 * @param visit receives the start and end of the frame and its control data
 * @returns false if the file ends inside a block; libvips accepts such files without a warning
 */
function walkGif(
  bytes: Buffer,
  visit: (start: number, end: number, flags: number, transparentIndex: number) => void,
): boolean {
  if (bytes.length < 13) return false
  let flags = 0
  let transparentIndex = 0
  let at = 13 + colourTableBytes(bytes[10] ?? 0)
  while (at < bytes.length) {
    const start = at
    if (bytes[at] === EXTENSION) {
      at = endOfSubBlocks(bytes, at + 2)
      if (bytes[start + 1] === GRAPHIC_CONTROL && at <= bytes.length) {
        flags = bytes[start + 3] ?? 0
        transparentIndex = bytes[start + 6] ?? 0
      }
    } else if (bytes[at] === IMAGE) {
      if (at + 10 > bytes.length) return false
      at = endOfSubBlocks(bytes, at + 11 + colourTableBytes(bytes[at + 9] ?? 0))
      visit(start, at, flags, transparentIndex)
      flags = 0
      transparentIndex = 0
    } else break
  }
  return at <= bytes.length
}

function endOfSubBlocks(bytes: Buffer, start: number): number {
  let at = start
  while (at < bytes.length && bytes[at] !== 0) at += 1 + (bytes[at] ?? 0)
  return at + 1
}

/** Returns the number of frames and the canvas size that fits them all. Returns null for a truncated file. */
export function measureGif(bytes: Buffer): { width: number; height: number; frames: number } | null {
  let [width, height, frames] = [0, 0, 0]
  const isWhole = walkGif(bytes, (start) => {
    width = Math.max(width, bytes.readUInt16LE(start + 1) + bytes.readUInt16LE(start + 5))
    height = Math.max(height, bytes.readUInt16LE(start + 3) + bytes.readUInt16LE(start + 7))
    frames++
  })
  if (!isWhole || frames === 0) return null
  return { width: Math.max(width, bytes.readUInt16LE(6)), height: Math.max(height, bytes.readUInt16LE(8)), frames }
}

export function readGif(bytes: Buffer): Gif | null {
  const frames: GifFrame[] = []
  const isWhole = walkGif(bytes, (start, end, flags, transparentIndex) => {
    const [left, top, width, height] = [1, 3, 5, 7].map((offset) => bytes.readUInt16LE(start + offset)) as Box
    frames.push({ left, top, width, height, flags, start, end, transparentIndex })
  })
  if (!isWhole || frames.length === 0) return null
  return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8), frames }
}

type Box = [number, number, number, number]

export const isTransparent = ({ flags }: GifFrame) => (flags & 1) === 1

export function disposalOf({ flags }: GifFrame): 'keep' | 'clear' | 'restore' {
  const method = (flags >> 2) & 7
  return method === 2 ? 'clear' : method === 3 ? 'restore' : 'keep'
}

/**
 * Returns whether our code must compose the frames. Without a transparent colour, libvips makes the canvas opaque, but
 * browsers keep it transparent.
 */
export function needsComposing({ width, height, frames }: Gif): boolean {
  const [first] = frames
  if (!first) return false
  if (frames.slice(0, -1).some((frame) => disposalOf(frame) === 'clear' && !isTransparent(frame))) return true
  if (frames.some(isTransparent)) return false
  const isFull = first.left === 0 && first.top === 0 && first.width >= width && first.height >= height
  return !isFull || (frames.length > 1 && disposalOf(first) !== 'keep')
}

export function singleFrameGif(
  bytes: Buffer,
  { start, end, width, height, flags, transparentIndex }: GifFrame,
): Buffer {
  const screen = Buffer.from(bytes.subarray(0, 13 + colourTableBytes(bytes[10] ?? 0)))
  screen.write('GIF89a', 'latin1')
  screen.writeUInt16LE(width, 6)
  screen.writeUInt16LE(height, 8)
  const control = Buffer.from([EXTENSION, GRAPHIC_CONTROL, 4, flags & 1, 0, 0, transparentIndex, 0])
  const image = Buffer.from(bytes.subarray(start, end))
  image.fill(0, 1, 5)
  return Buffer.concat([screen, control, image, Buffer.from([0x3b])])
}
