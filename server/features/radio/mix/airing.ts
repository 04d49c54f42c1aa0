import type { AudioFrame } from '#server/features/radio/input/frames/audioParser.ts'
import type { NewBroadcast, OpenBroadcast } from './broadcastRows.ts'
import type { BroadcastObserver, LiveSource, LiveTitle, OnAir } from './types.ts'

/** After a restart, a broadcast waits this long for its streamer. */
const RESUME_MS = 60_000
/** A streamer who connects at most this long before a show starts the show's broadcast. */
export const EARLY_MS = 15 * 60_000
const RETRY_MS = 5000
/** Limits memory while the database does not answer. */
const MAX_PENDING = 1000

/** The rows of broadcasts, see `broadcastRows.ts`. */
export type BroadcastStore = {
  insert(broadcast: NewBroadcast): Promise<number>
  /** @returns false if the broadcast has ended meanwhile */
  refresh(id: number, listeners: number): Promise<boolean>
  end(id: number, endedAt: Date, peakListeners: number): Promise<void>
  listOpen(stationId: number): Promise<OpenBroadcast[]>
}

type Event =
  | { name: 'onFrames'; value: AudioFrame[] }
  | { name: 'onTitle'; value: LiveTitle }
  | { name: 'onInterrupt' | 'onResume'; value?: undefined }

export type Airing = {
  userId: string
  type: string
  showId: number | null
  /** null until the broadcast has a row */
  info: OnAir | null
  send(event: Event): void
  /** Notes that the source was silent for long, or that it was heard. */
  noteSilence(): void
  noteSound(): void
  end(): void
}

type Deps = {
  stationId: number
  store: BroadcastStore
  observers: ReadonlySet<BroadcastObserver>
  listeners: () => number
  onFault: (error: unknown) => void
  now: () => Date
}

/**
 * Records broadcasts in the database and reports them to the observers, one after the other. If the database does not
 * answer, listeners hear the source all the same, and the broadcast gets its row later.
 */
export function createAirings({ stationId, store, observers, listeners, onFault, now }: Deps) {
  /** broadcasts of the process before this one */
  let resumable: OpenBroadcast[] = []
  let resumeTimer: NodeJS.Timeout | undefined
  let isClosed = false
  /** how often this process has lost the sources */
  let losses = 0
  const retryTimers = new Set<NodeJS.Timeout>()
  let work: Promise<void> = Promise.resolve()

  const enqueue = (task: () => Promise<void>) => {
    work = work.then(task).catch(onFault)
  }

  /** Tries again until it succeeds or the site closes. */
  async function retry<T>(task: () => Promise<T>): Promise<T | null> {
    while (!isClosed) {
      try {
        return await task()
      } catch (error) {
        onFault(error)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(() => {
            retryTimers.delete(timer)
            resolve()
          }, RETRY_MS).unref()
          retryTimers.add(timer)
        })
      }
    }
    return null
  }

  function notify(info: OnAir, name: keyof BroadcastObserver, value?: unknown): void {
    for (const observer of observers) {
      try {
        ;(observer[name] as ((info: OnAir, value?: unknown) => void) | undefined)?.(info, value)
      } catch (error) {
        onFault(error)
      }
    }
  }

  const endOf = ({ aliveAt, startedAt }: OpenBroadcast) => aliveAt ?? startedAt

  async function endResumable(ended: OpenBroadcast[]): Promise<void> {
    resumable = resumable.filter((row) => !ended.includes(row))
    for (const row of ended) await retry(() => store.end(row.id, endOf(row), 0))
  }

  /** Returns the streamer's broadcast from before a restart. Ends the others. */
  async function takeResumable(userId: string, type: string): Promise<OpenBroadcast | null> {
    const own = resumable.find((row) => row.userId === userId && row.type === type)
    const resumed = own && (await retry(() => store.refresh(own.id, listeners()))) ? own : null
    await endResumable(resumable.filter((row) => row !== resumed))
    resumable = []
    return resumed
  }

  function start(source: LiveSource, upcoming: LiveSource['show']): Airing {
    const startedAt = now()
    const scheduled = source.show ?? upcoming
    const { streamer, type, format } = source
    const values = { stationId, streamer, type, showId: scheduled?.id ?? null, title: scheduled?.title ?? null }
    let pending: Event[] = []
    let endedAt: Date | null = null
    const lossesBefore = losses
    let [wasSilent, wasHeard] = [false, false]

    const finish = (info: OnAir, at: Date) => {
      notify(info, 'onEnd', wasSilent && !wasHeard)
      enqueue(async () => {
        await retry(async () => {
          if (losses === lossesBefore) await store.end(info.broadcastId, at, listeners())
        })
      })
    }

    const airing: Airing = {
      userId: streamer.userId,
      type,
      showId: values.showId,
      info: null,
      send({ name, value }) {
        if (airing.info) notify(airing.info, name, value)
        else if (pending.length < MAX_PENDING) pending.push({ name, value } as Event)
      },
      noteSilence() {
        wasSilent = true
      },
      noteSound() {
        wasHeard = true
      },
      end() {
        endedAt = now()
        if (airing.info) finish(airing.info, endedAt)
      },
    }

    enqueue(async () => {
      const resumed = await takeResumable(streamer.userId, type)
      // What was heard before the restart is not known.
      if (resumed) wasHeard = true
      const id = resumed?.id ?? (await retry(() => store.insert({ ...values, startedAt })))
      if (id === null) return
      const { showId, title } = resumed ?? values
      const since = resumed?.startedAt ?? startedAt
      const info = { broadcastId: id, stationId, streamer, showId, title, startedAt: since, type, format }
      airing.info = info
      airing.showId = showId
      notify(info, 'onStart')
      if (resumed) notify(info, 'onResume')
      for (const { name, value } of pending) notify(info, name, value)
      pending = []
      if (endedAt) finish(info, endedAt)
    })
    return airing
  }

  return {
    start,

    /** Finds the broadcasts that a crash has interrupted. */
    recover(): void {
      clearTimeout(resumeTimer)
      enqueue(async () => {
        const startedAt = now()
        resumable = (await retry(() => store.listOpen(stationId))) ?? []
        if (resumable.length === 0) return
        resumeTimer = setTimeout(() => {
          enqueue(async () => {
            // Another process of the site may still refresh its broadcast.
            const open = (await retry(() => store.listOpen(stationId))) ?? []
            const abandoned = open.filter((row) => resumable.some(({ id }) => id === row.id) && endOf(row) <= startedAt)
            resumable = abandoned
            await endResumable(abandoned)
          })
        }, RESUME_MS).unref()
      })
    },

    /** Keeps the rows of earlier broadcasts open: another process may continue them. */
    abandon(): void {
      losses += 1
      resumable = []
    },

    refresh(airing: Airing): void {
      const { info } = airing
      if (!info) return
      enqueue(async () => {
        await store.refresh(info.broadcastId, listeners())
      })
    },

    /** Resolves when all rows are written. Broadcasts stay open: their streamers may reconnect after a restart. */
    async close(): Promise<void> {
      isClosed = true
      clearTimeout(resumeTimer)
      for (const timer of retryTimers) clearTimeout(timer)
      await Promise.race([work, new Promise((resolve) => setTimeout(resolve, 1000).unref())])
    },
  }
}
