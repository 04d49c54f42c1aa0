import type { NowPlaying, Station } from '#src/contract/radio.ts'

/** A past broadcast as the bar plays it. */
export type Recording = {
  stationId: number
  streamerId: number
  broadcastId: number
  title: string
  streamer: string
  /** ISO */
  startedAt: string
  /** seconds */
  duration: number
  /** bytes */
  size: number
}

export type Source = { kind: 'live' } | { kind: 'recording'; recording: Recording }

/**
 * `starting`: asked for and not heard yet; `reconnecting`: heard before, silent now, being tried again.
 */
export type Status = 'paused' | 'starting' | 'playing' | 'reconnecting'

export type BlockReason = 'offline' | 'unreachable' | 'newVersion' | 'reload'

/** Kept for the next visit. */
export type Settings = {
  /** 0 to 1, squared to loudness */
  volume: number
  muted: boolean
  stationId: number
  /** name of the visualiser's preset */
  preset: string
  maximised: boolean
  minimised: boolean
  /** space, m and arrows act when nothing else has the focus */
  shortcuts: boolean
}

export type PlayerState = Settings & {
  status: Status
  source: Source
  stations: Station[]
  nowPlaying: NowPlaying | null
  /** when `nowPlaying` was true, in ms since 1970 */
  nowPlayingAt: number
  /** the browser says that it has no network */
  offline: boolean
  /** a page that cannot be opened now, or only by loading the site again, which stops the sound */
  blockedPage: { url: string; reason: BlockReason } | null
  /** when the radio stops by itself, in ms since 1970 */
  sleepAt: number | null
}

export type AudioGraph = {
  context: AudioContext
  /** the sound before the volume, so that what is drawn does not fade with it; FFT size 2048 */
  analyser: AnalyserNode
  /** the two channels apart, for meters and waveforms; FFT size 2048 */
  left: AnalyserNode
  right: AnalyserNode
}
