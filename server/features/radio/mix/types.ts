import type { AudioFrame } from '#server/features/radio/input/frames/audioParser.ts'
import type { Level } from '#server/features/radio/input/silence.ts'
import type { ScheduledShow } from '#server/features/show/service.ts'
import type { LiveSound } from './sound.ts'

/** A streamer on air, from the first frame to the end of the grace period. */
export type OnAir = {
  /** id of the row in `broadcast` */
  broadcastId: number
  stationId: number
  /** `userId` is empty for a streamer of a radio service */
  streamer: { userId: string; name: string }
  /** the scheduled show, or null for an unscheduled broadcast */
  showId: number | null
  title: string | null
  startedAt: Date
  /** media type of the source's frames, such as `audio/mpeg`; empty for a broadcast of a radio service, without frames */
  type: string
  /** decoders cannot continue when it changes, see `Frame` */
  format: string
}

export type LiveTitle = { artist: string; title: string }

/**
 * Receives what happens on air. The order is: `onStart`, then any of `onFrames`, `onTitle`, `onInterrupt` (the source is
 * gone or silent, and the station plays) and `onResume`, then `onEnd`. The next broadcast of a station starts after `onEnd` of the
 * previous one. When the site closes, a running broadcast gets `onInterrupt` without `onEnd`, because it can go on after the
 * restart: then it gets `onStart` with the same id and `onResume`. The same can happen after the `onEnd` of a process that
 * lost the live sources. Observers must not throw, and must not block: frames arrive in real time.
 */
export type BroadcastObserver = {
  onStart?(broadcast: OnAir): void
  /** Includes the header pages of Ogg streams, before the first frame and after each format change. Long silence
   * is left out. */
  onFrames?(broadcast: OnAir, frames: AudioFrame[]): void
  onTitle?(broadcast: OnAir, title: LiveTitle): void
  onInterrupt?(broadcast: OnAir): void
  onResume?(broadcast: OnAir): void
  /** `isSilence`: nothing but silence was sent */
  onEnd?(broadcast: OnAir, isSilence?: boolean): void
}

/** A connected source. The mixer knows it from its first audio on. */
export type LiveSource = {
  id: string
  mount: string
  /** whether it uses the mount of the level test */
  isTest: boolean
  streamer: { userId: string; name: string }
  client: string
  connectedAt: Date
  /** media type; empty before the first audio */
  type: string
  format: string
  /** header pages of an Ogg stream */
  header: AudioFrame[]
  title: LiveTitle | null
  /** the streamer's show that takes place now */
  show: ScheduledShow | null
  /** a show of the streamer that began soon after the connection */
  upcoming: ScheduledShow | null
  /** an admin put it on air */
  isForced: boolean
  isSilent: boolean
  kilobitsPerSecond: () => number
  level: () => Level | null
  /** Disconnects it. */
  end(reason: string): void
}

export type LivePlaying = {
  streamer: string
  title: LiveTitle
  since: Date
  /** newest first */
  history: { title: LiveTitle; at: Date }[]
}

/** The broadcast on air and its current track. */
export type OnAirState = { onAir: OnAir | null; playing: LivePlaying | null }

/** The sound and the title of the streamer on air, for the built-in station. */
export type LiveStation = {
  sound: LiveSound
  /** Returns null while no streamer is on air. */
  playing(): LivePlaying | null
  /** Calls the listener when `playing` changes. @returns a function that removes it */
  onChange(listener: () => void): () => void
}
