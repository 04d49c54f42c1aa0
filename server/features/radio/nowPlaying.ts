import type { LiveHub } from '#server/core/events/eventHub.ts'
import {
  NOW_PLAYING_SECONDS,
  type NowPlaying,
  type Song,
  UNKNOWN_NOW_PLAYING,
  UNKNOWN_SONG,
} from '#src/contract/radio.ts'
import { readText } from './azuracast/parseValues.ts'
import { createMemory, type Remembered } from './staleCache.ts'
import { type RadioSource, RadioUnavailable, type SourceNowPlaying, type SourceSong } from './types.ts'

type Deps = {
  source: Pick<RadioSource, 'nowPlaying'>
  /** who listens through our relay */
  listeners: (stationId: number) => number
  live: Pick<LiveHub, 'hears' | 'push'>
  artPath: (reference: string | null) => string | null
  now: () => Date
}

/** A title as the stream itself told it; `at` in ms since 1970. */
type Title = { artist: string; title: string; at: number }

const MS = NOW_PLAYING_SECONDS * 1000
/** Timers and the clock do not agree to the millisecond. */
const SLACK_MS = 20
/** Who comes and goes within this time is told in one. */
const RECOUNT_MS = 2000
/** Guards memory: more stations than any radio has. */
const STATIONS = 200

/**
 * What is on air at each station: asked once in ten seconds for everybody, again and again while somebody listens to
 * the sound or to the news of it, and told to the latter.
 */
export function createNowPlaying({ source, listeners, live, artPath, now }: Deps) {
  const memory = createMemory<number, SourceNowPlaying>({
    ...{ answerMs: MS, failureMs: MS, from: 'question', keys: STATIONS },
    now,
  })
  const titles = new Map<number, Title>()
  const peaks = new Map<number, number>()
  const timers = new Map<number, NodeJS.Timeout>()
  const recounts = new Map<number, NodeJS.Timeout>()
  let closed = false

  const ask = (stationId: number) =>
    memory.get(stationId, () => {
      const askedAt = now().getTime()
      return source.nowPlaying(stationId).finally(() => {
        // Behind whoever waits for this answer, so that what is told is what is remembered.
        setImmediate(() => void tell(stationId))
        askAgain(stationId, now().getTime() - askedAt)
      })
    })

  /** @param spentMs how long ago the last question was */
  function askAgain(stationId: number, spentMs = 0): void {
    if (closed || timers.has(stationId)) return
    const waitMs = Math.max(0, MS - Math.max(0, spentMs)) + SLACK_MS
    const timer = setTimeout(() => {
      timers.delete(stationId)
      if (!live.hears(`radio:${stationId}`) && listeners(stationId) === 0) return
      const again = () => askAgain(stationId)
      ask(stationId).then(again, again)
    }, waitMs)
    timers.set(stationId, timer.unref())
  }

  async function tell(stationId: number): Promise<void> {
    if (closed || !live.hears(`radio:${stationId}`)) return
    const nowPlaying = await read(stationId).catch(() => null)
    if (nowPlaying) live.push({ topic: `radio:${stationId}`, change: { kind: 'now-playing', nowPlaying } })
  }

  /** @throws AppError NOT_FOUND */
  async function read(stationId: number): Promise<NowPlaying> {
    try {
      return view(stationId, await ask(stationId))
    } catch (error) {
      if (!(error instanceof RadioUnavailable)) throw error
      return missing(stationId)
    }
  }

  /** What is told of a station while the service gives no answer. */
  function missing(stationId: number): NowPlaying {
    const title = listeners(stationId) > 0 ? titles.get(stationId) : undefined
    return title ? { ...UNKNOWN_NOW_PLAYING, song: titleSong(title), online: true } : UNKNOWN_NOW_PLAYING
  }

  function view(stationId: number, { value, at }: Remembered<SourceNowPlaying>): NowPlaying {
    const age = Math.max(0, (now().getTime() - at) / 1000)
    const { song, duration, live, history } = value
    const title = newerTitle(stationId, value, at)
    const elapsed = duration > 0 ? Math.min(value.elapsed + age, duration) : value.elapsed + age
    return {
      song: title ? titleSong(title) : song ? songView(song) : UNKNOWN_SONG,
      elapsed: title ? secondsSince(title.at) : song ? Math.floor(elapsed) : 0,
      duration: title || !song ? 0 : duration,
      listeners: count(stationId, value.listeners),
      live,
      history: history.map(({ song, playedAt }) => ({ song: songView(song), playedAt })),
      online: Boolean(song || title),
      available: true,
    }
  }

  /** Our own upstream is one of those the service counts: it stands for all who listen through us. */
  function count(stationId: number, told: SourceNowPlaying['listeners']): NowPlaying['listeners'] {
    const ours = listeners(stationId)
    const current = told ? told.current + Math.max(0, ours - 1) : ours
    const peak = Math.max(current, told?.peak ?? 0, peaks.get(stationId) ?? 0)
    peaks.set(stationId, peak)
    return { current, peak }
  }

  /** The stream knows a change of title before the service tells it; the next answer is newer again. */
  function newerTitle(stationId: number, { song }: SourceNowPlaying, at: number): Title | null {
    const title = titles.get(stationId)
    if (!title || title.at <= at || listeners(stationId) === 0) return null
    return song && letters(`${song.artist}${song.title}`) === letters(`${title.artist}${title.title}`) ? null : title
  }

  const songView = (song: SourceSong): Song => ({ ...song, art: artPath(song.art) })
  const titleSong = ({ artist, title }: Title): Song => ({ title, artist, album: '', art: null })
  const secondsSince = (at: number) => Math.max(0, Math.floor((now().getTime() - at) / 1000))

  return {
    read,
    missing,
    /** The stream itself has told what is played. @param text usually `Artist - Title`; empty: it no longer tells */
    hear(stationId: number, text: string): void {
      const line = readText(text, 300)
      const [artist = '', title = ''] = line.includes(' - ') ? splitOnce(line, ' - ') : ['', line]
      if (title === '') titles.delete(stationId)
      else titles.set(stationId, { artist, title, at: now().getTime() })
      void tell(stationId)
    },
    /** Somebody has come to listen, or left: whoever looks at the number of listeners is soon told. */
    recount(stationId: number): void {
      if (closed || recounts.has(stationId)) return
      const timer = setTimeout(() => {
        recounts.delete(stationId)
        void tell(stationId)
      }, RECOUNT_MS)
      recounts.set(stationId, timer.unref())
    },
    close(): void {
      closed = true
      for (const timer of [...timers.values(), ...recounts.values()]) clearTimeout(timer)
    },
  }
}

/** The same song, however its name is set. */
const letters = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')

function splitOnce(text: string, separator: string): string[] {
  const at = text.indexOf(separator)
  return [text.slice(0, at), text.slice(at + separator.length)]
}
