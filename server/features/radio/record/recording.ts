import type { AudioFrame } from '#server/features/radio/input/frames/audioParser.ts'
import type { LiveTitle } from '#server/features/radio/mix/types.ts'
import { createRecordingParts, type RecordingDeps } from './recordingParts.ts'

/** Limits memory while the disk is slow: about three minutes of 320 kbit/s. */
const MAX_QUEUED_BYTES = 8 * 1024 * 1024
/** Limits memory if the database is slow: titles beyond it are dropped. */
const MAX_QUEUED_TITLES = 50

type Queued = { type: string; frames: AudioFrame[] } | { title: LiveTitle } | 'skip'

export type Recording = ReturnType<typeof createRecording>

/**
 * Records one broadcast. `push` only queues; `work` does everything else, in the order of the queue.
 * @param ready settles when nothing else writes to the broadcast's file any more
 */
export function createRecording(deps: RecordingDeps, broadcastId: number, ready: Promise<void> = Promise.resolve()) {
  const { rows, log } = deps
  const parts = createRecordingParts(deps, broadcastId, ready)
  let queue: Queued[] = []
  let queuedBytes = 0
  let queuedTitles = 0
  let pass: Promise<void> | null = null
  let isSaveDue = false

  /** The sound matters more than a title. */
  async function addTrack(title: LiveTitle | null): Promise<void> {
    if (!title) return
    await rows
      .addTrack(broadcastId, parts.position(), title)
      .catch((error) => log.warn({ err: error, broadcastId }, 'cannot store a track of a broadcast'))
  }

  async function run(): Promise<void> {
    const entries = queue
    queue = []
    queuedBytes = 0
    queuedTitles = 0
    let title: LiveTitle | null = null
    for (const entry of entries) {
      if (entry === 'skip') parts.skip()
      // Only the last of several titles at the same position counts.
      else if ('title' in entry) title = entry.title
      else {
        await addTrack(title)
        title = null
        await parts.write(entry.type, entry.frames)
      }
    }
    await addTrack(title)
    if (!isSaveDue) return
    isSaveDue = false
    await parts.save()
  }

  /** Handles what is queued. Failures stop the recording, never the broadcast. */
  function work(): Promise<void> {
    pass ??= run()
      .catch((error) => {
        log.error({ err: error, broadcastId }, 'cannot record a broadcast')
        parts.stop('the disk or the database failed')
      })
      .finally(() => {
        pass = null
      })
    return pass
  }

  /** Writes what is queued, also what arrives meanwhile. */
  async function drain(): Promise<void> {
    await work()
    if (queue.length > 0) await work()
  }

  return {
    push(type: string, frames: AudioFrame[]): void {
      queuedBytes += frames.reduce((sum, frame) => sum + frame.bytes.length, 0)
      if (queuedBytes > MAX_QUEUED_BYTES) parts.stop('the disk is too slow')
      if (parts.isStopped()) parts.count(frames)
      else queue.push({ type, frames })
    },

    setTitle(title: LiveTitle): void {
      if (queuedTitles >= MAX_QUEUED_TITLES) return
      queuedTitles++
      queue.push({ title })
    },

    skip: () => void queue.push('skip'),

    work,

    /** Makes the next `work` store size and duration, and check the limits. */
    scheduleSave(): void {
      isSaveDue = true
    },

    /** Closes the file without an end, because the broadcast goes on after the restart. */
    async suspend(): Promise<void> {
      await drain()
      await parts.close()
    },

    /** Completes the file at the end of the broadcast. @param isSilence whether to delete it, because it is only silence */
    async finish(isSilence = false): Promise<void> {
      await drain()
      await parts.finish(isSilence)
    },
  }
}
