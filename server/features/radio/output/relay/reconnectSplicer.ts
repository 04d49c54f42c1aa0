import type { AudioFrame } from '#server/features/radio/input/frames/audioParser.ts'

/** Number of frames in a row that must match: fewer frames could be equal by chance. */
export const MATCH_FRAMES = 3

/**
 * After a reconnect, drops frames up to the last played frame. Servers send some seconds again, and listeners would
 * hear them twice.
 */
export function createReconnectSplicer(tail: readonly Buffer[]) {
  let pending: AudioFrame[] = []
  let done = tail.length < MATCH_FRAMES

  const isTailMatched = () =>
    pending.length >= MATCH_FRAMES &&
    tail.every((bytes, index) => pending[pending.length - MATCH_FRAMES + index]?.bytes.equals(bytes))

  return {
    isDone: () => done,
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
    release(): AudioFrame[] {
      done = true
      const all = pending
      pending = []
      return all
    },
  }
}
