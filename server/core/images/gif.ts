const IMAGE = 0x2c
const EXTENSION = 0x21
const GRAPHIC_CONTROL = 0xf9

/** One image of a GIF, with where its parts stand in the file. */
export type GifFrame = {
  left: number
  top: number
  width: number
  height: number
  /** the graphic control extension's flags, or 0 without one */
  flags: number
  /** start of the image descriptor */
  start: number
  end: number
  transparentIndex: number
}
export type Gif = { width: number; height: number; frames: GifFrame[] }

/** What holds for an image without a graphic control extension. */
const NO_CONTROL = { flags: 0, transparentIndex: 0 }

/** Bytes of the colour table that a screen's or an image's flags announce. */
export const tableBytes = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)

/**
 * Reads the frames of a GIF by walking its blocks.
 * @returns null when the file breaks off inside a block, which libvips accepts without a warning
 */
export function readGif(bytes: Buffer): Gif | null {
  if (bytes.length < 13) return null
  const endOfSubBlocks = (start: number) => {
    let at = start
    while (bytes[at]) at += 1 + (bytes[at] ?? 0)
    return at + 1
  }
  const frames: GifFrame[] = []
  let control = NO_CONTROL
  let at = 13 + tableBytes(bytes[10] ?? 0)
  while (at < bytes.length) {
    const start = at
    if (bytes[at] === EXTENSION) {
      at = endOfSubBlocks(at + 2)
      if (bytes[start + 1] === GRAPHIC_CONTROL && at <= bytes.length) {
        control = { flags: bytes[start + 3] ?? 0, transparentIndex: bytes[start + 6] ?? 0 }
      }
    } else if (bytes[at] === IMAGE) {
      if (at + 10 > bytes.length) return null
      at = endOfSubBlocks(at + 11 + tableBytes(bytes[at + 9] ?? 0))
      const left = bytes.readUInt16LE(start + 1)
      const top = bytes.readUInt16LE(start + 3)
      const width = bytes.readUInt16LE(start + 5)
      const height = bytes.readUInt16LE(start + 7)
      const { flags, transparentIndex } = control
      frames.push({ left, top, width, height, flags, start, end: at, transparentIndex })
      control = NO_CONTROL
    } else break
  }
  const isWhole = at <= bytes.length && frames.length > 0
  return isWhole ? { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8), frames } : null
}

/** Whether one of the frame's colours is transparent. */
export const isTransparent = ({ flags }: GifFrame) => (flags & 1) === 1

/** What becomes of a frame's part of the canvas afterwards. */
export function disposalOf({ flags }: GifFrame): 'keep' | 'clear' | 'restore' {
  const method = (flags >> 2) & 7
  return method === 2 ? 'clear' : method === 3 ? 'restore' : 'keep'
}

/**
 * Whether libvips would show something else than browsers, to which the canvas is transparent: it makes an image
 * without transparent colours opaque, gaps included, and clears the part of such a frame to the background colour.
 */
export function needsComposing({ width, height, frames }: Gif): boolean {
  const [first] = frames
  if (!first) return false
  if (frames.slice(0, -1).some((frame) => disposalOf(frame) === 'clear' && !isTransparent(frame))) return true
  if (frames.some(isTransparent)) return false
  const isFull = first.left === 0 && first.top === 0 && first.width >= width && first.height >= height
  return !isFull || (frames.length > 1 && disposalOf(first) !== 'keep')
}

/** Makes a GIF of a frame alone, with the colours it has in its file. */
export function singleFrameGif(
  bytes: Buffer,
  { start, end, width, height, flags, transparentIndex }: GifFrame,
): Buffer {
  const screen = Buffer.from(bytes.subarray(0, 13 + tableBytes(bytes[10] ?? 0)))
  screen.write('GIF89a', 'latin1')
  screen.writeUInt16LE(width, 6)
  screen.writeUInt16LE(height, 8)
  const control = Buffer.from([EXTENSION, GRAPHIC_CONTROL, 4, flags & 1, 0, 0, transparentIndex, 0])
  const image = Buffer.from(bytes.subarray(start, end))
  image.fill(0, 1, 5)
  return Buffer.concat([screen, control, image, Buffer.from([0x3b])])
}
