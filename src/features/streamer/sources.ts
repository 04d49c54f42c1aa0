import type { ConnectedSourceView } from '#src/contract/liveSources.ts'
import { formatNumber } from '#src/i18n/formatText.ts'
import { t } from '#src/i18n/t.ts'
import { usePrivateQuery } from '#src/lib/privateQuery.ts'
import { trpc } from '#src/lib/trpc.ts'

export const stateTexts = {
  testing: () => t('streamer.stateTesting'),
  standby: () => t('streamer.stateStandby'),
  'on-air': () => t('player.onAir'),
  silent: () => t('streamer.stateSilent'),
} satisfies Record<SourceView['state'], () => string>

/** @param onAir name of the streamer on air, or null */
export function describeState(state: SourceView['state'], onAir: string | null): string {
  if (state === 'testing') return t('streamer.testingText')
  if (state === 'silent') return t('streamer.silentText')
  if (state === 'on-air') return t('streamer.onAirText')
  return onAir === null ? t('streamer.standbyOtherText') : t('streamer.standbyText', { name: onAir })
}

/** In dBFS. Encoders reach 0 only if the sound before them was cut off. */
const CLIPPING_PEAK = -0.1
const QUIET_RMS = -30
const SILENT_RMS = -60

type LevelHint = { text: string; isProblem: boolean }

/** Returns advice about a level. */
export function describeLevel(level: Level | null): LevelHint {
  if (!level) return { text: t('streamer.levelUnknown'), isProblem: false }
  if (level.rms <= SILENT_RMS) return { text: t('streamer.levelSilent'), isProblem: true }
  if (level.peak >= CLIPPING_PEAK) return { text: t('streamer.levelClipping'), isProblem: true }
  if (level.rms < QUIET_RMS) return { text: t('streamer.levelQuiet'), isProblem: true }
  return { text: t('streamer.levelGood'), isProblem: false }
}

const ONE_DECIMAL = { minimumFractionDigits: 1, maximumFractionDigits: 1 } as const

export const formatDecibels = (value: number) =>
  Number.isFinite(value) ? formatNumber(value, ONE_DECIMAL).replace('-', '−') : '−∞'

export const formatTitle = ({ artist, title }: NonNullable<SourceView['title']>) =>
  [artist, title].filter(Boolean).join(' – ')

/** The server measures levels once a second. The browser pauses the interval while the tab is hidden. */
const POLL_MS = 1000
const REFUSED_POLL_MS = 5000

/** A connected source. Admins see all sources, streamers their own. */
export type SourceView = ConnectedSourceView
/** in dBFS, at most 0 */
export type Level = NonNullable<SourceView['level']>

export const useSources = () =>
  usePrivateQuery(['sources'], ({ live }) => live.sources.query(), { pollMs: () => POLL_MS })
export const useRefusedSources = () =>
  usePrivateQuery(['refused-sources'], ({ live }) => live.refused.query(), { pollMs: () => REFUSED_POLL_MS })

export const takeOver = async (id: string) => (await trpc()).live.takeOver.mutate({ id })
export const disconnect = async (id: string) => (await trpc()).live.disconnect.mutate({ id })
