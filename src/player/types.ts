import type { NowPlaying, Station } from '#src/contract/radio.ts'

export type Recording = {
  stationId: number
  streamerId: number
  broadcastId: number
  title: string
  streamer: string
  startedAt: string
  /** in seconds */
  duration: number
  size: number
}

export type Source = { kind: 'live' } | { kind: 'recording'; recording: Recording }

/** `starting`: no audio yet; `reconnecting`: the player retries an interrupted stream */
export type Status = 'paused' | 'starting' | 'playing' | 'reconnecting'

/** Persisted in localStorage. */
export type Settings = {
  /** 0 to 1; squared before use, to match perceived loudness */
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
  /** when `nowPlaying` was fetched, in ms since the Unix epoch */
  nowPlayingAt: number
  offline: boolean
  /** page that was not opened: it is unreachable, or loading it would stop playback */
  blockedPage: { url: string; reason: 'offline' | 'unreachable' | 'newVersion' | 'reload' } | null
  /** when the sleep timer stops playback, in ms since the Unix epoch */
  sleepAt: number | null
}

export type AudioGraph = {
  context: AudioContext
  /** placed before the gain node, so that the volume does not affect the visuals; FFT size 2048 */
  analyser: AnalyserNode
  /** one analyser per channel, for meters and waveforms; FFT size 2048 */
  left: AnalyserNode
  right: AnalyserNode
}
