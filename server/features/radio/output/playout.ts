import { type AudioFrame, sleep as wait } from '#server/features/radio/input/frames/audioParser.ts'
import type { Library } from '#server/features/radio/library/library.ts'
import { readMusic } from '#server/features/radio/library/readMusic.ts'
import type { Timeline, Track } from '#server/features/radio/library/timeline.ts'
import { LATE_FORMAT_MS, LATE_MS, type LiveSound } from '#server/features/radio/mix/sound.ts'

type Deps = {
  library: Library
  live: LiveSound
  /** title of the source on air */
  liveTitle: () => string
  titleOf: (track: Track) => Promise<string>
  now: () => Date
  sleep: (ms: number, signal: AbortSignal) => Promise<unknown>
}

type Music = { timeline: Timeline; frames: AsyncGenerator<AudioFrame> }

/** Length of the music sent at once, so that playback starts without buffering. */
const BURST_SECONDS = 7
const BATCH_MS = 250
/** Jumps to the current time if playback is further than this from the clock, for example after a suspend. */
const JUMP_SECONDS = 15

/**
 * Sends the last 7 seconds at once, then streams in real time: the sources on air and, without one, the music. All of
 * them continue one clock, so a change leaves no gap and sends nothing twice. Ends when the format of the music changes
 * or no music is left.
 */
export async function* streamStation(
  { library, live, liveTitle, titleOf, now, sleep }: Deps,
  signal: AbortSignal,
): AsyncGenerator<AudioFrame[]> {
  const arrived: AudioFrame[][] = []
  let pausing = new AbortController()
  const wake = () => pausing.abort()
  let begin = now().getTime() - BURST_SECONDS * 1000
  /** seconds of sound since `begin` */
  let sent = 0
  let music = null as Music | null

  /** Ends early when there is sound, when another source is on air or none, or at the end of the stream. */
  async function pause(timer: Deps['sleep'], ms = BATCH_MS): Promise<void> {
    pausing = new AbortController()
    if (arrived.length === 0 && !signal.aborted) await timer(ms, pausing.signal).catch(() => {})
  }

  const stopReading = readSound(live, arrived, wake)
  // Also while the library does not answer, or the sound of a show would fill the memory.
  const end = () => {
    stopReading()
    wake()
  }
  signal.addEventListener('abort', end, { once: true })
  try {
    while (!signal.aborted) {
      const heard = arrived.shift()
      if (heard) {
        music = null
        sent += heard.reduce((sum, frame) => sum + frame.seconds, 0)
        yield withTitle(heard, liveTitle())
        continue
      }
      // A source on air does not wait for the library.
      const waitMs = musicDueIn(live, music?.timeline ?? library.currentTimeline(), now())
      if (waitMs > 0) {
        // To the millisecond: a player that connects again must not meet a process that is still waiting.
        await pause(wait, Math.min(BATCH_MS, waitMs))
        continue
      }
      const timeline: Timeline | null = music?.timeline ?? (await library.timeline())
      if (!timeline) return
      const { format, secondsPerFrame } = timeline
      music ??= { timeline, frames: readMusic(library, timeline, begin + sent * 1000, titleOf) }
      // The sum of many durations is not exact.
      const dueFrames = Math.floor(((now().getTime() - begin) / 1000 - sent) / secondsPerFrame + 1e-6)
      if (Math.abs(dueFrames) * secondsPerFrame > JUMP_SECONDS) {
        music = null
        begin = now().getTime() - BURST_SECONDS * 1000
        sent = 0
        if ((await library.timeline())?.format !== format) return
        continue
      }
      const frames: AudioFrame[] = []
      while (frames.length < dueFrames) {
        const next = await music.frames.next()
        if (next.done || signal.aborted) return
        frames.push(next.value)
        sent += next.value.seconds
      }
      if (frames.length > 0) yield frames
      await pause(sleep)
    }
  } finally {
    stopReading()
    signal.removeEventListener('abort', end)
  }
}

/** Adds the frames on air to `arrived`, beginning with the last seconds. @returns a function that ends it */
function readSound(live: LiveSound, arrived: AudioFrame[][], wake: () => void): () => void {
  let hasBegun = false
  const stop = live.observe((change) => {
    const isNew = change.kind === 'frames' && change.frames.length > 0 && !(change.isPast && hasBegun)
    if (isNew) arrived.push(change.frames)
    wake()
  })
  hasBegun = true
  return stop
}

const withTitle = ([first, ...rest]: AudioFrame[], title: string): AudioFrame[] =>
  first ? [{ ...first, title }, ...rest] : []

/** Returns the time in ms until the music plays; 0 if nobody is on air, or if the source on air is late. */
export function musicDueIn(live: Pick<LiveSound, 'state'>, timeline: Timeline | null, now: Date): number {
  const state = live.state()
  if (!state) return 0
  const isSameFormat = state.format === timeline?.format
  if (isSameFormat && !state.isConnected) return 0
  return Math.max(0, state.lastFrameAt + (isSameFormat ? LATE_MS : LATE_FORMAT_MS) - now.getTime())
}
