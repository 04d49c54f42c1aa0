const SCALES = [1, 0.75, 0.5, 0.35]
const SLOW_MS = 26
/** A window has at least this many frames and this much time. */
const WINDOW = { frames: 5, ms: 1000 }
/** If a lower resolution does not cut the frame time to this fraction, the old one returns. */
const MAX_TIME_RATIO = 0.85

/** Lowers the resolution while frames take too long. */
export function createAdaptiveResolution() {
  let step = 0
  let frames: number[] = []
  /** median frame time before the resolution was lowered, in ms */
  let before = Number.POSITIVE_INFINITY
  let isSettled = false

  /** Returns by how many steps to change. The median ignores the one slow frame that compiles a preset. */
  function judge(median: number): 1 | 0 | -1 {
    isSettled = median >= before * MAX_TIME_RATIO
    if (isSettled) return -1
    const isLowered = median > SLOW_MS && step < SCALES.length - 1
    before = isLowered ? median : Number.POSITIVE_INFINITY
    return isLowered ? 1 : 0
  }

  return {
    scale: () => SCALES[step] ?? 1,
    /** Adds a frame that took `ms`. Returns whether `scale` has changed. */
    addFrame(ms: number): boolean {
      if (isSettled) return false
      frames.push(ms)
      const total = frames.reduce((sum, one) => sum + one, 0)
      if (frames.length < WINDOW.frames || total < WINDOW.ms) return false
      const change = judge(frames.sort((a, b) => a - b)[frames.length >> 1] ?? 0)
      frames = []
      step += change
      return change !== 0
    },
    /** Forgets the frames before a pause. */
    pause(): void {
      frames = []
    },
    /** Tries a higher resolution with the next preset: presets differ in their cost. */
    raise(): void {
      step = Math.max(0, step - 1)
      frames = []
      before = Number.POSITIVE_INFINITY
      isSettled = false
    },
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
