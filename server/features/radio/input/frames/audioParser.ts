import type { Frame } from './frameScanner.ts'
import { createAdtsParser, createMpegParser } from './mpeg.ts'
import { createOggParser, type OggPage } from './ogg.ts'

/** `title` is the title from this frame on. */
export type AudioFrame = Frame & Partial<Omit<OggPage, keyof Frame>> & { title?: string }
export type AudioParser = { push(chunk: Buffer): AudioFrame[] }

/** Returns the media type of frames with a format. */
export function mediaTypeOf(format: string): string {
  if (format.startsWith('MPEG')) return 'audio/mpeg'
  return format.startsWith('AAC') ? 'audio/aac' : 'audio/ogg'
}

/** `names` matches the media types that programs send. It says little: ffmpeg sends `audio/mpeg` by default. */
const KINDS = [
  {
    type: 'audio/ogg',
    names: /^(?:(?:application|audio|video)\/(?:x-)?ogg|audio\/(?:opus|vorbis))$/,
    create: createOggParser,
  },
  { type: 'audio/aac', names: /^audio\/(?:(?:x-)?aacp?|x-hx-aac-adts)$/, create: createAdtsParser },
  { type: 'audio/mpeg', names: /^audio\/(?:x-)?(?:mp3|mpeg|mpeg3|mpeg-3)$/, create: createMpegParser },
]
const OGG_MARK = 'OggS'
/** MPEG transport streams have this byte at the start of each packet. */
const TS_MARK = 0x47
const TS_PACKET_BYTES = 188
const START_BYTES = 3 * TS_PACKET_BYTES
export const GENERIC_TYPE = /^(?:|(?:application|binary)\/octet-stream)$/

/** Detects the format from the data. @returns null for a type of something else */
export function createAudioParser(contentType: string): AudioParser | null {
  const name = contentType.split(';')[0]?.trim().toLowerCase() ?? ''
  if (!GENERIC_TYPE.test(name) && !KINDS.some(({ names }) => names.test(name))) return null
  let candidates = KINDS.map(({ type, create }) => ({ type, parser: create() }))
  let start: Buffer = Buffer.alloc(0)
  return {
    push(chunk) {
      if (start.length < START_BYTES) {
        start = Buffer.concat([start, chunk.subarray(0, START_BYTES - start.length)])
        // Ogg begins with long headers, in which the others could find frames by chance.
        if (start.toString('latin1', 0, 4) === OGG_MARK)
          candidates = candidates.filter(({ type }) => type === 'audio/ogg')
        // Browsers do not play the frames between the packets.
        if ([0, 1, 2].every((packet) => start[packet * TS_PACKET_BYTES] === TS_MARK)) candidates = []
      }
      for (const candidate of candidates) {
        const frames: AudioFrame[] = candidate.parser.push(chunk)
        if (frames.length === 0) continue
        candidates = [candidate]
        return frames
      }
      return []
    },
  }
}

export class NoSound extends Error {
  constructor() {
    super('no MPEG, AAC or Ogg sound')
  }
}

const MAX_BYTES_WITHOUT_AUDIO = 512 * 1024
/** Limits the data rate of frames that claim to have no duration. */
const MAX_BYTES_PER_SECOND = 512 * 1024
/** Tolerates clock drift: a live stream may be 1% faster than real time. */
const MAX_LIVE_RATE = 1.01
/** Small steps keep pauses short, so that listeners do not run out of buffered audio during a pause. */
const STEP_BYTES = 2048

/**
 * Reads frames in real time.
 * @param leadSeconds limits how far a stream runs ahead: listeners play in real time, so the surplus would fill memory
 * @param signal ends the reading and closes `chunks`
 * @throws NoSound
 */
export async function* readFrames(
  chunks: AsyncIterable<Buffer>,
  parser: AudioParser,
  leadSeconds: number,
  signal: AbortSignal,
): AsyncGenerator<AudioFrame[]> {
  let ahead = 0
  let countedAt = performance.now()
  const iterator = chunks[Symbol.asyncIterator]()
  // Do not await: a stalled source would block here.
  const close = () => void iterator.return?.().catch(() => {})
  signal.addEventListener('abort', close, { once: true })
  let bytesWithoutAudio = 0
  try {
    for (;;) {
      const { done, value } = await iterator.next()
      if (done) return
      for (let at = 0; at < value.length; at += STEP_BYTES) {
        if (signal.aborted) return
        const slice = value.subarray(at, at + STEP_BYTES)
        const frames = parser.push(slice)
        bytesWithoutAudio = frames.length > 0 ? 0 : bytesWithoutAudio + slice.length
        if (bytesWithoutAudio > MAX_BYTES_WITHOUT_AUDIO) throw new NoSound()
        if (frames.length > 0) yield frames
        const seconds = frames.reduce((sum, frame) => sum + frame.seconds, 0)
        const now = performance.now()
        ahead = Math.max(0, ahead - ((now - countedAt) / 1000) * MAX_LIVE_RATE)
        ahead += Math.max(seconds, slice.length / MAX_BYTES_PER_SECOND)
        countedAt = now
        if (ahead > leadSeconds) await sleep(((ahead - leadSeconds) / MAX_LIVE_RATE) * 1000, signal)
      }
    }
  } finally {
    signal.removeEventListener('abort', close)
    close()
  }
}

/** Resolves early when `signal` aborts. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    if (signal.aborted) done()
    else signal.addEventListener('abort', done)
  })
}
