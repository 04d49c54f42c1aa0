import type { AudioFrame } from '#server/features/radio/input/frames/audioParser.ts'
import type { LiveTitle } from '#server/features/radio/mix/types.ts'
import { createRecordingParts, type RecordingDeps } from './recordingParts.ts'

/** Limits memory while the disk is slow: about three minutes of 320 kbit/s. */
const MAX_QUEUED_BYTES = 8 * 1024 * 1024
/** Limits memory if the database is slow: titles beyond it are dropped. */
const MAX_QUEUED_TITLES = 50

export type Recording = ReturnType<typeof createRecording>

/**
 * Records one broadcast. Writes in the background, in the order of the calls. A failure stops the recording, never the
 * broadcast.
 * @param ready settles when nothing else writes to the broadcast's file any more
 */
export function createRecording(deps: RecordingDeps, broadcastId: number, ready: Promise<void> = Promise.resolve()) {
  const { rows, log } = deps
  const parts = createRecordingParts(deps, broadcastId, ready)
  let work = Promise.resolve()
  let queuedBytes = 0
  let queuedTitles = 0

  function add(task: () => Promise<void> | void): void {
    work = work.then(task).catch((error) => {
      log.error({ err: error, broadcastId }, 'cannot record a broadcast')
      parts.stop('the disk or the database failed')
    })
  }

  return {
    push(type: string, frames: AudioFrame[]): void {
      const bytes = frames.reduce((sum, frame) => sum + frame.bytes.length, 0)
      if (queuedBytes + bytes > MAX_QUEUED_BYTES) parts.stop('the disk is too slow')
      if (parts.isStopped()) return void parts.count(frames)
      queuedBytes += bytes
      add(async () => {
        queuedBytes -= bytes
        await parts.write(type, frames)
      })
    },

    /** The sound matters more than a title. */
    setTitle(title: LiveTitle): void {
      if (queuedTitles >= MAX_QUEUED_TITLES) return
      queuedTitles++
      add(async () => {
        queuedTitles--
        await rows
          .addTrack(broadcastId, parts.position(), title)
          .catch((error) => log.warn({ err: error, broadcastId }, 'cannot store a track of a broadcast'))
      })
    },

    skip: () => add(parts.skip),

    /** Stores size and duration, and checks the limits. */
    save: () => add(parts.save),

    /** Closes the file without an end, because the broadcast goes on after the restart. */
    suspend: (): Promise<void> => work.then(parts.close),

    /** Completes the file at the end of the broadcast. @param isSilence whether to delete it, because it is only silence */
    finish: (isSilence = false): Promise<void> => work.then(() => parts.finish(isSilence)),
  }
}
