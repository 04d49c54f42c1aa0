import type { ReactNode } from 'react'
import type { ArchiveRecording } from './recording.ts'

/** Player functions that the page passes down, because features cannot import the player. */
export type PlaybackProps = {
  /** @param at where to start in seconds; by default, where the visitor left it */
  onPlay: (recording: ArchiveRecording, at?: number) => void
  onPause: () => void
  /** shows how much of a recording was played; `isCurrent` is true for the recording in the player bar */
  renderProgress: (recording: ArchiveRecording, isCurrent: boolean) => ReactNode
}
