/** Width and height in pixels. */
export type Size = { width: number; height: number }

/** Scales a size down to fit a box, with its aspect ratio and in whole pixels (at least 1). Never enlarges it. */
export function fitInside(size: Size, box: Size): Size {
  const scale = Math.min(1, box.width / size.width, box.height / size.height)
  // Rounded down: a browser that keeps the aspect ratio must not exceed the box.
  const scaled = (length: number) => Math.max(1, Math.floor(length * scale + 1e-6))
  return { width: scaled(size.width), height: scaled(size.height) }
}
