import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import { RESERVE_BYTES } from '#server/core/storage/diskSpace.ts'
import type { AudioFrame } from '#server/features/radio/input/frames/audioParser.ts'
import type { LiveTitle, OnAir } from '#server/features/radio/mix/types.ts'
import { isRecordable, partOf } from './files.ts'
import { openRecording, type RecordingWriter } from './recordingWriter.ts'
import type { RecordingRows } from './rows.ts'

export type RecordingDeps = {
  rows: RecordingRows
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

type Queued = { type: string; frames: AudioFrame[] } | { title: LiveTitle } | 'skip'

export type Recording = ReturnType<typeof createRecording>

/**
 * Records one broadcast. `push` only queues; `work` does everything else, in the order of the queue.
 * @param ready settles when nothing else writes to the broadcast's file any more
 */
export function createRecording(
  { rows, dir, quota, diskSpace, log }: RecordingDeps,
  broadcast: OnAir,
  ready: Promise<void> = Promise.resolve(),
) {
  const { broadcastId } = broadcast
  let queue: Queued[] = []
  let queuedBytes = 0
  let queuedTitles = 0
  let writer: RecordingWriter | null = null
  let isOpened = false
  /** why nothing is recorded any more; null while it is */
  let stopped: string | null = null
  /** seconds of sound since the start, for the titles of a broadcast without a recording */
  let heardSeconds = 0
  let pass: Promise<void> | null = null
  let isSaveDue = false

  function stop(reason: string): void {
    if (stopped) return
    stopped = reason
    log.error({ broadcastId, reason }, 'recording stopped: what was recorded before is kept')
  }

  /** Refuses to begin or to go on when the disk or the quota is used up. */
  async function hasSpace(): Promise<boolean> {
    if ((await diskSpace()) < RESERVE_BYTES) stop('the disk is nearly full')
    else if ((writer?.bytes() ?? 0) >= quota) stop('the recording is as large as RECORDINGS allows')
    return stopped === null
  }

  async function openPart(type: string, part: number): Promise<void> {
    if (!isRecordable(type)) return stop(`recordings of ${type} are not supported`)
    if (part > MAX_PARTS) return stop('the source changed its format too often')
    writer = await openRecording(dir, { broadcastId, part, type })
    await rows.begin(broadcastId, writer)
  }

  const hasFile = (file: string) =>
    stat(join(dir, file)).then(
      () => true,
      () => false,
    )

  async function openFirst(type: string): Promise<void> {
    isOpened = true
    await ready
    if (!(await hasSpace())) return
    const stored = await rows.read(broadcastId)
    const part = Math.max(1, partOf(stored?.file ?? null))
    if (stored?.file && !(await hasFile(stored.file))) {
      // It is on the machine of a process that had the live sources before, and becomes a recording of its own.
      const { file, type: earlierType, bytes, seconds } = stored
      await rows.split(broadcastId, { file, type: earlierType, bytes: () => bytes, seconds: () => seconds })
      return openPart(type, part + 1)
    }
    if (!stored?.file || stored.type === type) return openPart(type, part)
    // The broadcast goes on after a restart, but the source now sends another type.
    writer = await openRecording(dir, { broadcastId, part, type: stored.type })
    await beginNextPart(type)
  }

  /** Another decoder is needed: the file becomes a recording of its own, and the broadcast goes on in the next one. */
  async function beginNextPart(type: string): Promise<void> {
    if (!writer) return
    await writer.finish()
    if (writer.seconds() === 0) await rm(join(dir, writer.file), { force: true })
    else await rows.split(broadcastId, writer)
    await openPart(type, writer.part + 1)
  }

  async function encode(type: string, frames: AudioFrame[]): Promise<void> {
    if (!isOpened) await openFirst(type)
    let encoded: Buffer[] = []
    const flush = async () => {
      if (encoded.length > 0) await writer?.append(encoded)
      encoded = []
    }
    for (const frame of frames) {
      heardSeconds += frame.seconds
      if (stopped || !writer) continue
      const bytes = writer.type === type ? writer.encode(frame) : null
      if (bytes) {
        encoded.push(...bytes)
        continue
      }
      await flush()
      const headers = writer.type === type ? writer.rest() : []
      await beginNextPart(type)
      if (stopped) continue
      for (const first of [...headers, frame]) encoded.push(...(writer.encode(first) ?? []))
    }
    await flush()
  }

  /** The sound matters more than a title. */
  async function addTrack(title: LiveTitle): Promise<void> {
    const position = writer && !stopped ? writer.seconds() : heardSeconds
    await rows
      .addTrack(broadcastId, position, title)
      .catch((error) => log.warn({ err: error, broadcastId }, 'cannot store a track of a broadcast'))
  }

  /** Stores size and duration, and checks the limits. */
  async function save(): Promise<void> {
    isSaveDue = false
    if (!writer || !(await hasSpace())) return
    await writer.sync()
    await rows
      .save(broadcastId, writer)
      .catch((error) => log.warn({ err: error, broadcastId }, 'cannot store the size of a recording'))
  }

  async function run(): Promise<void> {
    const entries = queue
    queue = []
    queuedBytes = 0
    queuedTitles = 0
    let title: LiveTitle | null = null
    const writeTitle = async () => {
      if (title) await addTrack(title)
      title = null
    }
    for (const entry of entries) {
      if (entry === 'skip') writer?.skip()
      // Only the last of several titles at the same position counts.
      else if ('title' in entry) title = entry.title
      else {
        await writeTitle()
        await encode(entry.type, entry.frames)
      }
    }
    await writeTitle()
    if (isSaveDue) await save()
  }

  /** Handles what is queued. Failures stop the recording, never the broadcast. */
  function work(): Promise<void> {
    pass ??= run()
      .catch((error) => {
        log.error({ err: error, broadcastId }, 'cannot record a broadcast')
        stop('the disk or the database failed')
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
    broadcastId,
    isRecording: () => stopped === null,

    push(type: string, frames: AudioFrame[]): void {
      const bytes = frames.reduce((sum, frame) => sum + frame.bytes.length, 0)
      if (queuedBytes + bytes > MAX_QUEUED_BYTES) stop('the disk is too slow')
      if (stopped) {
        // Titles still need the position.
        for (const { seconds } of frames) heardSeconds += seconds
        return
      }
      queuedBytes += bytes
      queue.push({ type, frames })
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
      if (writer) await rows.save(broadcastId, writer)
      await writer?.close()
    },

    /** Completes the file at the end of the broadcast. @param isSilence whether to delete it, because it is only silence */
    async finish(isSilence = false): Promise<void> {
      await drain()
      await writer?.finish().catch((error) => log.error({ err: error, broadcastId }, 'cannot end a recording'))
      const isEmpty = isSilence || writer?.seconds() === 0
      await rows.complete(broadcastId, isEmpty ? null : writer)
      if (isEmpty && writer) await rm(join(dir, writer.file), { force: true })
    },
  }
}
