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
  export type Font = {
    unitsPerEm: number
    hasGlyphForCodePoint(codePoint: number): boolean
    layout(text: string): GlyphRun
  }
  export function create(bytes: Buffer): Font
}
