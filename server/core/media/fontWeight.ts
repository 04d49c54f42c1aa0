import type { Font, Point } from 'fontkit'

/** A glyph's points are followed by four that stand for its advance and its bearings. */
const PHANTOM_POINTS = 4

/**
 * Opens a variable WOFF2 font in one weight. fontkit 2.0.4 varies the advance widths of WOFF2 fonts, but not the
 * outlines (foliojs/fontkit#377), so this moves their points with fontkit's own processor.
 */
export async function openFont(bytes: Buffer, weight: number): Promise<Font> {
  // Loaded late, because most image processes draw no text.
  const { create } = await import('fontkit')
  const font = create(bytes)
  // Hides the processor, which fails on composite glyphs, while fontkit decodes all outlines.
  Object.defineProperty(font, '_variationProcessor', { value: null, configurable: true })
  font.getGlyph(0)
  Reflect.deleteProperty(font, '_variationProcessor')
  font.variationCoords = [weight]
  for (const [id, { points, components = [] }] of font._transformedGlyphs.entries()) {
    const moved = points ?? components.map(({ dx, dy }) => createPoint(dx, dy))
    if (moved.length === 0) continue
    const phantoms = Array.from({ length: PHANTOM_POINTS }, () => createPoint(0, 0))
    font._variationProcessor?.transformPoints(id, [...moved, ...phantoms])
    for (const [index, component] of components.entries()) {
      const { x = 0, y = 0 } = moved[index] ?? {}
      component.dx = x
      component.dy = y
    }
  }
  return font
}

const createPoint = (x: number, y: number): Point => ({
  x,
  y,
  endContour: true,
  copy() {
    return createPoint(this.x, this.y)
  },
})
