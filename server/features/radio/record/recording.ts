import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import { RESERVE_BYTES } from '#server/core/storage/diskSpace.ts'
import type { BroadcastRows } from '#server/features/radio/broadcastRows.ts'
import type { AudioFrame } from '#server/features/radio/input/frames/audioParser.ts'
import { statFile } from '#server/features/radio/library/files.ts'
import type { LiveTitle } from '#server/features/radio/mix/types.ts'
import { openRecording, type RecordingFile } from './recordingFile.ts'
import { isRecordable, partOf, recordingFile } from './store.ts'

export type RecordingDeps = {
  rows: Pick<BroadcastRows, 'readFile' | 'saveFile' | 'splitFile' | 'completeFile' | 'addTrack'>
  dir: string
  /** the most bytes of all recordings */
  quota: number
  diskSpace: () => Promise<number>
  log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>
}

/** Limits memory while the disk is slow: about three minutes of 320 kbit/s. */
const MAX_QUEUED_BYTES = 8 * 1024 * 1024
/** Limits memory if the database is slow: titles beyond it are dropped. */
const MAX_QUEUED_TITLES = 50
/** Limits the files of a source that changes its format again and again. */
const MAX_PARTS = 20

export type Recording = ReturnType<typeof createRecording>

/**
 * Records one broadcast. Writes in the background, in the order of the calls. If another decoder is needed, the file becomes
 * a recording of its own, and the broadcast goes on in the next file. A failure stops the recording, never the broadcast.
 * @param ready settles when nothing else writes to the broadcast's file any more
 */
export function createRecording(
  { rows, dir, quota, diskSpace, log }: RecordingDeps,
  broadcastId: number,
  ready: Promise<void> = Promise.resolve(),
) {
  let work = Promise.resolve()
  let queuedBytes = 0
  let queuedTitles = 0
  let current: RecordingFile | null = null
  let isOpened = false
  /** why nothing is recorded any more; null while it is */
  let stopped: string | null = null
  /** seconds of sound since the start, for the titles of a broadcast without a recording */
  let heardSeconds = 0

  function add(task: () => Promise<void> | void): void {
    work = work.then(task).catch((error) => {
      log.error({ err: error, broadcastId }, 'cannot record a broadcast')
      stop('the disk or the database failed')
    })
  }

  function stop(reason: string): void {
    if (stopped) return
    stopped = reason
    log.error({ broadcastId, reason }, 'recording stopped: what was recorded before is kept')
  }

  /** Refuses to begin or to go on when the disk or the quota is used up. */
  async function hasSpace(): Promise<boolean> {
    if ((await diskSpace()) < RESERVE_BYTES) stop('the disk is nearly full')
    else if ((current?.written().bytes ?? 0) >= quota) stop('the recording is as large as RECORDINGS allows')
    return stopped === null
  }

  /** After the restore of a backup, a file of a lost broadcast with this id can be there. It is not continued. */
  async function findFreePart(type: string, part: number): Promise<number> {
    const found = await statFile(join(dir, recordingFile(broadcastId, part, type)), '')
    return found && found.size > 0 ? findFreePart(type, part + 1) : part
  }

  const openNew = async (type: string, part: number) => openPart(type, await findFreePart(type, part))

  async function openPart(type: string, part: number): Promise<void> {
    if (!isRecordable(type)) return stop(`recordings of ${type} are not supported`)
    if (part > MAX_PARTS) return stop('the source changed its format too often')
    current = await openRecording(dir, { broadcastId, part, type })
    await rows.saveFile(broadcastId, current.written())
  }

  async function openFirst(type: string): Promise<void> {
    isOpened = true
    await ready
    if (!(await hasSpace())) return
    const stored = await rows.readFile(broadcastId)
    const part = Math.max(1, partOf(stored?.file ?? null))
    if (!stored?.file) return openNew(type, part)
    if ((await stat(join(dir, stored.file)).catch(() => null)) === null) {
      // It is on the machine of a process that had the live sources before, and becomes a recording of its own.
      await rows.splitFile(broadcastId, { ...stored, file: stored.file })
      return openNew(type, part + 1)
    }
    // After a restart, the source can send another type.
    await openPart(stored.type, part)
    if (stored.type !== type && current) await openNext(type, current)
  }

  async function openNext(type: string, { finish, written, path, part }: RecordingFile): Promise<void> {
    await finish()
    if (written().seconds === 0) await rm(path, { force: true })
    else await rows.splitFile(broadcastId, written())
    // The file belongs to another row now, also if no next one begins.
    current = null
    await openNew(type, part + 1)
  }

  function count(frames: AudioFrame[]): void {
    for (const { seconds } of frames) heardSeconds += seconds
  }

  async function write(type: string, frames: AudioFrame[]): Promise<void> {
    if (!isOpened) await openFirst(type)
    count(frames)
    let encoded: Buffer[] = []
    for (const frame of frames) {
      if (stopped || !current) return
      const bytes = current.type === type ? current.muxer.push(frame) : null
      if (bytes) {
        encoded.push(...bytes)
        continue
      }
      await current.append(encoded)
      const header = current.type === type ? current.muxer.rest() : []
      await openNext(type, current)
      encoded = [...header, frame].flatMap((first) => current?.muxer.push(first) ?? [])
    }
    await current?.append(encoded)
  }

  return {
    push(type: string, frames: AudioFrame[]): void {
      const bytes = frames.reduce((sum, frame) => sum + frame.bytes.length, 0)
      if (queuedBytes + bytes > MAX_QUEUED_BYTES) stop('the disk is too slow')
      if (stopped) return void count(frames)
      queuedBytes += bytes
      add(async () => {
        queuedBytes -= bytes
        await write(type, frames)
      })
    },

    /** The sound matters more than a title. */
    setTitle(title: LiveTitle): void {
      if (queuedTitles >= MAX_QUEUED_TITLES) return
      queuedTitles++
      add(async () => {
        queuedTitles--
        await rows
          .addTrack(broadcastId, current && !stopped ? current.written().seconds : heardSeconds, title)
          .catch((error) => log.warn({ err: error, broadcastId }, 'cannot store a track of a broadcast'))
      })
    },

    /** Notes that sound is missing before the next frame. */
    skip: () => add(() => current?.muxer.skip()),

    /** Stores size and duration, and checks the limits. */
    save: () =>
      add(async () => {
        if (!current || !(await hasSpace())) return
        await current.sync()
        await rows
          .saveFile(broadcastId, current.written())
          .catch((error) => log.warn({ err: error, broadcastId }, 'cannot store the size of a recording'))
      }),

    /** Closes the file without an end, because the broadcast goes on after the restart. */
    async suspend(): Promise<void> {
      await work
      if (current) await rows.saveFile(broadcastId, current.written())
      await current?.close()
    },

    /** Completes the file at the end of the broadcast. @param isSilence whether to delete it, because it is only silence */
    async finish(isSilence = false): Promise<void> {
      await work
      await current?.finish().catch((error) => log.error({ err: error, broadcastId }, 'cannot end a recording'))
      const written = current?.written() ?? null
      const isKept = !isSilence && written?.seconds !== 0
      await rows.completeFile(broadcastId, isKept ? written : null)
      if (!isKept && current) await rm(current.path, { force: true })
    },
  }
}
