import type { Sound } from '#server/features/radio/frames/audioParser.ts'

/** So many frames in a row mark a place; fewer could be alike by chance. */
const MARK_FRAMES = 3

/** Remembers the last frames listeners got. */
export function createTail() {
  let tail: Buffer[] = []
  return {
    add(frame: Sound) {
      tail.push(frame.bytes)
      if (tail.length > MARK_FRAMES) tail.shift()
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
export function createSplice(tail: readonly Buffer[]) {
  let held: Sound[] = []
  let done = tail.length < MARK_FRAMES

  const isPlace = () =>
    held.length >= MARK_FRAMES &&
    tail.every((bytes, index) => held[held.length - MARK_FRAMES + index]?.bytes.equals(bytes))

  return {
    isDone: () => done,
    /** the frames to go on with, if the place is found or was not looked for */
    push(frames: Sound[]): Sound[] {
      if (done) return frames
      for (const [index, frame] of frames.entries()) {
        held.push(frame)
        if (!isPlace()) continue
        done = true
        held = []
        return frames.slice(index + 1)
      }
      return []
    },
    /** everything that was held back: the place does not come */
    release(): Sound[] {
      done = true
      const all = held
      held = []
      return all
    },
  }
}
