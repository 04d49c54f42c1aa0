import type { AudioFrame } from './frames/audioParser.ts'
import { FLOOR, isDigitalSilence, type Level, toDecibels } from './silence.ts'

type Decoded = { channelData: Float32Array[]; samplesDecoded: number; sampleRate: number }
type Decoder = {
  ready: Promise<unknown>
  decode(bytes: Uint8Array): Decoded | Promise<Decoded>
  reset(): Promise<unknown>
  free(): unknown
}

/** Decodes this much at a time, to keep the pauses of other work short. */
const SLICE_SECONDS = 0.25
/** Skips the measurement of frames beyond this, if the machine is too busy to decode all of them. */
const MAX_BACKLOG_SECONDS = 2
/** The same for frames that claim to have no duration. */
const MAX_BACKLOG_BYTES = 1024 * 1024

/** Decoders are loaded when a source needs them. AAC and FLAC have none: of them, only digital silence is recognised. */
const DECODERS: Record<string, () => Promise<Decoder>> = {
  MPEG: async () => new (await import('mpg123-decoder')).MPEGDecoder({ enableGapless: false }),
  Opus: async () => new (await import('ogg-opus-decoder')).OggOpusDecoder() as Decoder,
  Vorbis: async () => new (await import('@wasm-audio-decoders/ogg-vorbis')).OggVorbisDecoder() as Decoder,
}

/**
 * Measures the level of a stream.
 * @param onLevel receives the level of each slice of about a quarter of a second, in dBFS; null without a decoder
 * @param onFault receives the reason why the level of the stream cannot be measured
 */
export function createLevelMeter(
  onLevel: (level: Level | null, seconds: number) => void,
  onFault: (error: unknown) => void,
): { push(frames: AudioFrame[]): void; close(): void } {
  let decoder: Decoder | null = null
  let codec: string | null = null
  let queue: AudioFrame[] = []
  let queuedSeconds = 0
  let queuedBytes = 0
  let isBusy = false
  let isClosed = false

  function clearQueue(): void {
    queue = []
    queuedSeconds = 0
    queuedBytes = 0
  }

  const isFull = () => queuedSeconds > MAX_BACKLOG_SECONDS || queuedBytes > MAX_BACKLOG_BYTES

  async function measure(): Promise<void> {
    const frames = queue
    const seconds = queuedSeconds
    clearQueue()
    const next = /^(MPEG|Opus|Vorbis)\b/.exec(frames[0]?.format ?? '')?.[1] ?? null
    const isNewStream = frames[0]?.isHeader === true
    if (next !== codec || isNewStream) await openDecoder(next)
    if (isClosed) return
    if (!decoder) return onLevel(isDigitalSilence(frames) ? { peak: FLOOR, rms: FLOOR } : null, seconds)
    const decoded = await decoder.decode(Buffer.concat(frames.map(({ bytes }) => bytes)))
    if (decoded.samplesDecoded > 0) onLevel(levelOf(decoded), decoded.samplesDecoded / decoded.sampleRate)
  }

  async function openDecoder(next: string | null): Promise<void> {
    if (next === codec && decoder) return void (await decoder.reset())
    decoder?.free()
    decoder = null
    codec = next
    const opened = next === null ? null : await DECODERS[next]?.()
    await opened?.ready
    decoder = opened ?? null
  }

  function startMeasuring(): void {
    if (isBusy || isClosed) return
    isBusy = true
    measure()
      .catch((error) => {
        isClosed = true
        onFault(error)
      })
      .finally(() => {
        isBusy = false
        if (isClosed) decoder?.free()
      })
  }

  return {
    push(frames) {
      for (const frame of frames) {
        // A decoder starts with the header of its stream.
        if (frame.isHeader && queue.some(({ isHeader }) => !isHeader)) clearQueue()
        if (isFull()) break
        queue.push(frame)
        queuedSeconds += frame.seconds
        queuedBytes += frame.bytes.length
      }
      if (queuedSeconds >= SLICE_SECONDS || isFull()) startMeasuring()
    },
    close() {
      isClosed = true
      if (!isBusy) decoder?.free()
    },
  }
}

function levelOf({ channelData, samplesDecoded }: Decoded): Level {
  let peak = 0
  let squares = 0
  for (const samples of channelData) {
    for (let at = 0; at < samplesDecoded; at++) {
      const value = Math.abs(samples[at] ?? 0)
      if (value > peak) peak = value
      squares += value * value
    }
  }
  const rms = Math.sqrt(squares / Math.max(1, channelData.length * samplesDecoded))
  return { peak: toDecibels(peak), rms: toDecibels(rms) }
}
