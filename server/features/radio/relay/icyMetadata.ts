import { isUtf8 } from 'node:buffer'

/** The length byte counts sixteens. */
const LENGTH_UNIT = 16
const MAX_TITLE = 500
/** Guards against a server that announces blocks and sends none: every one begins with a name and its value. */
const BLOCK = /^\s*\w+\s*=/

export type IcyDemuxer = {
  /** the sound in a piece of the stream, without metadata */
  push(chunk: Buffer): Buffer[]
}

/**
 * Takes ICY metadata out of a stream that comes in any pieces. A block that is none is given back as sound, and no
 * more are looked for: the server counts wrongly.
 * @param interval bytes of sound between two blocks
 * @param onTitle is told each title as it comes
 */
export function createIcyDemuxer(interval: number | null, onTitle: (title: string) => void): IcyDemuxer {
  const hasBlocks = interval !== null && Number.isInteger(interval) && interval > 0
  let soundLeft = hasBlocks ? interval : Number.POSITIVE_INFINITY
  /** the block that is coming, its length byte first; null between blocks */
  let block: { bytes: Buffer; filled: number } | null = null

  function readBlock(bytes: Buffer): Buffer[] {
    const text = bytes.subarray(1)
    if (text.length > 0 && text[0] !== 0 && !BLOCK.test(text.toString('latin1', 0, 100))) {
      soundLeft = Number.POSITIVE_INFINITY
      return [bytes]
    }
    soundLeft = interval ?? 0
    const title = parseStreamTitle(text)
    if (title !== null) onTitle(title)
    return []
  }

  return {
    push(chunk) {
      const sound: Buffer[] = []
      let at = 0
      while (at < chunk.length) {
        if (soundLeft > 0) {
          const end = Math.min(chunk.length, at + soundLeft)
          sound.push(chunk.subarray(at, end))
          soundLeft -= end - at
          at = end
          continue
        }
        block ??= { bytes: Buffer.alloc(1 + (chunk[at] ?? 0) * LENGTH_UNIT), filled: 0 }
        const copied = chunk.copy(block.bytes, block.filled, at)
        block.filled += copied
        at += copied
        if (block.filled < block.bytes.length) break
        sound.push(...readBlock(block.bytes))
        block = null
      }
      return sound
    },
  }
}

/** The title in a block, without control characters and of bounded length; null when the block holds none. */
export function parseStreamTitle(block: Buffer): string | null {
  const end = block.indexOf(0)
  const bytes = end < 0 ? block : block.subarray(0, end)
  const text = bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1')
  // Quotes are not escaped: a value ends where another name follows, or the block ends.
  const title = /StreamTitle='(.*?)(?:';?\s*$|';(?=\s*\w+='))/s.exec(text)?.[1]
  if (title === undefined) return null
  const clean = title.replace(/[\p{Cc}\s]+/gu, ' ').trim()
  return [...clean].slice(0, MAX_TITLE).join('')
}
