import type { AudioFrame } from '#server/features/radio/input/frames/audioParser.ts'

/** A new stream starts with this much sound, so that playback starts without buffering. */
const BURST_SECONDS = 7
/** Limits memory: pages of Ogg can claim to have no duration. Enough for FLAC with 4 Mbit/s. */
const MAX_BURST_BYTES = 4 * 1024 * 1024

type LiveState = {
  format: string
  /** false while the source is gone and may come back */
  isConnected: boolean
  /** time of the last frame in ms since 1970 */
  lastFrameAt: number
}

/** The station plays while a source on air is late by this much. */
export const LATE_MS = 2000
/** The same for a source of another format: listeners have to reconnect. The relay waits for ten seconds of sound. */
export const LATE_FORMAT_MS = 9000

/** A change of the sound. Another process that applies the changes in the same order has the same sound. */
export type SoundChange =
  | { kind: 'start'; format: string }
  /** `isPast`: only for streams that begin later, because the others have played something else meanwhile */
  | { kind: 'frames'; frames: AudioFrame[]; isPast: boolean }
  | { kind: 'interrupt' | 'stop' }

export type Sound = ReturnType<typeof createSound>

/** The part of `Sound` that relays, recorders and other processes use. */
export type LiveSound = Pick<Sound, 'state' | 'observe'>

/**
 * Distributes the frames of the source on air to the streams of the station, the recorder and other processes.
 * @param onChange called when a source comes or goes
 */
export function createSound(now: () => Date, onChange: () => void = () => {}) {
  let state: LiveState | null = null
  /** header pages of an Ogg stream, which its decoders need first */
  let header: AudioFrame[] = []
  let recent: AudioFrame[] = []
  let recentSeconds = 0
  let recentBytes = 0
  const observers = new Set<(change: SoundChange) => void>()

  function clear(): void {
    header = []
    recent = []
    recentSeconds = 0
    recentBytes = 0
  }

  function remember(frame: AudioFrame): void {
    if (frame.isHeader) {
      if (recent.length > 0) clear()
      header.push(frame)
      return
    }
    recent.push(frame)
    recentSeconds += frame.seconds
    recentBytes += frame.bytes.length
    const isExcess = ({ seconds }: AudioFrame) =>
      recentSeconds - seconds >= BURST_SECONDS || recentBytes > MAX_BURST_BYTES
    for (let [first] = recent; first && isExcess(first); [first] = recent) {
      recentSeconds -= first.seconds
      recentBytes -= first.bytes.length
      recent.shift()
    }
  }

  function start(format: string): void {
    clear()
    state = { format, isConnected: true, lastFrameAt: now().getTime() }
  }

  function push(frames: AudioFrame[]): void {
    if (!state) return
    for (const frame of frames) {
      state.format = frame.format
      remember(frame)
    }
    state.lastFrameAt = now().getTime()
  }

  function apply(change: SoundChange): void {
    if (change.kind === 'start') start(change.format)
    else if (change.kind === 'frames') push(change.frames)
    else if (change.kind === 'interrupt') {
      if (state) state.isConnected = false
    } else {
      state = null
      clear()
    }
    if (change.kind !== 'frames') onChange()
    for (const observer of observers) observer(change)
  }

  return {
    /** Returns null while no source is on air, or while it sends silence. */
    state: () => state,
    apply,

    /** Puts a source on air. Pass its header pages to `push` before its other frames. */
    start: (format: string) => apply({ kind: 'start', format }),
    push: (frames: AudioFrame[]) => apply({ kind: 'frames', frames, isPast: false }),
    interrupt: () => apply({ kind: 'interrupt' }),
    stop: () => apply({ kind: 'stop' }),

    /**
     * Reports all changes, beginning with those that lead to the current sound.
     * @returns a function that removes the observer
     */
    observe(observer: (change: SoundChange) => void): () => void {
      if (state) {
        observer({ kind: 'start', format: state.format })
        const start = recent.findIndex(({ startsMidPacket }) => !startsMidPacket)
        const past = start < 0 ? [] : recent.slice(start)
        observer({ kind: 'frames', frames: [...header, ...past], isPast: true })
        if (!state.isConnected) observer({ kind: 'interrupt' })
      }
      observers.add(observer)
      return () => observers.delete(observer)
    },
  }
}
