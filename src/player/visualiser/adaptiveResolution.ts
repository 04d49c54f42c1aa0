/** Fractions of the full resolution. */
const STEPS = [1, 0.75, 0.5, 0.35]
/** ms per frame: above SLOW the resolution is lowered, below FAST it can be raised. */
const SLOW = 26
const FAST = 19
/** Size of a measurement window. */
const WINDOW_FRAMES = 30
const WINDOW_MS = 2000
/** A lower resolution must reduce the frame time to this fraction, or pixels are not the bottleneck. */
const GAIN = 0.85
/** ms of fast frames before the resolution is raised; doubled after each raise. */
const PATIENCE = 10_000
const LONGEST_PATIENCE = 160_000

/** Adapts the drawing resolution to the measured frame time. */
export type AdaptiveResolution = {
  scale: () => number
  /** Takes the ms since the last frame; returns true when `scale` has changed. */
  frame: (ms: number) => boolean
  /** Discards the current measurement, as frames were skipped. */
  interrupt: () => void
}

export function createAdaptiveResolution(): AdaptiveResolution {
  let step = 0
  let frames: number[] = []
  let elapsed = 0
  let quick = 0
  let patience = PATIENCE
  /** median frame time before the last step down */
  let tried: number | null = null
  /** frame times below this do not trigger another step down */
  let excused = 0

  const interrupt = () => {
    frames = []
    elapsed = 0
  }
  const go = (by: 1 | -1) => {
    step += by
    quick = 0
  }

  /** Uses the median of a window, to ignore the slow frame in which a preset is compiled. */
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

const MOST_PIXELS = 1920 * 1080
const HIGHEST_RATIO = 2

/**
 * Returns the size to draw at, in device pixels.
 * @param box canvas size in CSS pixels
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
