/** Width and height in pixels. */
type Size = { width: number; height: number }

/** Scales a size down to fit a box, in whole pixels (at least 1). Keeps the aspect ratio and never enlarges. */
export function fitInside(size: Size, box: Size): Size {
  const scale = Math.min(1, box.width / size.width, box.height / size.height)
  // Rounds down: a browser may compute one side from the other, and the result must still fit the box.
  const scaled = (length: number) => Math.max(1, Math.floor(length * scale + 1e-6))
  return { width: scaled(size.width), height: scaled(size.height) }
}
