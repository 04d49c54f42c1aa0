import type { ReactNode } from 'react'
import type { ArchiveRecording } from './recording.ts'

/** What the page lends of the player. */
export type PlaybackProps = {
  onPlay: (recording: ArchiveRecording) => void
  onPause: () => void
  /** how much of a recording was heard; `isCurrent`: it is the one in the bar */
  heard: (recording: ArchiveRecording, isCurrent: boolean) => ReactNode
}
