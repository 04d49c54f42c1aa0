import type { Services } from '#server/core/context.ts'
import { createBroadcastRows } from '#server/features/radio/broadcastRows.ts'
import type { LiveSources } from '#server/features/radio/mix/createLive.ts'
import type { BroadcastObserver, OnAir } from '#server/features/radio/mix/types.ts'
import { startCompleting } from './bucket.ts'
import { createRecording, type Recording } from './recording.ts'
import { recordingsDir } from './store.ts'

type RecorderServices = Pick<Services, 'config' | 'db' | 'cache' | 'diskSpace' | 'log' | 'now'> & {
  live: Pick<LiveSources, 'observe'>
}

const SAVE_INTERVAL_MS = 5000

/** Records all broadcasts of the station, and completes the recordings that an earlier process did not finish. */
export function startRecorder(services: RecorderServices) {
  const { config, diskSpace, log, live } = services
  const dir = recordingsDir(config)
  const rows = createBroadcastRows(services)
  const deps = { rows, dir, quota: config.recordings.bytes, diskSpace, log }
  const recordings = new Map<number, Recording>()
  /** Files that are still written, by the broadcast: a broadcast that is back waits for them. */
  const pending = new Map<number, Promise<void>>()

  const recordingOf = (onAir: OnAir) => recordings.get(onAir.broadcastId)

  function track(broadcastId: number, work: Promise<void>): Promise<void> {
    const done = work
      .catch((error) => log.error({ err: error, broadcastId }, 'cannot complete a recording'))
      .finally(() => pending.get(broadcastId) === done && pending.delete(broadcastId))
    pending.set(broadcastId, done)
    return done
  }

  function start(onAir: OnAir): void {
    const { broadcastId } = onAir
    if (!recordings.has(broadcastId)) {
      recordings.set(broadcastId, createRecording(deps, broadcastId, pending.get(broadcastId)))
    }
  }

  function end({ broadcastId }: OnAir, isSilence?: boolean): void {
    const recording = recordings.get(broadcastId)
    if (recording && recordings.delete(broadcastId)) void track(broadcastId, recording.finish(isSilence))
  }

  const observer: BroadcastObserver = {
    onStart: start,
    onFrames: (onAir, frames) => recordingOf(onAir)?.push(onAir.type, frames),
    onTitle: (onAir, title) => recordingOf(onAir)?.setTitle(title),
    onResume: (onAir) => recordingOf(onAir)?.skip(),
    onEnd: end,
  }

  const stopObserving = live.observe(observer)
  const completing = startCompleting(services, (broadcastId) => recordings.has(broadcastId) || pending.has(broadcastId))
  const saving = setInterval(() => {
    for (const recording of recordings.values()) recording.save()
  }, SAVE_INTERVAL_MS).unref()
  return {
    /** Writes everything and closes the files. Broadcasts that come back after a restart go on in them. */
    async close(): Promise<void> {
      stopObserving()
      clearInterval(saving)
      await Promise.all([completing.close(), ...pending.values()])
      const suspending = [...recordings.values()].map((recording) => recording.suspend())
      for (const { status } of await Promise.allSettled(suspending)) {
        if (status === 'rejected') log.error('cannot complete a recording at the shutdown')
      }
    },
  }
}
