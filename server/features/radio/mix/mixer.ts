import { errors } from '#server/core/errors.ts'
import type { OpenBroadcast } from '#server/features/radio/broadcastRows.ts'
import type { AudioFrame } from '#server/features/radio/input/frames/audioParser.ts'
import type { ScheduledShow } from '#server/features/show/service.ts'
import type { ConnectedSourceView } from '#src/contract/liveSources.ts'
import { refusal } from '#src/contract/refusal.ts'
import type { Airing } from './airing.ts'
import type { Sound } from './sound.ts'
import type { LiveSource, LiveTitle } from './types.ts'

/** A streamer who reconnects within this time continues the broadcast. */
const GRACE_MS = 10_000

type Deps = {
  maxSources: number
  sound: Pick<Sound, 'start' | 'push' | 'interrupt' | 'stop' | 'observe'>
  startAiring: (source: LiveSource) => Airing
  /** broadcasts from before a restart whose streamers may come back */
  awaited: () => Pick<OpenBroadcast, 'userId' | 'isForced'>[]
}

/**
 * Has the sources of this process, and decides which of them is on air. Sources that an admin chose go before streamers
 * with a show, and those before all others; otherwise the source that connected first stays on air.
 */
export function createMixer({ maxSources, sound, startAiring, awaited }: Deps) {
  /** in the order of their first audio; those before it have no type */
  const sources = new Set<LiveSource>()
  let onAir: LiveSource | null = null
  /** the broadcast; it stays open while its source may come back */
  let airing: Airing | null = null
  let graceTimer: NodeJS.Timeout | undefined
  /** Playback of an Ogg stream cannot start within a packet. */
  let waitsForPacket = false

  // The recorder gets what listeners and other processes get.
  sound.observe((change) => {
    if (change.kind === 'frames') airing?.report((observer, info) => observer.onFrames?.(info, change.frames))
  })

  const reportInterrupt = () => airing?.report((observer, info) => observer.onInterrupt?.(info))
  const reportResume = () => airing?.report((observer, info) => observer.onResume?.(info))
  const rank = ({ isForced, show }: LiveSource) => (isForced ? 2 : show ? 1 : 0)

  function chooseBest(): LiveSource | null {
    const first = awaited()
    const mayBegin = (source: LiveSource) =>
      first.some(({ userId }) => userId === source.streamer.userId) ||
      first.every(({ isForced }) => rank(source) > (isForced ? 1 : 0))
    const candidates = [...sources].filter((source) => source.type !== '' && !source.isTest && mayBegin(source))
    return candidates.reduce<LiveSource | null>((best, next) => (best && rank(best) >= rank(next) ? best : next), null)
  }

  /** Puts the best source on air if it goes before the current one. */
  function settle(): void {
    const best = chooseBest()
    if (best && (!onAir || rank(best) > rank(onAir))) putOnAir(best)
  }

  function putOnAir(source: LiveSource): void {
    clearTimeout(graceTimer)
    const isInterrupted = onAir === null
    onAir = source
    if (airing?.userId === source.streamer.userId && airing.type === source.type) {
      if (isInterrupted) reportResume()
    } else {
      airing?.end()
      airing = startAiring(source)
    }
    if (source.title) airing.setTitle(source.title)
    startSound(source)
  }

  /** The station plays instead, and nothing is recorded. */
  function silence(): void {
    sound.stop()
    if (airing) airing.wasSilent = true
    reportInterrupt()
  }

  function startSound(source: LiveSource): void {
    waitsForPacket = true
    if (source.isSilent) return void silence()
    sound.start(source.format)
    if (source.header.length > 0) sound.push(source.header)
  }

  function endAiring(): void {
    clearTimeout(graceTimer)
    airing?.end()
    airing = null
    sound.stop()
  }

  /** @param hasGrace whether the streamer may come back */
  function remove(source: LiveSource, hasGrace: boolean): void {
    sources.delete(source)
    if (onAir !== source) return
    onAir = null
    const next = chooseBest()
    if (next) return void putOnAir(next)
    if (!hasGrace) return void endAiring()
    sound.interrupt()
    reportInterrupt()
    graceTimer = setTimeout(endAiring, GRACE_MS).unref()
  }

  /** A streamer has one source, and one in the level test. */
  const findPrevious = ({ streamer, isTest }: LiveSource) =>
    [...sources].filter((other) => other.streamer.userId === streamer.userId && other.isTest === isTest)

  return {
    /** Returns all sources. Those that have not sent audio have no type. */
    sources: (): LiveSource[] => [...sources],
    airing: () => airing,

    stateOf(source: LiveSource): ConnectedSourceView['state'] {
      if (source.isTest) return 'testing'
      if (source !== onAir) return 'standby'
      return source.isSilent ? 'silent' : 'on-air'
    },

    /** Takes a place for a source. Frees those of the streamer's connections without audio. @throws AppError 503 */
    connect(source: LiveSource): void {
      for (const previous of findPrevious(source)) {
        if (previous.type !== '') continue
        sources.delete(previous)
        previous.end('the streamer connected again')
      }
      if (sources.size >= maxSources) throw errors.unavailable(refusal('streamer.sourceFull'))
      sources.add(source)
    },

    /** Notes the first audio of a source, which has its type now. It replaces an earlier source of its streamer. */
    begin(source: LiveSource): void {
      if (!sources.delete(source)) return
      const [previous] = findPrevious(source).filter(({ type }) => type !== '')
      sources.add(source)
      if (previous) {
        sources.delete(previous)
        source.isForced = previous.isForced
        if (onAir === previous) putOnAir(source)
        previous.end('the streamer connected again')
      }
      settle()
    },

    push(source: LiveSource, frames: AudioFrame[]): void {
      // Those who were on air before a restart have not come back.
      if (!onAir) settle()
      if (source !== onAir || source.isSilent) return
      const playable: AudioFrame[] = []
      for (const frame of frames) {
        if (waitsForPacket && frame.startsMidPacket && !frame.isHeader) continue
        if (!frame.isHeader) waitsForPacket = false
        playable.push(frame)
      }
      if (playable.length > 0) sound.push(playable)
    },

    setTitle(source: LiveSource, title: LiveTitle | null): void {
      source.title = title
      if (source === onAir) airing?.setTitle(title)
    },

    /** @param isSilent false for any sound, true after long silence */
    setSilent(source: LiveSource, isSilent: boolean): void {
      if (source === onAir && airing && !isSilent) airing.wasHeard = true
      if (source.isSilent === isSilent) return
      source.isSilent = isSilent
      if (source !== onAir) return
      if (isSilent) return void silence()
      reportResume()
      startSound(source)
    },

    /** Applies the shows that take place now, by streamer. A new show of the streamer on air begins a new broadcast. */
    setShows(shows: ReadonlyMap<string, ScheduledShow | null>): void {
      for (const source of sources) {
        const show = shows.get(source.streamer.userId)
        // A source that has connected since the schedule was read knows its show.
        if (show !== undefined) source.show = show
      }
      settle()
      if (!onAir?.show || !airing || onAir.show.id === airing.showId) return
      airing.end()
      airing = startAiring(onAir)
      if (onAir.title) airing.setTitle(onAir.title)
    },

    takeOver(source: LiveSource): void {
      for (const other of sources) other.isForced = other === source
      if (source !== onAir) putOnAir(source)
      airing?.force()
    },

    remove,

    /** Disconnects all sources. @returns the broadcast, which stays open; null if there is none */
    clear(reason: string): Airing | null {
      clearTimeout(graceTimer)
      if (onAir) reportInterrupt()
      onAir = null
      sound.stop()
      for (const source of sources) source.end(reason)
      sources.clear()
      const open = airing
      airing = null
      return open
    },
  }
}
