import type { OpenBroadcast, StoredTrack } from '#server/features/radio/broadcastRows.ts'
import { createInterrupted, createTaskQueue, endOf, type RowDeps } from './interrupted.ts'
import type { BroadcastObserver, LivePlaying, LiveSource, LiveTitle, OnAir } from './types.ts'

/** Limits memory while the database does not answer. */
const MAX_PENDING = 1000
const HISTORY_LENGTH = 5

type Report = (observer: BroadcastObserver, info: OnAir) => void

export type Airing = ReturnType<ReturnType<typeof createAirings>['start']>

type Deps = RowDeps & {
  observers: ReadonlySet<BroadcastObserver>
  /** called when the broadcast has a row, and for its titles */
  onChange: () => void
  onFault: (error: unknown) => void
}

/**
 * Records broadcasts in the database and reports them to the observers, one after the other. If the database does not
 * answer, listeners hear the source all the same, and the broadcast gets its row later.
 */
export function createAirings(deps: Deps) {
  const { stationId, rows, observers, onChange, onFault, now } = deps
  const queue = createTaskQueue(onFault)
  const interrupted = createInterrupted(deps, queue)
  /** how often this process has lost the sources */
  let losses = 0

  function notify(info: OnAir, what: Report): void {
    for (const observer of observers) {
      try {
        what(observer, info)
      } catch (error) {
        onFault(error)
      }
    }
  }

  function start(source: LiveSource) {
    const startedAt = now()
    const scheduled = source.show ?? source.upcoming
    const { streamer, type, header } = source
    const values = { stationId, streamer, type, showId: scheduled?.id ?? null, title: scheduled?.title ?? null }
    let pending: Report[] = header.length > 0 ? [(observer, info) => observer.onFrames?.(info, header)] : []
    let endedAt: Date | null = null
    const lossesBefore = losses
    const isLost = () => losses !== lossesBefore
    let lastTitle: string | null = null
    const standIn = { artist: '', title: values.title ?? streamer.name }

    const notifyEnd = (info: OnAir) =>
      notify(info, (observer) => observer.onEnd?.(info, airing.wasSilent && !airing.wasHeard))
    const endRow = ({ broadcastId }: OnAir, at: Date) =>
      queue.retry(async () => {
        if (!isLost()) await rows.end(broadcastId, at)
      })

    /** Goes on with the titles from before the restart: most programs do not name the current one again. */
    function continueTitles(tracks: StoredTrack[], row: OpenBroadcast): void {
      const past = tracks.map(({ seconds, ...title }) => ({ title, at: timeOf(seconds, row) }))
      const [last, ...earlier] = past
      if (!last) return
      const isSame = lastTitle === null || lastTitle === keyOf(last.title)
      const history = isSame ? earlier : [...airing.playing.history, ...past]
      airing.playing = { ...airing.playing, ...(isSame && { title: last.title, since: last.at }) }
      airing.playing.history = history.slice(0, HISTORY_LENGTH)
      if (!isSame) return
      lastTitle = keyOf(last.title)
      source.title ??= last.title
    }

    const playing: LivePlaying = { streamer: streamer.name, title: standIn, since: startedAt, history: [] }
    const airing = {
      userId: streamer.userId,
      type,
      showId: values.showId,
      /** null until the broadcast has a row */
      info: null as OnAir | null,
      /** the source was silent for long */
      wasSilent: false,
      /** listeners heard the source */
      wasHeard: false,
      playing,
      /** Reports something to the observers, in order. */
      report(what: Report): void {
        if (airing.info) notify(airing.info, what)
        else if (pending.length < MAX_PENDING) pending.push(what)
      },
      /** @param title null if the track has none */
      setTitle(title: LiveTitle | null): void {
        const sent = title && keyOf(title)
        // Programs name the current title again when they connect again.
        if (sent === lastTitle) return
        airing.playing = withTitle(airing.playing, lastTitle !== null, title ?? standIn, now())
        lastTitle = sent
        onChange()
        if (title) airing.report((observer, info) => observer.onTitle?.(info, title))
      },
      /** Stores that an admin put it on air, so that it still is after a restart. */
      force(): void {
        queue.add(async () => {
          const { info } = airing
          if (info) await queue.retry(() => rows.force(info.broadcastId))
        })
      },
      end(): void {
        const at = now()
        endedAt = at
        const { info } = airing
        if (!info) return
        notifyEnd(info)
        queue.add(() => endRow(info, at))
      },
    }

    queue.add(async () => {
      const resumed = await interrupted.take(streamer.userId, type, isLost)
      // What was heard before the restart is not known.
      if (resumed) airing.wasHeard = true
      if (resumed?.isForced) source.isForced = true
      const { isForced } = source
      const id = resumed?.id ?? (await queue.retry(() => rows.insert({ ...values, isForced, startedAt })))
      if (id === null) return
      const { showId, title } = resumed ?? values
      const since = resumed?.startedAt ?? startedAt
      if (resumed) continueTitles((await queue.retry(() => rows.listTracks(id, HISTORY_LENGTH + 1))) ?? [], resumed)
      const info = { broadcastId: id, stationId, streamer, showId, title, startedAt: since, type }
      airing.info = info
      airing.showId = showId
      onChange()
      notify(info, (observer) => observer.onStart?.(info))
      if (resumed) notify(info, (observer) => observer.onResume?.(info))
      for (const what of pending) notify(info, what)
      pending = []
      if (!endedAt) return
      notifyEnd(info)
      // Before the next broadcast looks for open ones.
      await endRow(info, endedAt)
    })
    return airing
  }

  return {
    start,

    recover: interrupted.recover,
    awaited: interrupted.awaited,

    /** Keeps the rows of earlier broadcasts open: another process may continue them. */
    abandon(): void {
      losses += 1
    },

    refresh({ info }: { info: OnAir | null }): void {
      if (info) queue.add(() => rows.refresh(info.broadcastId))
    },

    /** Resolves when all rows are written. Broadcasts stay open: their streamers may reconnect after a restart. */
    async close(): Promise<void> {
      interrupted.close()
      await queue.close()
    },
  }
}

const keyOf = ({ artist, title }: LiveTitle): string => JSON.stringify([artist, title])

/**
 * Returns the time of a position in the recording. Silence and breaks are not recorded, so it counts from the end.
 * Without a recording, positions are seconds of sound.
 */
function timeOf(position: number, row: OpenBroadcast): Date {
  const end = endOf(row).getTime()
  const begin = row.seconds > 0 ? end - row.seconds * 1000 : row.startedAt.getTime()
  return new Date(Math.min(end, begin + position * 1000))
}

/** @param hasTitle false while the name of the show or the streamer stands in */
function withTitle(playing: LivePlaying, hasTitle: boolean, title: LiveTitle, since: Date): LivePlaying {
  const history = hasTitle ? [{ title: playing.title, at: playing.since }, ...playing.history] : []
  return { ...playing, title, since, history: history.slice(0, HISTORY_LENGTH) }
}
