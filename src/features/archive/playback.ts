import type { ReactNode } from 'react'
import type { ArchiveRecording } from './recording.ts'

/** Player functions that the page passes down, because a feature may not import the player. */
export type PlaybackProps = {
  onPlay: (recording: ArchiveRecording) => void
  onPause: () => void
  /** shows how much of a recording was played; `isCurrent` is true for the one in the player bar */
  heard: (recording: ArchiveRecording, isCurrent: boolean) => ReactNode
}
