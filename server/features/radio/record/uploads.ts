import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { and, eq, isNotNull } from 'drizzle-orm'
import { broadcast } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { writeAndPublish } from '#server/core/events/writeAndPublish.ts'
import { broadcastIdOf, recordingsDir } from './files.ts'
import { repairFile } from './repair.ts'
import { createRecordingRows, publishBroadcast } from './rows.ts'
import { openRecordings } from './store.ts'

type Uploader = Pick<Services, 'config' | 'db' | 'cache' | 'log' | 'now'>

const INTERVAL_MS = 60_000
/** Another process with the same folder may still write the end of a younger file. */
const MIN_AGE_MS = 30_000

/**
 * Moves the finished recordings of this machine's folder to the bucket, also those that an earlier process left. A failed
 * upload leaves the file in the folder, and is repeated.
 * @param isBusy whether the recorder still writes or repairs a file of the broadcast
 */
export function startUploads(
  services: Uploader,
  isBusy: (broadcastId: number) => boolean,
  { intervalMs = INTERVAL_MS, minAgeMs = MIN_AGE_MS } = {},
): { close(): Promise<void> } {
  const { config, db, cache, log, now } = services
  const store = openRecordings(config)
  if (!store.isUploading) return { close: async () => {} }
  const rows = createRecordingRows(services)
  const closing = new AbortController()
  let pass: Promise<void> | null = null

  async function upload(name: string): Promise<void> {
    const path = join(recordingsDir(config), name)
    const [row] = await db
      .select({ id: broadcast.id, type: broadcast.type, bytes: broadcast.bytes })
      .from(broadcast)
      .where(and(eq(broadcast.file, name), isNotNull(broadcast.endedAt)))
    const { size, mtimeMs } = await stat(path)
    if (!row || Date.now() - mtimeMs < minAgeMs) return
    if (size !== row.bytes) {
      // Another process ended the broadcast of a killed one.
      const repaired = await repairFile(path, row.type)
      if (!repaired) return
      await rows.save(row.id, {
        file: name,
        type: row.type,
        bytes: () => repaired.bytes,
        seconds: () => repaired.seconds,
      })
    }
    await store.upload(name, closing.signal)
    // The archive of other processes lists the recording from now on.
    await writeAndPublish({ db, cache }, (tx) => publishBroadcast(tx, now(), row.id, 'broadcast'))
    log.info({ file: name }, 'moved a recording to the bucket')
  }

  async function run(): Promise<void> {
    for (const name of await store.localNames()) {
      if (closing.signal.aborted) return
      if (!isBusy(broadcastIdOf(name))) await upload(name)
    }
  }

  const start = () => {
    pass ??= run()
      .catch((error) => {
        if (!closing.signal.aborted) log.error({ err: error }, 'cannot move recordings to the bucket, trying again')
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
