import type { AudioFrame } from '#server/features/radio/input/frames/audioParser.ts'
import type { ScheduledShow } from '#server/features/show/service.ts'
import type { ConnectedSourceView } from '#src/contract/liveSources.ts'
import type { Airing } from './airing.ts'
import type { Sound } from './sound.ts'
import type { LiveSource, LiveTitle } from './types.ts'

/** A streamer who reconnects within this time continues the broadcast. */
const GRACE_MS = 10_000

type Deps = {
  sound: Pick<Sound, 'start' | 'push' | 'interrupt' | 'stop' | 'observe'>
  startAiring: (source: LiveSource) => Airing
  /** streamers who were on air before a restart */
  awaited: () => string[]
}

/**
 * Decides which source is on air. Sources that an admin chose go before streamers with a show, and those before all
 * others; otherwise the source that connected first stays on air.
 */
export function createMixer({ sound, startAiring, awaited }: Deps) {
  const sources = new Map<string, LiveSource>()
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
      first.length === 0 || first.includes(source.streamer.userId) || rank(source) > 0
    const candidates = [...sources.values()].filter((source) => !source.isTest && mayBegin(source))
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
    sound.start(source.type, source.format)
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
    if (sources.get(source.id) !== source) return
    sources.delete(source.id)
    if (onAir !== source) return
    onAir = null
    const next = chooseBest()
    if (next) return void putOnAir(next)
    if (!hasGrace) return void endAiring()
    sound.interrupt()
    reportInterrupt()
    graceTimer = setTimeout(endAiring, GRACE_MS).unref()
  }

  return {
    sources: () => [...sources.values()],
    airing: () => airing,

    stateOf(source: LiveSource): ConnectedSourceView['state'] {
      if (source.isTest) return 'testing'
      if (source !== onAir) return 'standby'
      return source.isSilent ? 'silent' : 'on-air'
    },

    /** Adds a source that has sent audio. It replaces an earlier source of its streamer. */
    add(source: LiveSource): void {
      const { isTest, streamer } = source
      const isSame = (other: LiveSource) => other.streamer.userId === streamer.userId && other.isTest === isTest
      const previous = [...sources.values()].find(isSame)
      sources.set(source.id, source)
      if (previous) {
        sources.delete(previous.id)
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

    setTitle(source: LiveSource, title: LiveTitle): void {
      if (source.title?.artist === title.artist && source.title.title === title.title) return
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
      for (const source of sources.values()) source.show = shows.get(source.streamer.userId) ?? null
      settle()
      if (!onAir?.show || !airing || onAir.show.id === airing.showId) return
      airing.end()
      airing = startAiring(onAir)
      if (onAir.title) airing.setTitle(onAir.title)
    },

    takeOver(source: LiveSource): void {
      for (const other of sources.values()) other.isForced = false
      source.isForced = true
      if (source !== onAir) putOnAir(source)
    },

    remove,

    /** Removes all sources. @returns the broadcast, which stays open; null if there is none */
    clear(): Airing | null {
      clearTimeout(graceTimer)
      if (onAir) reportInterrupt()
      onAir = null
      sound.stop()
      sources.clear()
      const open = airing
      airing = null
      return open
    },
  }
}
