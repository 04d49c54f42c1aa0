import type { AudioFrame } from '#server/features/radio/frames/audioParser.ts'

/** Frames that must match in a row; fewer could be equal by chance. */
export const MATCH_FRAMES = 3

/** Finds the last played frame after a reconnect: servers start some seconds back, which would play twice. */
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
