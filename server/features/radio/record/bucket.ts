import { createWriteStream } from 'node:fs'
import { mkdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { and, eq, isNotNull } from 'drizzle-orm'
import { nullIfMissing } from '#db/fileSystem.server.ts'
import { broadcast } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { writeAndPublish } from '#server/core/events/writeAndPublish.ts'
import { readInRanges } from '#server/core/storage/bucket.ts'
import { type FilePlace, openBucket } from '#server/core/storage/openStores.ts'
import { createBroadcastRows, publishBroadcast } from '#server/features/radio/broadcastRows.ts'
import { repairFile } from './recordingFile.ts'
import { broadcastIdOf, FOLDER, isRecordingFile, openRecordings, recordingsDir } from './store.ts'

type Completer = Pick<Services, 'config' | 'db' | 'cache' | 'log' | 'now'>

const INTERVAL_MS = 60_000
/** Another process with the same folder may still write the end of a younger file. */
const MIN_AGE_MS = 30_000

/**
 * Completes the files of ended broadcasts in this machine's folder, also those of earlier processes. Repairs the end of
 * a file whose process was killed. If the site uses a bucket, moves the files there. Tries again after a failure.
 * @param isBusy whether the recorder still writes a file of the broadcast
 */
export function startCompleting(
  services: Completer,
  isBusy: (broadcastId: number) => boolean,
  { intervalMs = INTERVAL_MS, minAgeMs = MIN_AGE_MS } = {},
): { close(): Promise<void> } {
  const { config, db, cache, log, now } = services
  const store = openRecordings(config)
  const rows = createBroadcastRows(services)
  const closing = new AbortController()
  /** files that stay in the folder */
  const completed = new Set<string>()
  let pass: Promise<void> | null = null

  async function complete(name: string): Promise<void> {
    const path = join(recordingsDir(config), name)
    const [row] = await db
      .select({ id: broadcast.id, type: broadcast.type, bytes: broadcast.bytes })
      .from(broadcast)
      .where(and(eq(broadcast.file, name), isNotNull(broadcast.endedAt)))
    const { size, mtimeMs } = await stat(path)
    if (!row || Date.now() - mtimeMs < minAgeMs) return
    if (size !== row.bytes) {
      const repaired = await repairFile(path, row.type)
      await rows.completeFile(row.id, repaired)
      log.info({ file: name, seconds: repaired?.seconds ?? 0 }, 'repaired an unfinished recording')
      if (!repaired) return
    }
    if (!store.isUploading) return void completed.add(name)
    await store.upload(name, closing.signal)
    // The archive of other processes lists the recording from now on.
    await writeAndPublish({ db, cache }, (tx) => publishBroadcast(tx, now(), row.id, 'broadcast'))
    log.info({ file: name }, 'moved a recording to the bucket')
  }

  async function run(): Promise<void> {
    for (const name of await store.localNames()) {
      if (closing.signal.aborted) return
      if (!completed.has(name) && !isBusy(broadcastIdOf(name))) await complete(name)
    }
  }

  const start = () => {
    pass ??= run()
      .catch((error) => {
        if (!closing.signal.aborted) log.error({ err: error }, 'cannot complete recordings, trying again')
      })
      .finally(() => {
        pass = null
      })
  }
  const timer = setInterval(start, intervalMs).unref()
  void store.removeUnfinished().catch((error) => log.warn({ err: error }, 'cannot remove unfinished uploads'))

  return {
    async close() {
      clearInterval(timer)
      closing.abort()
      await pass
    },
  }
}

/** Not the name of a recording, so that the site does not list a file that is not complete. */
const PARTIAL = '.partial'

/**
 * Copies the recordings of the bucket to the folder. Skips complete ones, so it can be repeated after a crash.
 * @param deleteMoved removes each recording from the bucket when the folder has it
 * @returns the number of copied recordings
 */
export async function downloadRecordings(
  place: FilePlace,
  { deleteMoved, signal }: { deleteMoved: boolean; signal: AbortSignal },
): Promise<number> {
  const bucket = openBucket(place.bucket)
  const dir = recordingsDir(place)
  let copied = 0
  for await (const { name, size } of bucket.list(FOLDER)) {
    if (!isRecordingFile(name)) continue
    const path = join(dir, name)
    if ((await stat(path).catch(nullIfMissing))?.size !== size) {
      await mkdir(dir, { recursive: true })
      const partial = path + PARTIAL
      await rm(partial, { force: true })
      await pipeline(readInRanges(bucket, FOLDER + name), createWriteStream(partial, { flush: true, mode: 0o600 }), {
        signal,
      })
      if ((await stat(partial)).size !== size) throw new Error('a copied recording has another size than the original')
      await rename(partial, path)
      copied++
    }
    if (deleteMoved) await bucket.remove(FOLDER + name)
  }
  return copied
}
