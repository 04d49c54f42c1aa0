import type { Level, SourceView } from './sourceCalls.ts'

export const stateTexts: Record<SourceView['state'], string> = {
  testing: 'Level test',
  standby: 'Standby',
  'on-air': 'On air',
  silent: 'Silent',
}

/** @param onAir name of the streamer on air, or null */
export function describeState(state: SourceView['state'], onAir: string | null): string {
  if (state === 'testing') return 'Nobody hears this source. Change the mount in your program to go on air.'
  if (state === 'silent') return 'The station plays instead, until your sound is back.'
  if (state === 'standby') return `${onAir ?? 'Another source'} is on air. You follow when it ends.`
  return 'Listeners hear you.'
}

/** In dBFS. Encoders reach 0 only if the sound before them was cut off. */
const CLIPPING_PEAK = -0.1
const QUIET_RMS = -30
const SILENT_RMS = -60

type LevelHint = { text: string; isProblem: boolean }

/** Returns advice about a level. */
export function describeLevel(level: Level | null): LevelHint {
  if (!level) return { text: 'The level of this format cannot be measured here.', isProblem: false }
  if (level.rms <= SILENT_RMS) return { text: 'No sound arrives. Check the input of your program.', isProblem: true }
  if (level.peak >= CLIPPING_PEAK) return { text: 'Clipping. Turn it down by a few decibels.', isProblem: true }
  if (level.rms < QUIET_RMS) return { text: 'Too quiet. Turn it up.', isProblem: true }
  return { text: 'The level is good.', isProblem: false }
}

export const formatDecibels = (value: number) => (Number.isFinite(value) ? value.toFixed(1).replace('-', '−') : '−∞')

export const formatTitle = ({ artist, title }: NonNullable<SourceView['title']>) =>
  [artist, title].filter(Boolean).join(' – ')
