import { readTagLength } from './tagLength.ts'

/** A whole frame of sound as it came; `format` is equal for frames that one decoder plays without a new start. */
export type Frame = { bytes: Buffer; seconds: number; format: string }

export type FrameHeader = {
  /** length of the whole frame, header included */
  length: number
  seconds: number
  format: string
}

export type Layout<Header extends FrameHeader> = {
  /** every frame begins with it */
  syncMark: string | number
  /** enough to read any header of this kind, and no frame is shorter */
  headerBytes: number
  /** null for what is no header, 'short' when bytes of it are missing */
  readHeader(buffer: Buffer, at: number): Header | 'short' | null
  /** a frame that carries no sound, to be left out */
  isEmpty?(buffer: Buffer, at: number, header: Header): boolean
}

const NOTHING = Buffer.alloc(0)

/**
 * Cuts bytes that come in any pieces into whole frames. Out of step, as at the beginning and after garbage, a frame
 * counts only when another of its format follows it at once; in step it is given as soon as it is whole. Keeps at
 * most one frame and a header; frames lie in the memory of what was pushed wherever they came in one piece.
 */
export function createFrameScanner<Header extends FrameHeader>({
  syncMark: mark,
  headerBytes,
  readHeader,
  isEmpty,
}: Layout<Header>) {
  let rest: Buffer = NOTHING
  let format: string | null = null
  /** where a tag may begin: at the start, and behind a frame or another tag */
  let atBoundary = true
  /** bytes of a tag that are still to come */
  let toSkip = 0

  /** The header of a frame that begins here. */
  function headerAt(buffer: Buffer, at: number): Header | 'short' | null {
    const header = readHeader(buffer, at)
    if (header === null || header === 'short' || header.format === format) return header
    const next = at + header.length
    if (buffer.length < next + headerBytes) return 'short'
    const following = readHeader(buffer, next)
    // One that is only begun has shown its mark.
    return following === 'short' || following?.format === header.format ? header : null
  }

  return {
    push(chunk: Buffer): { header: Header; bytes: Buffer }[] {
      const found: { header: Header; bytes: Buffer }[] = []
      const buffer = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
      let at = 0
      for (;;) {
        const skipped = Math.min(toSkip, buffer.length - at)
        at += skipped
        toSkip -= skipped
        if (buffer.length - at < headerBytes) break
        const tag = atBoundary ? readTagLength(buffer, at) : 0
        if (tag === 'short') break
        toSkip = tag
        if (tag > 0) continue
        const header = headerAt(buffer, at)
        if (header === 'short') break
        if (header === null) {
          format = null
          atBoundary = false
          const next = buffer.indexOf(mark, at + 1)
          // The beginning of a mark may stand at the end.
          at = next < 0 ? Math.max(at + 1, buffer.length - headerBytes + 1) : next
          continue
        }
        if (buffer.length - at < header.length) break
        format = header.format
        atBoundary = true
        if (!isEmpty?.(buffer, at, header)) found.push({ header, bytes: buffer.subarray(at, at + header.length) })
        at += header.length
      }
      rest = at < buffer.length ? buffer.subarray(at) : NOTHING
      return found
    },
  }
}
