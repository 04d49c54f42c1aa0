/** Width and height in pixels. */
export type Size = { width: number; height: number }

/** CSS size a picture has in its place: its shape kept, inside the box, never enlarged, whole pixels, at least 1. */
export function fitInside(picture: Size, box: Size): Size {
  const scale = Math.min(1, box.width / picture.width, box.height / picture.height)
  // Rounded down, so that a browser that keeps the shape does not end up a hair outside the box.
  const scaled = (length: number) => Math.max(1, Math.floor(length * scale + 1e-6))
  return { width: scaled(picture.width), height: scaled(picture.height) }
}
