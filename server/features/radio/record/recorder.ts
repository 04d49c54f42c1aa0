import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { and, isNotNull, isNull } from 'drizzle-orm'
import { broadcast } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { createBroadcastRows } from '#server/features/radio/broadcastRows.ts'
import type { LiveSources } from '#server/features/radio/mix/createLive.ts'
import type { BroadcastObserver, OnAir } from '#server/features/radio/mix/types.ts'
import { startUploads } from './bucket.ts'
import { createRecording, type Recording } from './recording.ts'
import { repairFile } from './recordingFile.ts'
import { isRecordingFile, recordingsDir } from './store.ts'

type RecorderServices = Pick<Services, 'config' | 'db' | 'cache' | 'diskSpace' | 'log' | 'now'> & {
  live: Pick<LiveSources, 'observe'>
}

export type Recorder = {
  /** settles when unfinished recordings of an earlier process are whole again */
  repaired: Promise<void>
  /** Writes everything and closes the files. Broadcasts that come back after a restart go on in them. */
  close(): Promise<void>
}

const SAVE_INTERVAL_MS = 5000
/** Several writes long: a file that grows within this time belongs to another process. */
const SETTLE_MS = 2000

/** Records all broadcasts of the station, and repairs the recordings that an earlier process did not finish. */
export function startRecorder(services: RecorderServices, { settleMs = SETTLE_MS } = {}): Recorder {
  const { config, db, diskSpace, log, live } = services
  const dir = recordingsDir(config)
  const rows = createBroadcastRows(services)
  const deps = { rows, dir, quota: config.recordings.bytes, diskSpace, log }
  const recordings = new Map<number, Recording>()
  /** Files that are still written or repaired, by the broadcast: a broadcast that is back waits for them. */
  const pending = new Map<number, Promise<void>>()
  const closing = new AbortController()

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

  async function repairUnfinished(): Promise<void> {
    const unfinished = await db
      .select({ id: broadcast.id, file: broadcast.file, type: broadcast.type })
      .from(broadcast)
      .where(and(isNull(broadcast.endedAt), isNotNull(broadcast.file)))
    const sizeOf = async (file: string | null) => (await stat(join(dir, file ?? '')).catch(() => null))?.size
    const sizes = await Promise.all(unfinished.map(({ file }) => sizeOf(file)))
    if (unfinished.length > 0) await sleep(settleMs, undefined, { ref: false, signal: closing.signal })
    for (const [index, { id, file, type }] of unfinished.entries()) {
      // Without the file, the broadcast was recorded on another machine.
      if (sizes[index] === undefined) continue
      // A broadcast that is back repairs its own file.
      if (!file || !isRecordingFile(file) || recordings.has(id) || (await sizeOf(file)) !== sizes[index]) continue
      if (!recordings.has(id)) await track(id, repair(id, file, type))
    }
  }

  async function repair(id: number, file: string, type: string): Promise<void> {
    const repaired = await repairFile(join(dir, file), type)
    await rows.saveFile(id, { file, type, bytes: repaired?.bytes ?? 0, seconds: repaired?.seconds ?? 0 })
    log.info({ broadcastId: id, seconds: repaired?.seconds ?? 0 }, 'repaired an unfinished recording')
  }

  const stopObserving = live.observe(observer)
  const uploads = startUploads(services, (broadcastId) => recordings.has(broadcastId) || pending.has(broadcastId))
  const saving = setInterval(() => {
    for (const recording of recordings.values()) recording.save()
  }, SAVE_INTERVAL_MS).unref()
  const repaired = repairUnfinished().catch((error) => {
    if (!closing.signal.aborted) log.error({ err: error }, 'cannot repair unfinished recordings')
  })

  return {
    repaired,
    async close() {
      stopObserving()
      closing.abort()
      clearInterval(saving)
      await Promise.all([uploads.close(), repaired, ...pending.values()])
      const suspending = [...recordings.values()].map((recording) => recording.suspend())
      for (const { status } of await Promise.allSettled(suspending)) {
        if (status === 'rejected') log.error('cannot complete a recording at the shutdown')
      }
    },
  }
}
