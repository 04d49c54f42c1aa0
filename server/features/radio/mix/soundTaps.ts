import type { AudioFrame } from '#server/features/radio/input/frames/audioParser.ts'

/** Limits memory: a reader that is further behind misses the oldest sound. */
const MAX_QUEUED_SECONDS = 10

/** A frame and the media type of its stream. */
type Piece = { type: string; frame: AudioFrame }
type Tap = { queue: Piece[]; seconds: number; wake: () => void }

export type SoundTap = {
  /** Returns the sound since the last call, or null. */
  take(): { type: string; frames: AudioFrame[]; seconds: number } | null
  /** Resolves when there is sound, when another source is on air or none, after `ms`, or when the signal aborts. */
  wait(ms: number): Promise<void>
}

/** Queues the frames on air for each stream that reads the station. */
export function createSoundTaps() {
  const taps = new Set<Tap>()

  function push(tap: Tap, piece: Piece): void {
    tap.queue.push(piece)
    tap.seconds += piece.frame.seconds
    while (tap.seconds > MAX_QUEUED_SECONDS) {
      const oldest = tap.queue.findIndex(({ frame }) => !frame.isHeader)
      const [removed] = tap.queue.splice(oldest, 1)
      tap.seconds -= removed?.frame.seconds ?? tap.seconds
    }
  }

  function take(tap: Tap): ReturnType<SoundTap['take']> {
    const [first] = tap.queue
    if (!first) return null
    const other = tap.queue.findIndex(({ type }) => type !== first.type)
    const frames = tap.queue.splice(0, other < 0 ? tap.queue.length : other).map(({ frame }) => frame)
    const seconds = frames.reduce((sum, frame) => sum + frame.seconds, 0)
    tap.seconds -= seconds
    return { type: first.type, frames, seconds }
  }

  return {
    push(type: string, frame: AudioFrame): void {
      for (const tap of taps) push(tap, { type, frame })
    },

    wakeAll(): void {
      for (const { wake } of taps) wake()
    },

    /** @param burst sound of before, with which the stream starts */
    open(type: string, burst: AudioFrame[], signal: AbortSignal): SoundTap {
      const tap: Tap = { queue: burst.map((frame) => ({ type, frame })), seconds: 0, wake: () => {} }
      for (const { seconds } of burst) tap.seconds += seconds
      if (!signal.aborted) taps.add(tap)
      const close = () => {
        taps.delete(tap)
        tap.wake()
      }
      signal.addEventListener('abort', close, { once: true })
      return {
        take: () => take(tap),
        wait: (ms) =>
          new Promise((resolve) => {
            if (tap.queue.length > 0 || signal.aborted) return resolve()
            const done = () => {
              clearTimeout(timer)
              if (tap.wake === done) tap.wake = () => {}
              resolve()
            }
            const timer = setTimeout(done, ms)
            tap.wake = done
          }),
      }
    },
  }
}
