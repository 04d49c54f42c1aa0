import type { AudioFrame } from '#server/features/radio/input/frames/audioParser.ts'
import type { ScheduledShow } from '#server/features/show/scheduledShow.ts'

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

/**
 * A connected source. `testing`: it used the mount of the level test and never goes on air. `standby`: another source is
 * on air. `silent`: it sends silence, so the station plays instead.
 */
export type ConnectedSource = {
  id: string
  stationId: number
  mount: string
  streamer: { userId: string; name: string }
  state: 'testing' | 'standby' | 'on-air' | 'silent'
  /** program of the streamer, from the User-Agent header */
  client: string
  type: string
  format: string
  /** measured over the last seconds */
  kilobitsPerSecond: number
  connectedAt: Date
  /** levels of the last second in dBFS, at most 0; null if the server cannot decode the format */
  level: { peak: number; rms: number } | null
  title: LiveTitle | null
}

export type Live = {
  /** @returns a function that removes the observer */
  observe(observer: BroadcastObserver): () => void
  onAir(stationId: number): OnAir | null
  sources(): ConnectedSource[]
  /** Puts a source on air at once; the source that was on air stands by. @throws AppError NOT_FOUND */
  takeOver(sourceId: string): void
  /** Disconnects a source; its broadcast ends without a grace period. @throws AppError NOT_FOUND */
  disconnect(sourceId: string): void
  /** Disconnects all sources of a user, for example when an admin disables the account. */
  disconnectUser(userId: string): void
  close(): Promise<void>
}

/** A connected source that has sent audio. */
export type LiveSource = {
  id: string
  mount: string
  /** whether it uses the mount of the level test */
  isTest: boolean
  streamer: { userId: string; name: string }
  client: string
  connectedAt: Date
  type: string
  format: string
  /** header pages of an Ogg stream */
  header: AudioFrame[]
  title: LiveTitle | null
  /** the streamer's show that takes place now */
  show: ScheduledShow | null
  /** an admin put it on air */
  isForced: boolean
  isSilent: boolean
  /** Disconnects it. */
  end(reason: string): void
}
