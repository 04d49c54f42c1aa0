/** A whole frame. A decoder can play frames with the same `format` without a restart. */
export type Frame = { bytes: Buffer; seconds: number; format: string }

export type FrameParser = { push(chunk: Buffer): Frame[] }

export type FrameHeader = Omit<Frame, 'bytes'> & { length: number }

type Layout<Header extends FrameHeader> = {
  syncMark: string | number
  /** enough to read any header, and the minimum length of a frame */
  headerBytes: number
  /** Returns null for an invalid header, and 'short' when more bytes are needed. */
  readHeader(buffer: Buffer, offset: number): Header | 'short' | null
  /** Detects frames without audio. The scanner drops them. */
  isEmpty?(bytes: Buffer): boolean
}

const EMPTY = Buffer.alloc(0)

/**
 * Splits chunks of any size into whole frames. When out of sync, accepts a frame only if a frame with the same format
 * follows directly. Buffers at most one frame and a header. Frames share memory with their chunk if possible.
 */
export function createFrameScanner<Header extends FrameHeader>({
  syncMark: mark,
  headerBytes,
  readHeader,
  isEmpty,
}: Layout<Header>) {
  let pending: Buffer = EMPTY
  let format: string | null = null
  /** Whether a tag can start here: at the start of the stream, or after a frame or a tag. */
  let atBoundary = true
  let tagBytesLeft = 0

  function headerAt(buffer: Buffer, at: number): Header | 'short' | null {
    const header = readHeader(buffer, at)
    if (header === null || header === 'short' || header.format === format) return header
    const next = at + header.length
    if (buffer.length < next + headerBytes) return 'short'
    const following = readHeader(buffer, next)
    // 'short' also confirms the frame: the incomplete header starts with a valid sync mark.
    return following === 'short' || following?.format === header.format ? header : null
  }

  return {
    push(chunk: Buffer): (Header & Frame)[] {
      const frames: (Header & Frame)[] = []
      const buffer = pending.length > 0 ? Buffer.concat([pending, chunk]) : chunk
      let at = 0
      for (;;) {
        const skipped = Math.min(tagBytesLeft, buffer.length - at)
        at += skipped
        tagBytesLeft -= skipped
        if (buffer.length - at < headerBytes) break
        const tag = atBoundary ? readTagLength(buffer, at) : 0
        if (tag === 'short') break
        tagBytesLeft = tag
        if (tag > 0) continue
        const header = headerAt(buffer, at)
        if (header === 'short') break
        if (header === null) {
          format = null
          atBoundary = false
          const next = buffer.indexOf(mark, at + 1)
          // Keep the last bytes: the chunk may end with part of a sync mark.
          at = next < 0 ? Math.max(at + 1, buffer.length - headerBytes + 1) : next
          continue
        }
        if (buffer.length - at < header.length) break
        format = header.format
        atBoundary = true
        const bytes = buffer.subarray(at, at + header.length)
        if (!isEmpty?.(bytes)) frames.push({ ...header, bytes })
        at += header.length
      }
      pending = at < buffer.length ? buffer.subarray(at) : EMPTY
      return frames
    },
  }
}

const APE_HEADER_BYTES = 32
const APE_HAS_ITEMS_BEHIND = 1 << 29
const ID3V1_BYTES = 128

/** Returns 0 if there is no ID3v2, ID3v1 or APE tag, and 'short' when more bytes are needed. Requires ten bytes. */
export function readTagLength(buffer: Buffer, at: number): number | 'short' {
  // Fast path: the first byte rules out nearly all positions.
  const first = buffer[at]
  if (first !== 0x49 && first !== 0x54 && first !== 0x41) return 0
  const text = buffer.toString('latin1', at, at + 8)
  if (text.startsWith('ID3')) return readId3v2Length(buffer, at)
  if (text.startsWith('TAG')) return ID3V1_BYTES
  if (text !== 'APETAGEX') return 0
  if (buffer.length - at < APE_HEADER_BYTES) return 'short'
  // APE items come after a header, but before a footer: add their length only if this is a header.
  const flags = buffer.readUInt32LE(at + 20)
  return APE_HEADER_BYTES + (flags & APE_HAS_ITEMS_BEHIND ? buffer.readUInt32LE(at + 12) : 0)
}

/** https://id3.org/id3v2.4.0-structure, 3.1: each byte of the size has seven bits. */
function readId3v2Length(buffer: Buffer, at: number): number {
  const size = buffer.subarray(at + 6, at + 10)
  if (buffer[at + 3] === 0xff || buffer[at + 4] === 0xff || size.some((byte) => byte > 0x7f)) return 0
  const footer = ((buffer[at + 5] ?? 0) & 0x10) !== 0 ? 10 : 0
  return 10 + size.reduce((sum, byte) => sum * 128 + byte, 0) + footer
}
