const SCALES = [1, 0.75, 0.5, 0.35]
const SLOW_MS = 26
const FAST_MS = 19
const WINDOW_FRAMES = 30
const WINDOW_MS = 2000
/** If a lower resolution does not cut the frame time to this fraction, the old resolution is restored. */
const MAX_TIME_RATIO = 0.85
/** Frames must stay fast for this long before the resolution rises. The delay doubles after each rise. */
const FIRST_RAISE_DELAY_MS = 10_000
const MAX_RAISE_DELAY_MS = 160_000

export type AdaptiveResolution = {
  scale: () => number
  /** Adds a frame that took `ms`. Returns whether `scale` has changed. */
  addFrame: (ms: number) => boolean
  reset: () => void
}

export function createAdaptiveResolution(): AdaptiveResolution {
  let step = 0
  let frames: number[] = []
  let elapsed = 0
  let fastMs = 0
  let raiseDelay = FIRST_RAISE_DELAY_MS
  /** Median frame time before the resolution was last lowered. */
  let medianBefore: number | null = null
  /** The resolution is lowered again only if frames take longer than this. */
  let slowThreshold = 0

  const reset = () => {
    frames = []
    elapsed = 0
  }
  const changeStep = (by: 1 | -1) => {
    step += by
    fastMs = 0
  }

  /** Adjusts the resolution. The median ignores the one slow frame that compiles a preset. */
  function evaluateWindow(median: number, ms: number) {
    if (medianBefore !== null) {
      const gained = median < medianBefore * MAX_TIME_RATIO
      if (!gained) {
        slowThreshold = medianBefore * 1.5
        changeStep(-1)
      }
      medianBefore = null
      if (!gained) return
    }
    if (median > SLOW_MS && median > slowThreshold && step < SCALES.length - 1) {
      medianBefore = median
      changeStep(1)
    } else if (median < FAST_MS) {
      fastMs += ms
      if (step > 0 && fastMs >= raiseDelay) {
        raiseDelay = Math.min(MAX_RAISE_DELAY_MS, raiseDelay * 2)
        changeStep(-1)
      }
    } else {
      fastMs = 0
    }
  }

  return {
    scale: () => SCALES[step] ?? 1,
    addFrame: (ms) => {
      frames.push(ms)
      elapsed += ms
      if (frames.length < WINDOW_FRAMES && (elapsed < WINDOW_MS || frames.length < 5)) return false
      const median = frames.sort((a, b) => a - b)[frames.length >> 1] ?? 0
      const stepBefore = step
      evaluateWindow(median, elapsed)
      reset()
      return step !== stepBefore
    },
    reset,
  }
}

const MAX_PIXELS = 1920 * 1080
const MAX_PIXEL_RATIO = 2

/** Returns the canvas size in device pixels. `box` is in CSS pixels. */
export function computeDrawingSize(box: { width: number; height: number }, ratio: number, scale: number) {
  const density = Math.min(ratio, MAX_PIXEL_RATIO)
  const full = box.width * box.height * density ** 2
  const factor = density * scale * Math.min(1, Math.sqrt(MAX_PIXELS / full))
  return {
    width: Math.max(16, Math.floor(box.width * factor)),
    height: Math.max(16, Math.floor(box.height * factor)),
  }
}
