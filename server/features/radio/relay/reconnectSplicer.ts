import type { AudioFrame } from '#server/features/radio/frames/audioParser.ts'

/** So many frames in a row mark a place; fewer could be alike by chance. */
const MATCH_FRAMES = 3

/** Remembers the last frames listeners got. */
export function createFrameTail() {
  let tail: Buffer[] = []
  return {
    add(frame: AudioFrame) {
      tail.push(frame.bytes)
      if (tail.length > MATCH_FRAMES) tail.shift()
    },
    frames: (): readonly Buffer[] => tail,
    clear() {
      tail = []
    },
  }
}

/**
 * Finds, in what a server sends first on a new connection, the place listeners had come to: servers begin some seconds
 * back, and those would be heard twice. Holds frames back until the place is found or `release` gives up.
 */
export function createReconnectSplicer(tail: readonly Buffer[]) {
  let pending: AudioFrame[] = []
  let done = tail.length < MATCH_FRAMES

  const isTailMatched = () =>
    pending.length >= MATCH_FRAMES &&
    tail.every((bytes, index) => pending[pending.length - MATCH_FRAMES + index]?.bytes.equals(bytes))

  return {
    isDone: () => done,
    /** the frames to go on with, if the place is found or was not looked for */
    push(frames: AudioFrame[]): AudioFrame[] {
      if (done) return frames
      for (const [index, frame] of frames.entries()) {
        pending.push(frame)
        if (!isTailMatched()) continue
        done = true
        pending = []
        return frames.slice(index + 1)
      }
      return []
    },
    /** everything that was held back: the place does not come */
    release(): AudioFrame[] {
      done = true
      const all = pending
      pending = []
      return all
    },
  }
}
