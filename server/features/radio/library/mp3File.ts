import { createMpegParser, type Frame } from '#server/features/radio/input/frames/mpeg.ts'
import { type FileEntry, type ReadAt, withFile } from './files.ts'
import { findAudioEnd, findAudioStart } from './tags.ts'

export type Mp3Info = {
  /** Browsers stop when the format changes within a stream. */
  format: string
  frames: number
  secondsPerFrame: number
  /** byte positions where the first frame starts and the last frame ends */
  audioStart: number
  end: number
  /** average bytes per frame; null for a variable bit rate */
  frameBytes: number | null
}

const EDGE_BYTES = 32 * 1024
const CHUNK_BYTES = 128 * 1024
/** Read at three places between the ends, to notice holes in a file. */
const SAMPLE_BYTES = 8 * 1024
const SAMPLED_PARTS = [1 / 4, 1 / 2, 3 / 4]
/** Stops reading a file after this many bytes without audio. */
const MAX_BYTES_WITHOUT_FRAME = 1024 * 1024
/** Some encoders include tags and the Xing header in the byte count, and others do not. */
const XING_TOLERANCE_BYTES = 4096
/** Smallest frame: 8 kbit/s at 24 kHz. Largest frame: 320 kbit/s at 32 kHz. */
const FRAME_BYTES = { min: 24, max: 1441 }

/** Reads parts of the file, or all of it if they are not enough. @throws Error when the file is unreadable */
export async function readMp3Info(file: FileEntry): Promise<Mp3Info | null> {
  return withFile(file, async (read) => {
    const start = await findAudioStart(read)
    const end = await findAudioEnd(read, file.size)
    if (end <= start) return null
    return (await infoFromParts(read, start, end)) ?? (await infoFromAllFrames(read, start, end))
  })
}

/** @throws Error when the file is unreadable or has changed */
export async function* readFrames(file: FileEntry, sound: Mp3Info, from: number): AsyncGenerator<Frame[]> {
  const { audioStart: start, end, format, frameBytes } = sound
  // Start slightly earlier: padding bytes make the exact position of a frame unknown.
  const offset = frameBytes === null ? 0 : Math.max(0, Math.floor(from * frameBytes) - 2)
  let toSkip = frameBytes === null ? from : 0
  // Open the file for each read, so that an abandoned generator does not keep the file open.
  const read: ReadAt = (position, length) => withFile(file, (piece) => piece(position, length))
  for await (const all of framesBetween(read, start + offset, end)) {
    const frames = all.filter((frame) => frame.format === format)
    if (toSkip < frames.length) yield frames.slice(toSkip)
    toSkip -= Math.min(toSkip, frames.length)
  }
}

async function* framesBetween(read: ReadAt, start: number, end: number): AsyncGenerator<Frame[]> {
  const parser = createMpegParser()
  let bytesWithoutFrame = 0
  for (let position = start; position < end && bytesWithoutFrame < MAX_BYTES_WITHOUT_FRAME; ) {
    const piece = await read(position, Math.min(CHUNK_BYTES, end - position))
    if (piece.length === 0) return
    position += piece.length
    const frames = parser.push(piece)
    bytesWithoutFrame = frames.length > 0 ? 0 : bytesWithoutFrame + piece.length
    yield frames
  }
}

/**
 * Returns null if the whole file must be read: it is short, has a variable bit rate but no Xing header, contains mixed
 * formats, or has little audio at one of the places.
 */
async function infoFromParts(read: ReadAt, start: number, end: number): Promise<Mp3Info | null> {
  if (end - start < 3 * EDGE_BYTES) return null
  const headBytes = await read(start, EDGE_BYTES)
  const head = createMpegParser().push(headBytes)
  const tail = createMpegParser().push(await read(end - EDGE_BYTES, EDGE_BYTES))
  const [first] = head
  if (!first || totalBytes(head) < EDGE_BYTES / 2 || totalBytes(tail) < EDGE_BYTES / 2) return null
  const samples = []
  for (const part of SAMPLED_PARTS) {
    const sample = createMpegParser().push(await read(start + Math.floor((end - start) * part), SAMPLE_BYTES))
    if (totalBytes(sample) < SAMPLE_BYTES / 2) return null
    samples.push(...sample)
  }
  const known = [...head, ...tail, ...samples]
  if (known.some(({ format }) => format !== first.format)) return null
  const shape = { format: first.format, secondsPerFrame: first.seconds, end }
  const firstFrameAt = start + headBytes.indexOf(first.bytes)
  const xing = readXingHeader(headBytes)
  if (xing) {
    // A truncated file still has its old header: check the counts against the real size.
    const isComplete = Math.abs(xing.bytes - (end - start)) <= XING_TOLERANCE_BYTES
    const isPossible = xing.frames * FRAME_BYTES.min <= xing.bytes && xing.bytes <= xing.frames * FRAME_BYTES.max
    return isComplete && isPossible
      ? { ...shape, audioStart: firstFrameAt, frameBytes: null, frames: xing.frames }
      : null
  }
  if (known.some((frame) => bitRateOf(frame) !== bitRateOf(first))) return null
  const frameBytes = (bitRateOf(first) / 8) * first.seconds
  return { ...shape, audioStart: firstFrameAt, frameBytes, frames: Math.floor((end - firstFrameAt + 1) / frameBytes) }
}

async function infoFromAllFrames(read: ReadAt, start: number, end: number): Promise<Mp3Info | null> {
  const counts = new Map<string, { frames: number; secondsPerFrame: number }>()
  for await (const frames of framesBetween(read, start, end)) {
    for (const frame of frames) {
      const count = counts.get(frame.format) ?? { frames: 0, secondsPerFrame: frame.seconds }
      count.frames += 1
      counts.set(frame.format, count)
    }
  }
  const [mostFrequent] = [...counts].sort(([, a], [, b]) => b.frames - a.frames)
  return mostFrequent ? { format: mostFrequent[0], ...mostFrequent[1], audioStart: start, end, frameBytes: null } : null
}

/** Reads the Xing header, which encoders write for variable bit rates. The `Info` header is for constant bit rates. */
function readXingHeader(bytes: Buffer): { frames: number; bytes: number } | null {
  const at = bytes.subarray(0, 64).indexOf('Xing')
  if (at < 0 || (bytes.readUInt32BE(at + 4) & 3) !== 3) return null
  return { frames: bytes.readUInt32BE(at + 8), bytes: bytes.readUInt32BE(at + 12) }
}

/**
 * Returns bits per second. Rounds to a multiple of 8000, because frame lengths are rounded to whole bytes.
 */
function bitRateOf({ bytes, seconds }: Frame): number {
  const padding = ((bytes[2] ?? 0) >> 1) & 1
  return Math.round(((bytes.length - padding) * 8) / seconds / 8000) * 8000
}

const totalBytes = (frames: Frame[]) => frames.reduce((sum, { bytes }) => sum + bytes.length, 0)
