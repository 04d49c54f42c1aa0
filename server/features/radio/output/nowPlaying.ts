import type { EventHub } from '#server/core/events/eventHub.ts'
import { createKeyedThrottle } from '#server/core/limits/keyedThrottle.ts'
import { type CachedResponse, createResponseCache } from '#server/features/radio/responseCache.ts'
import {
  type RadioSource,
  RadioUnavailable,
  type SourceNowPlaying,
  type SourceSong,
} from '#server/features/radio/types.ts'
import {
  NOW_PLAYING_SECONDS,
  type NowPlaying,
  type Song,
  UNKNOWN_NOW_PLAYING,
  UNKNOWN_SONG,
} from '#src/contract/radio.ts'
import { createStreamTitles, type StreamTitle } from './streamTitles.ts'

type Deps = {
  source: Pick<RadioSource, 'nowPlaying'>
  /** listeners of this site's relay */
  listeners: (stationId: number) => number
  eventHub: Pick<EventHub, 'hasSubscribers' | 'broadcast'>
  artPath: (reference: string | null) => string | null
  /** returns the path of the thread of the live broadcast; null if there is none */
  liveThread?: ((stationId: number) => Promise<string | null>) | undefined
  now: () => Date
}

const POLL_INTERVAL_MS = NOW_PLAYING_SECONDS * 1000
/** Added to the poll delay, because timers can fire slightly early. */
const TIMER_TOLERANCE_MS = 20
const COUNT_DEBOUNCE_MS = 2000
/** Limits the requests that calls of the service cause: it may refuse more than two within 5 s. */
const MIN_REFRESH_MS = 2_000
const MAX_STATIONS = 200

/** Polls the source and publishes changes while a client listens to the stream or subscribes to events. */
export function createNowPlaying({ source, listeners, eventHub, artPath, liveThread = async () => null, now }: Deps) {
  const responses = createResponseCache<number, SourceNowPlaying>({
    ...{ ttlMs: POLL_INTERVAL_MS, failureTtlMs: POLL_INTERVAL_MS, ageFrom: 'request', max: MAX_STATIONS },
    now,
  })
  /** A thread is read once for all requests, at most this long before it is shown. */
  const threads = createResponseCache<number, string | null>({
    ...{ ttlMs: POLL_INTERVAL_MS / 2, failureTtlMs: POLL_INTERVAL_MS, ageFrom: 'response', max: MAX_STATIONS },
    now,
  })
  const titles = createStreamTitles({ listeners, now })
  const peaks = new Map<number, number>()
  const pollTimers = new Map<number, NodeJS.Timeout>()
  const countTimers = new Map<number, NodeJS.Timeout>()
  const refreshes = createKeyedThrottle<number, () => void>(MIN_REFRESH_MS, (stationId, onRead) => {
    responses.expire(stationId)
    poll(stationId).then(onRead, () => {})
  })
  let closed = false

  const poll = (stationId: number) =>
    responses.get(stationId, () => {
      const requestedAt = now().getTime()
      const answer = source.nowPlaying(stationId).finally(() => {
        // Publish later: the cache is set only after this promise settles.
        setImmediate(() => void publish(stationId))
        schedulePoll(stationId, now().getTime() - requestedAt)
      })
      answer.then(
        ({ song }) => titles.setSong(stationId, song),
        () => {},
      )
      return answer
    })

  function schedulePoll(stationId: number, msSinceRequest = 0): void {
    if (closed || pollTimers.has(stationId)) return
    const waitMs = Math.max(0, POLL_INTERVAL_MS - Math.max(0, msSinceRequest)) + TIMER_TOLERANCE_MS
    const timer = setTimeout(() => {
      pollTimers.delete(stationId)
      if (!eventHub.hasSubscribers(`radio:${stationId}`) && listeners(stationId) === 0) return
      const pollAgain = () => schedulePoll(stationId)
      poll(stationId).then(pollAgain, pollAgain)
    }, waitMs)
    pollTimers.set(stationId, timer.unref())
  }

  async function publish(stationId: number): Promise<void> {
    if (closed || !eventHub.hasSubscribers(`radio:${stationId}`)) return
    const nowPlaying = await read(stationId).catch(() => null)
    if (nowPlaying) eventHub.broadcast({ topic: `radio:${stationId}`, change: { kind: 'now-playing', nowPlaying } })
  }

  /** @throws AppError NOT_FOUND */
  async function read(stationId: number): Promise<NowPlaying> {
    try {
      const nowPlaying = toNowPlaying(stationId, await poll(stationId))
      const thread = nowPlaying.live.isLive ? await readThread(stationId) : null
      return thread === null ? nowPlaying : { ...nowPlaying, live: { ...nowPlaying.live, thread } }
    } catch (error) {
      if (!(error instanceof RadioUnavailable)) throw error
      return getFallback(stationId)
    }
  }

  /** A failure of the database must not hide what plays. */
  const readThread = (stationId: number): Promise<string | null> =>
    threads
      .get(stationId, () => liveThread(stationId))
      .then(({ value }) => value)
      .catch(() => null)

  function getFallback(stationId: number): NowPlaying {
    const title = titles.current(stationId)
    return title ? { ...UNKNOWN_NOW_PLAYING, song: titleToSong(title), online: true } : UNKNOWN_NOW_PLAYING
  }

  function toNowPlaying(stationId: number, { value, at }: CachedResponse<SourceNowPlaying>): NowPlaying {
    const age = Math.max(0, (now().getTime() - at) / 1000)
    const { song, duration, live, isRequest = false, history } = value
    const title = titles.findNewer(stationId, song, at)
    const elapsed = duration > 0 ? Math.min(value.elapsed + age, duration) : value.elapsed + age
    return {
      song: title ? titleToSong(title) : song ? toSong(song) : UNKNOWN_SONG,
      elapsed: title ? secondsSince(title.at) : song ? Math.floor(elapsed) : 0,
      duration: title || !song ? 0 : duration,
      listeners: countListeners(stationId, value.listeners),
      live,
      isRequest: isRequest && !title,
      history: history.map(({ song, playedAt, isRequest = false }) => ({ song: toSong(song), playedAt, isRequest })),
      online: Boolean(song || title),
      available: true,
    }
  }

  /** The radio service counts the relay as one listener. This function counts the relay's listeners instead. */
  function countListeners(stationId: number, counts: SourceNowPlaying['listeners']): NowPlaying['listeners'] {
    const ownListeners = listeners(stationId)
    const current = counts ? counts.current + Math.max(0, ownListeners - 1) : ownListeners
    const peak = Math.max(current, counts?.peak ?? 0, peaks.get(stationId) ?? 0)
    peaks.set(stationId, peak)
    return { current, peak }
  }

  const toSong = (song: SourceSong): Song => ({ ...song, art: artPath(song.art) })
  const titleToSong = ({ artist, title }: StreamTitle): Song => ({ title, artist, album: '', art: null })
  const secondsSince = (at: number) => Math.max(0, Math.floor((now().getTime() - at) / 1000))

  return {
    read,
    getFallback,
    /** @param text usually `Artist - Title`; empty if the stream has no title */
    setStreamTitle(stationId: number, text: string): void {
      titles.set(stationId, text)
      void publish(stationId)
    },
    /** Drops what is known, because the embedded station plays something else now. */
    reset(stationId: number): void {
      responses.expire(stationId)
      threads.expire(stationId)
      void publish(stationId)
    },
    publishListenerCount(stationId: number): void {
      if (closed || countTimers.has(stationId)) return
      const timer = setTimeout(() => {
        countTimers.delete(stationId)
        void publish(stationId)
      }, COUNT_DEBOUNCE_MS)
      countTimers.set(stationId, timer.unref())
    },
    /** Asks the source now instead of at the next poll. Repeated calls cause one request per interval. */
    refresh(stationId: number, onRead: () => void): void {
      if (!closed) refreshes.add(stationId, onRead)
    },
    close(): void {
      closed = true
      refreshes.close()
      for (const timer of [...pollTimers.values(), ...countTimers.values()]) clearTimeout(timer)
    },
  }
}
