import type { BroadcastRows, OpenBroadcast } from '#server/features/radio/broadcastRows.ts'
import { sleep } from '#server/features/radio/input/frames/audioParser.ts'

/** After a restart, a broadcast waits this long for its streamer. */
const RESUME_MS = 60_000
/** The others stand by for this long: programs connect again after different times. */
const AWAIT_MS = 10_000
const RETRY_MS = 5000
const CLOSE_MS = 1000

type TaskQueue = ReturnType<typeof createTaskQueue>

/** Runs tasks one after the other. */
export function createTaskQueue(onFault: (error: unknown) => void) {
  let work: Promise<void> = Promise.resolve()
  const closing = new AbortController()
  return {
    add(task: () => Promise<unknown>): void {
      work = work.then(task).then(() => {}, onFault)
    },
    /** Tries again until it succeeds or the site closes. @returns null if it closes */
    async retry<T>(task: () => Promise<T>): Promise<T | null> {
      while (!closing.signal.aborted) {
        try {
          return await task()
        } catch (error) {
          onFault(error)
          await sleep(RETRY_MS, closing.signal)
        }
      }
      return null
    },
    async close(): Promise<void> {
      closing.abort()
      await Promise.race([work, new Promise((resolve) => setTimeout(resolve, CLOSE_MS).unref())])
    },
  }
}

/** Returns when a broadcast was last known to run. */
export const endOf = ({ aliveAt, startedAt }: OpenBroadcast) => aliveAt ?? startedAt

export type RowDeps = {
  stationId: number
  rows: Pick<BroadcastRows, 'insert' | 'refresh' | 'force' | 'end' | 'listOpen' | 'listTracks'>
  now: () => Date
}

/** Continues or ends the broadcasts that a crash has interrupted: their streamer may be back within a minute. */
export function createInterrupted({ stationId, rows, now }: RowDeps, queue: TaskQueue) {
  let timer: NodeJS.Timeout | undefined
  let recoveredAt = new Date(0)
  let awaited: OpenBroadcast[] = []

  const listOpen = async () => (await queue.retry(() => rows.listOpen(stationId))) ?? []

  async function end(ended: OpenBroadcast[]): Promise<void> {
    for (const row of ended) await queue.retry(() => rows.end(row.id, endOf(row)))
  }

  return {
    /** Ends the broadcasts that nobody continues within a minute, possibly in another process of the site. */
    recover(): void {
      clearTimeout(timer)
      // Behind the writes of this process.
      queue.add(async () => {
        recoveredAt = now()
        awaited = await listOpen()
        const endForgotten = async () => end((await listOpen()).filter((row) => endOf(row) <= recoveredAt))
        timer = setTimeout(() => queue.add(endForgotten), RESUME_MS).unref()
      })
    },

    /** Returns the broadcasts from before a restart whose streamers may come back any moment. */
    awaited(): OpenBroadcast[] {
      const isOver = now().getTime() - recoveredAt.getTime() >= AWAIT_MS
      return isOver ? [] : awaited
    },

    /**
     * Returns the streamer's broadcast from before a restart. Ends the others.
     * @param isLost whether this process has lost the sources: the open broadcasts can be those of another one
     */
    async take(userId: string, type: string, isLost: () => boolean): Promise<OpenBroadcast | null> {
      const open = await listOpen()
      if (isLost()) return null
      const own = open.find((row) => row.userId === userId && row.type === type)
      const resumed = own && (await queue.retry(() => rows.refresh(own.id))) ? own : null
      await end(open.filter((row) => row !== resumed))
      // Not earlier: the source gets the admin's choice only now, and a show must not take its place before.
      awaited = []
      return resumed
    },

    close: () => clearTimeout(timer),
  }
}
