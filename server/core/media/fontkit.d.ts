/** The parts of fontkit that we use. It has no types of its own. */
declare module 'fontkit' {
  export type Path = {
    transform(a: number, b: number, c: number, d: number, e: number, f: number): Path
    toSVG(): string
  }
  export type GlyphRun = {
    glyphs: { path: Path }[]
    /** in font units */
    positions: { xAdvance: number; xOffset: number; yOffset: number }[]
    advanceWidth: number
  }
  export type Point = { x: number; y: number; endContour: boolean; copy(): Point }
  export type Font = {
    unitsPerEm: number
    /** positions on the font's axes; read when the first glyph is laid out */
    variationCoords: number[] | null
    hasGlyphForCodePoint(codePoint: number): boolean
    layout(text: string): GlyphRun
    getGlyph(id: number): object
    /** the outlines of a WOFF2 font; a glyph has either points or components, or is empty */
    _transformedGlyphs: { points?: Point[]; components?: { dx: number; dy: number }[] }[]
    _variationProcessor: { transformPoints(glyphId: number, points: Point[]): void } | null
  }
  export function create(bytes: Buffer): Font
}
