import type { NowPlaying, Station } from '#src/contract/radio.ts'

export type Recording = {
  stationId: number
  streamerId: number
  broadcastId: number
  title: string
  streamer: string
  startedAt: string
  /** seconds */
  duration: number
  size: number
}

export type Source = { kind: 'live' } | { kind: 'recording'; recording: Recording }

/** `starting`: no audio yet; `reconnecting`: interrupted, being retried */
export type Status = 'paused' | 'starting' | 'playing' | 'reconnecting'

/** Persisted in localStorage. */
export type Settings = {
  /** 0 to 1; squared for loudness */
  volume: number
  muted: boolean
  stationId: number
  preset: string
  maximised: boolean
  minimised: boolean
  shortcuts: boolean
}

export type PlayerState = Settings & {
  status: Status
  source: Source
  stations: Station[]
  nowPlaying: NowPlaying | null
  /** when `nowPlaying` was fetched, in ms since 1970 */
  nowPlayingAt: number
  offline: boolean
  /** a page that cannot be opened now, or only by a page load, which stops playback */
  blockedPage: { url: string; reason: 'offline' | 'unreachable' | 'newVersion' | 'reload' } | null
  /** when the sleep timer stops playback, in ms since 1970 */
  sleepAt: number | null
}

export type AudioGraph = {
  context: AudioContext
  /** before the volume, so that visuals do not fade with it; FFT size 2048 */
  analyser: AnalyserNode
  /** single channels, for meters and waveforms; FFT size 2048 */
  left: AnalyserNode
  right: AnalyserNode
}
