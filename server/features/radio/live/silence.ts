import type { Level } from './levelMeter.ts'

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
