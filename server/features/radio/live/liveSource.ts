import type { AudioFrame } from '#server/features/radio/frames/audioParser.ts'
import type { ScheduledShow } from '#server/features/show/scheduledShow.ts'
import type { LiveTitle } from './types.ts'

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
