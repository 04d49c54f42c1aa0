import { findTrack, loadTracklist } from '#src/lib/tracklists.ts'
import { recordingPosition, seek } from '#src/player/engine.ts'
import { getPlayer } from '#src/player/store.ts'

/** Within this time after its start, "back" means the track before. */
const RESTART_SECONDS = 3

/** Seeks to the next or the previous track of the recording. */
export async function jumpTrack(direction: 1 | -1): Promise<void> {
  const { source } = getPlayer()
  if (source.kind !== 'recording') return
  const tracks = (await loadTracklist(source.recording.broadcastId))?.tracks ?? []
  // The visitor may have started something else meanwhile.
  if (tracks.length === 0 || getPlayer().source !== source) return
  const { position } = recordingPosition()
  const index = findTrack(tracks, direction > 0 ? position : position - RESTART_SECONDS)
  const target = direction > 0 ? tracks[index + 1] : (tracks[index] ?? { seconds: 0 })
  if (target) seek(target.seconds)
}
