import { LENGTH_UNIT_BYTES } from './icyMetadata.ts'

/** Bytes of audio between two metadata blocks, as in Icecast. */
export const METADATA_INTERVAL = 16_000
const MAX_TITLE_BYTES = 500
const NO_CHANGE = Buffer.of(0)

/**
 * Inserts a block of ICY metadata after every `METADATA_INTERVAL` bytes of audio. The block is empty if the title is
 * the same as in the block before.
 */
export function createIcyMuxer(): (audio: Buffer, title: string) => Buffer {
  let audioLeft = METADATA_INTERVAL
  let sentTitle = ''

  function nextBlock(title: string): Buffer {
    if (title === sentTitle) return NO_CHANGE
    sentTitle = title
    return writeBlock(title)
  }

  return (audio, title) => {
    const parts: Buffer[] = []
    let rest = audio
    while (rest.length >= audioLeft) {
      parts.push(rest.subarray(0, audioLeft), nextBlock(title))
      rest = rest.subarray(audioLeft)
      audioLeft = METADATA_INTERVAL
    }
    audioLeft -= rest.length
    return Buffer.concat([...parts, rest])
  }
}

/** The first byte is the length of the text. ICY has no escapes, so a title must not contain the end of a value. */
function writeBlock(title: string): Buffer {
  const text = Buffer.from(`StreamTitle='${shorten(title.replaceAll("';", '’;'))}';`)
  const units = Math.ceil(text.length / LENGTH_UNIT_BYTES)
  const block = Buffer.alloc(1 + units * LENGTH_UNIT_BYTES)
  block[0] = units
  text.copy(block, 1)
  return block
}

/** Cuts a title between characters. */
function shorten(title: string): string {
  let bytes = 0
  let end = 0
  for (const character of title) {
    bytes += Buffer.byteLength(character)
    if (bytes > MAX_TITLE_BYTES) break
    end += character.length
  }
  return title.slice(0, end)
}
