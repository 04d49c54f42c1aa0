import type { ReactNode } from 'react'
import type { ArchiveRecording } from './recording.ts'

/** Player functions, passed down by the page: features cannot import the player. */
export type PlaybackProps = {
  onPlay: (recording: ArchiveRecording) => void
  onPause: () => void
  /** shows how much of a recording was played; `isCurrent` is true if the player bar plays it */
  renderProgress: (recording: ArchiveRecording, isCurrent: boolean) => ReactNode
}
