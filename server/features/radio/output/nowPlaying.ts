import type { EventHub } from '#server/core/events/eventHub.ts'
import { createKeyedThrottle } from '#server/core/limits/keyedThrottle.ts'
import { parseTitle, toTrackKey } from '#server/features/radio/input/titles.ts'
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

/** A title from the stream's metadata. `at` is in ms since 1970. */
type StreamTitle = { artist: string; title: string; at: number }
type Answer = SourceNowPlaying & { thread: string | null }

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
/**
 * Answers of a service lag behind the stream by some seconds and a poll interval. Afterwards the service is right: the
 * title of a stream may be stale.
 */
const LATE_ANSWER_MS = 30_000
/** Limits the events for listeners that come and go. */
const COUNT_INTERVAL_MS = 2000
/** Limits the requests that calls of the service cause: it may refuse more than two within 5 s. */
const MIN_REFRESH_MS = 2_000
const MAX_STATIONS = 200

/** Polls the source and publishes changes while a client listens to the stream or subscribes to events. */
export function createNowPlaying({ source, listeners, eventHub, artPath, liveThread = async () => null, now }: Deps) {
  const responses = createResponseCache<number, Answer>({
    ...{ ttlMs: POLL_INTERVAL_MS, failureMs: POLL_INTERVAL_MS, max: MAX_STATIONS },
    now,
  })
  const titles = new Map<number, StreamTitle>()
  const peaks = new Map<number, number>()
  const followers = new Map<number, (nowPlaying: NowPlaying) => void>()
  const pollTimers = new Map<number, NodeJS.Timeout>()
  const counts = createKeyedThrottle<number, void>(COUNT_INTERVAL_MS, (stationId) => void publish(stationId))
  const refreshes = createKeyedThrottle<number, () => void>(MIN_REFRESH_MS, (stationId, onRead) => {
    responses.expire(stationId)
    poll(stationId).then(onRead, () => {})
  })
  let closed = false
  const isFollowed = (stationId: number) => eventHub.hasSubscribers(`radio:${stationId}`) || followers.has(stationId)

  const poll = (stationId: number) =>
    responses.get(stationId, async () => {
      try {
        const answer = await source.nowPlaying(stationId)
        // A failure of the database must not hide what plays.
        const thread = answer.live.isLive ? await liveThread(stationId).catch(() => null) : null
        return { ...answer, thread }
      } finally {
        // Publish later: the cache is set only after this promise settles.
        setImmediate(() => void publish(stationId))
        schedulePoll(stationId)
      }
    })

  function schedulePoll(stationId: number): void {
    if (closed || pollTimers.has(stationId)) return
    const timer = setTimeout(() => {
      pollTimers.delete(stationId)
      if (!isFollowed(stationId) && listeners(stationId) === 0) return
      const pollAgain = () => schedulePoll(stationId)
      poll(stationId).then(pollAgain, pollAgain)
    }, POLL_INTERVAL_MS + TIMER_TOLERANCE_MS)
    pollTimers.set(stationId, timer.unref())
  }

  async function publish(stationId: number): Promise<void> {
    if (closed || !isFollowed(stationId)) return
    const nowPlaying = await read(stationId).catch(() => null)
    if (!nowPlaying) return
    eventHub.broadcast({ topic: `radio:${stationId}`, change: { kind: 'now-playing', nowPlaying } })
    followers.get(stationId)?.(nowPlaying)
  }

  /** @throws AppError NOT_FOUND */
  async function read(stationId: number): Promise<NowPlaying> {
    try {
      return toNowPlaying(stationId, await poll(stationId))
    } catch (error) {
      if (!(error instanceof RadioUnavailable)) throw error
      return getFallback(stationId)
    }
  }

  function getFallback(stationId: number): NowPlaying {
    const title = currentTitle(stationId)
    return title ? { ...UNKNOWN_NOW_PLAYING, song: titleToSong(title), online: true } : UNKNOWN_NOW_PLAYING
  }

  /** Nobody listens to a stream that is not open: its title is old. */
  const currentTitle = (stationId: number) => (listeners(stationId) > 0 ? (titles.get(stationId) ?? null) : null)

  /** Returns the stream's title if it is newer than the answer, or if the service says that nothing plays. */
  function findNewerTitle(stationId: number, song: SourceSong | null): StreamTitle | null {
    const title = currentTitle(stationId)
    if (!title || !song) return title
    const isNew = Math.abs(now().getTime() - title.at) < LATE_ANSWER_MS
    return isNew && toTrackKey(song) !== toTrackKey(title) ? title : null
  }

  function toNowPlaying(stationId: number, { value, at }: CachedResponse<Answer>): NowPlaying {
    const age = Math.max(0, (now().getTime() - at) / 1000)
    const { song, duration, live, thread, isRequest = false, history } = value
    const title = findNewerTitle(stationId, song)
    const elapsed = duration > 0 ? Math.min(value.elapsed + age, duration) : value.elapsed + age
    return {
      song: title ? titleToSong(title) : song ? toSong(song) : UNKNOWN_SONG,
      elapsed: title ? secondsSince(title.at) : song ? Math.floor(elapsed) : 0,
      duration: title || !song ? 0 : duration,
      listeners: countListeners(stationId, value.listeners),
      live: thread === null ? live : { ...live, thread },
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
    /** Tells the follower of a station what plays, now and after each change. @returns a function that ends it */
    follow(stationId: number, follower: (nowPlaying: NowPlaying) => void): () => void {
      followers.set(stationId, follower)
      // Starts the polling, too. An answer that is kept already is not published again.
      void publish(stationId)
      return () => followers.delete(stationId)
    },
    /** @param text usually `Artist - Title`; empty if the stream has no title */
    setStreamTitle(stationId: number, text: string): void {
      const track = parseTitle(text)
      const previous = titles.get(stationId)
      // The relay reads the same title again when it reconnects.
      const isSame = track && previous && toTrackKey(track) === toTrackKey(previous)
      if (!track) titles.delete(stationId)
      else if (!isSame) titles.set(stationId, { ...track, at: now().getTime() })
      void publish(stationId)
    },
    /** Drops what is known, because the embedded station plays something else now. */
    reset(stationId: number): void {
      responses.expire(stationId)
      // The answer is published.
      if (isFollowed(stationId)) poll(stationId).catch(() => {})
    },
    publishListenerCount(stationId: number): void {
      if (!closed) counts.add(stationId)
    },
    /** Asks the source now instead of at the next poll. Repeated calls cause one request per interval. */
    refresh(stationId: number, onRead: () => void): void {
      if (!closed) refreshes.add(stationId, onRead)
    },
    close(): void {
      closed = true
      refreshes.close()
      counts.close()
      for (const timer of pollTimers.values()) clearTimeout(timer)
    },
  }
}
