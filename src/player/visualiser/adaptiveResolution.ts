/** Parts of the full resolution that are drawn. */
const STEPS = [1, 0.75, 0.5, 0.35]
/** Milliseconds from frame to frame: above the one it is slow, below the other there is room for more. */
const SLOW = 26
const FAST = 19
/** Frames, or milliseconds, that are looked at together. */
const WINDOW_FRAMES = 30
const WINDOW_MS = 2000
/** What going down has to gain, else pixels are not what takes the time. */
const GAIN = 0.85
/** Milliseconds of quick frames before the next step up, at first and at most; doubled each time that was too much. */
const PATIENCE = 10_000
const LONGEST_PATIENCE = 160_000

/** How much of the full resolution the machine can draw, found out from the time between frames. */
export type AdaptiveResolution = {
  scale: () => number
  /** takes the milliseconds since the last frame; true when `scale` is another now */
  frame: (ms: number) => boolean
  /** what was measured so far counts no longer: frames were left out */
  interrupt: () => void
}

export function createAdaptiveResolution(): AdaptiveResolution {
  let step = 0
  let frames: number[] = []
  let elapsed = 0
  let quick = 0
  let patience = PATIENCE
  /** what a step down was taken for: the median before it */
  let tried: number | null = null
  /** slower than this, pixels may be the reason again */
  let excused = 0

  const interrupt = () => {
    frames = []
    elapsed = 0
  }
  const go = (by: 1 | -1) => {
    step += by
    quick = 0
  }

  /** Judges a window of frames by its median, so that the one in which a preset was compiled says nothing. */
  function judge(median: number, ms: number) {
    if (tried !== null) {
      const gained = median < tried * GAIN
      if (!gained) {
        excused = tried * 1.5
        go(-1)
      }
      tried = null
      if (!gained) return
    }
    if (median > SLOW && median > excused && step < STEPS.length - 1) {
      tried = median
      go(1)
    } else if (median < FAST) {
      quick += ms
      if (step > 0 && quick >= patience) {
        patience = Math.min(LONGEST_PATIENCE, patience * 2)
        go(-1)
      }
    } else {
      quick = 0
    }
  }

  return {
    scale: () => STEPS[step] ?? 1,
    frame: (ms) => {
      frames.push(ms)
      elapsed += ms
      if (frames.length < WINDOW_FRAMES && (elapsed < WINDOW_MS || frames.length < 5)) return false
      const median = frames.sort((a, b) => a - b)[frames.length >> 1] ?? 0
      const was = step
      judge(median, elapsed)
      interrupt()
      return step !== was
    },
    interrupt,
  }
}

/** The most pixels that are drawn, whatever the screen. */
const MOST_PIXELS = 1920 * 1080
const HIGHEST_RATIO = 2

/**
 * The size to draw at, in device pixels.
 * @param box the canvas on the page, in CSS pixels
 */
export function computeDrawingSize(box: { width: number; height: number }, ratio: number, scale: number) {
  const density = Math.min(ratio, HIGHEST_RATIO)
  const full = box.width * box.height * density ** 2
  const factor = density * scale * Math.min(1, Math.sqrt(MOST_PIXELS / full))
  return {
    width: Math.max(16, Math.floor(box.width * factor)),
    height: Math.max(16, Math.floor(box.height * factor)),
  }
}
