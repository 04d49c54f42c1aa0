import type { ReactNode } from 'react'
import type { ArchiveRecording } from './recording.ts'

/** Player functions that the page passes down, because features cannot import the player. */
export type PlaybackProps = {
  onPlay: (recording: ArchiveRecording) => void
  onPause: () => void
  /** shows how much of a recording was played; `isCurrent` is true for the recording in the player bar */
  renderProgress: (recording: ArchiveRecording, isCurrent: boolean) => ReactNode
}
