import type { AudioFrame } from './frames/audioParser.ts'

export type Level = { peak: number; rms: number }

/** Lowest level in dBFS, for digital silence. */
export const FLOOR = -100
/** The fullness of the encoder's buffer, in the header, can change from frame to frame. */
const ADTS_HEADER_BYTES = 7

/** Rounds to a tenth. Decoders can exceed full scale, which counts as 0 dBFS. */
export const toDecibels = (amplitude: number) =>
  Math.max(FLOOR, Math.min(0, Math.round(200 * Math.log10(Math.max(amplitude, 1e-9))) / 10))

/**
 * Recognises digital silence without a decoder. AAC repeats a frame, also if the encoder fills it up to a constant rate.
 * FLAC needs about a bit for each sample of any other sound; silence is a constant for thousands of samples.
 */
export function isDigitalSilence(frames: AudioFrame[]): boolean {
  const [first, ...rest] = frames.filter(({ isHeader }) => !isHeader)
  if (first?.page) {
    const { granulesPerSecond } = first.page
    return [first, ...rest].every(({ bytes, seconds }) => bytes.length * 8 < (seconds * granulesPerSecond) / 2)
  }
  const soundOf = ({ bytes }: AudioFrame) => bytes.subarray(ADTS_HEADER_BYTES)
  return first !== undefined && rest.length > 0 && rest.every((frame) => soundOf(frame).equals(soundOf(first)))
}

/** A source below this peak for this long counts as silent, for example after a program lost its input. */
const SILENCE_DBFS = -60
const SILENCE_SECONDS = 30

/** A slice has a quarter of a second of sound, and more on a busy machine. */
const SLICES = 4

/** Combines levels of slices to the level of about a second, and detects silence. */
export function createLevelHistory(onSilence: (isSilent: boolean) => void) {
  let slices: { level: Level; seconds: number }[] = []
  let silentSeconds = 0

  return {
    /** @param level null for sound whose level is not known */
    push(level: Level | null, seconds: number): void {
      slices = level ? [...slices, { level, seconds }].slice(-SLICES) : []
      const isLoud = !level || level.peak >= SILENCE_DBFS
      silentSeconds = isLoud ? 0 : silentSeconds + seconds
      if (isLoud) onSilence(false)
      else if (silentSeconds >= SILENCE_SECONDS) onSilence(true)
    },

    /** Returns null before the first measurement. */
    lastSecond(): Level | null {
      if (slices.length === 0) return null
      const power = slices.reduce((power, { level, seconds }) => power + 10 ** (level.rms / 10) * seconds, 0)
      const total = slices.reduce((total, { seconds }) => total + seconds, 0)
      const rms = Math.round(100 * Math.log10(power / total)) / 10
      return { peak: Math.max(...slices.map(({ level }) => level.peak)), rms }
    },
  }
}
