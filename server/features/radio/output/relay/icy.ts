import { isUtf8 } from 'node:buffer'

const LENGTH_UNIT_BYTES = 16
const MAX_TITLE = 500
/** Matches the start of a metadata block. Some servers announce blocks, but send only audio. */
const BLOCK = /^\s*\w+\s*=/

/** Separates audio from metadata. An invalid block means a wrong interval, so all later data counts as audio. */
export function createIcyDemuxer(intervalBytes: number | null, onTitle: (title: string) => void) {
  const hasBlocks = intervalBytes !== null && Number.isInteger(intervalBytes) && intervalBytes > 0
  let audioLeft = hasBlocks ? intervalBytes : Number.POSITIVE_INFINITY
  /** the incomplete block, including its length byte */
  let pending: Buffer = Buffer.alloc(0)

  function readBlock(bytes: Buffer): Buffer[] {
    const text = bytes.subarray(1)
    if (text.length > 0 && text[0] !== 0 && !BLOCK.test(text.toString('latin1', 0, 100))) {
      audioLeft = Number.POSITIVE_INFINITY
      return [bytes]
    }
    audioLeft = intervalBytes ?? 0
    const title = parseStreamTitle(text)
    if (title !== null) onTitle(title)
    return []
  }

  return {
    push(chunk: Buffer): Buffer[] {
      const audio: Buffer[] = []
      let rest = pending.length > 0 ? Buffer.concat([pending, chunk]) : chunk
      pending = rest.subarray(rest.length)
      while (rest.length > 0) {
        const isAudio = audioLeft > 0
        const length = isAudio ? Math.min(audioLeft, rest.length) : 1 + (rest[0] ?? 0) * LENGTH_UNIT_BYTES
        if (length > rest.length) {
          pending = rest
          break
        }
        const part = rest.subarray(0, length)
        rest = rest.subarray(length)
        if (isAudio) audioLeft -= length
        audio.push(...(isAudio ? [part] : readBlock(part)))
      }
      return audio
    },
  }
}

export function parseStreamTitle(block: Buffer): string | null {
  const end = block.indexOf(0)
  const bytes = end < 0 ? block : block.subarray(0, end)
  const text = bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1')
  // Quotes are not escaped, so find the end of the value by the next name or the end of the block.
  const title = /StreamTitle='(.*?)(?:';?\s*$|';(?=\s*\w+='))/s.exec(text)?.[1]
  if (title === undefined) return null
  const clean = title.replace(/[\p{Cc}\s]+/gu, ' ').trim()
  return [...clean].slice(0, MAX_TITLE).join('')
}

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

/** Cuts a title between characters: a part of one is decoded as U+FFFD. */
const shorten = (title: string) =>
  Buffer.from(title)
    .subarray(0, MAX_TITLE_BYTES)
    .toString()
    .replace(/\ufffd+$/, '')
