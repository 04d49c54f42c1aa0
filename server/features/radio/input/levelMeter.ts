import type { AudioFrame } from './frames/audioParser.ts'

type Decoded = { channelData: Float32Array[]; samplesDecoded: number; sampleRate: number }
type Decoder = {
  ready: Promise<unknown>
  decode(bytes: Uint8Array): Decoded | Promise<Decoded>
  reset(): Promise<unknown>
  free(): unknown
}

export type Level = { peak: number; rms: number }

/** Decodes this much at a time, to keep the pauses of other work short. */
const SLICE_SECONDS = 0.25
/** Skips the measurement of frames beyond this, if the machine is too busy to decode all of them. */
const MAX_BACKLOG_SECONDS = 2
/** Lowest level in dBFS, for digital silence. */
const FLOOR = -100

/** Decoders are loaded when a source needs them. AAC and FLAC have none. */
const DECODERS: Record<string, () => Promise<Decoder>> = {
  MPEG: async () => new (await import('mpg123-decoder')).MPEGDecoder({ enableGapless: false }),
  Opus: async () => new (await import('ogg-opus-decoder')).OggOpusDecoder() as Decoder,
  Vorbis: async () => new (await import('@wasm-audio-decoders/ogg-vorbis')).OggVorbisDecoder() as Decoder,
}

/**
 * Measures the level of a stream.
 * @param onLevel receives the level of each slice of about a quarter of a second, in dBFS
 * @param onFault receives the reason why the level of the stream cannot be measured
 */
export function createLevelMeter(
  onLevel: (level: Level, seconds: number) => void,
  onFault: (error: unknown) => void,
): { push(frames: AudioFrame[]): void; close(): void } {
  let decoder: Decoder | null = null
  let codec: string | null = null
  let queue: AudioFrame[] = []
  let queuedSeconds = 0
  let isBusy = false
  let isClosed = false

  async function measure(): Promise<void> {
    const frames = queue
    queue = []
    queuedSeconds = 0
    const next = /^(MPEG|Opus|Vorbis)\b/.exec(frames[0]?.format ?? '')?.[1] ?? null
    const isNewStream = frames[0]?.isHeader === true
    if (next !== codec || isNewStream) await openDecoder(next)
    if (!decoder || isClosed) return
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
        if (frame.isHeader && queue.some(({ isHeader }) => !isHeader)) {
          queue = []
          queuedSeconds = 0
        }
        if (queuedSeconds > MAX_BACKLOG_SECONDS) return
        queue.push(frame)
        queuedSeconds += frame.seconds
      }
      if (queuedSeconds >= SLICE_SECONDS) startMeasuring()
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

/** Rounds to a tenth. Decoders can exceed full scale, which counts as 0 dBFS. */
export const toDecibels = (amplitude: number) =>
  Math.max(FLOOR, Math.min(0, Math.round(200 * Math.log10(Math.max(amplitude, 1e-9))) / 10))

/** A source below this peak for this long counts as silent, for example after a program lost its input. */
const SILENCE_DBFS = -60
const SILENCE_SECONDS = 30

/** Combines levels of slices to the level of about a second, and detects silence. */
export function createLevelHistory(onSilence: (isSilent: boolean) => void) {
  let slices: { level: Level; seconds: number }[] = []
  let silentSeconds = 0

  return {
    push(level: Level, seconds: number): void {
      slices.push({ level, seconds })
      for (let total = sum(slices); slices.length > 1; ) {
        total -= slices[0]?.seconds ?? 0
        if (total < 1) break
        slices = slices.slice(1)
      }
      const isLoud = level.peak >= SILENCE_DBFS
      silentSeconds = isLoud ? 0 : silentSeconds + seconds
      if (isLoud) onSilence(false)
      else if (silentSeconds >= SILENCE_SECONDS) onSilence(true)
    },

    /** Returns null before the first measurement. */
    lastSecond(): Level | null {
      if (slices.length === 0) return null
      const power = slices.reduce((power, { level, seconds }) => power + 10 ** (level.rms / 10) * seconds, 0)
      const rms = Math.round(100 * Math.log10(power / sum(slices))) / 10
      return { peak: Math.max(...slices.map(({ level }) => level.peak)), rms }
    },
  }
}

const sum = (slices: { seconds: number }[]) => slices.reduce((total, { seconds }) => total + seconds, 0)
