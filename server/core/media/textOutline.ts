import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Font } from 'fontkit'

/** A typeface that turns text into SVG paths, because the machine may have no fonts. Sizes are in pixels. */
export type Face = {
  /** Returns whether the typeface has all characters of a text. */
  covers: (text: string) => boolean
  measure: (text: string, size: number) => number
  /** Returns the path data of a line whose baseline starts at (x, y). */
  outline: (text: string, at: { x: number; y: number; size: number }) => string
}

/** Each file has the characters of one subset. The first one that has a character draws it. */
const SUBSETS = {
  'hanken-grotesk': ['latin', 'latin-ext', 'vietnamese'],
  'martian-mono': ['latin', 'latin-ext', 'cyrillic'],
}

const { resolve } = createRequire(import.meta.url)
const fonts = new Map<string, Promise<Font>>()

/** Loads a typeface in one weight. Loads only the files that the texts need. */
export async function loadFace(family: keyof typeof SUBSETS, weight: number, texts: string[]): Promise<Face> {
  const loaded: Font[] = []
  for (const subset of SUBSETS[family]) {
    const face = createFace(loaded)
    if (loaded.length > 0 && texts.every(face.covers)) return face
    loaded.push(await loadFont(`@fontsource/${family}/files/${family}-${subset}-${weight}-normal.woff`))
  }
  return createFace(loaded)
}

function loadFont(file: string): Promise<Font> {
  const font = fonts.get(file) ?? openFont(file)
  fonts.set(file, font)
  return font
}

async function openFont(file: string): Promise<Font> {
  // Loaded late, because most image processes draw no text.
  const [{ create }, bytes] = await Promise.all([import('fontkit'), readFile(resolve(file))])
  return create(bytes)
}

function createFace(fonts: Font[]): Face {
  const fontOf = (character: string) => fonts.find((font) => font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0))

  /** Splits a text where the font changes. */
  function splitRuns(text: string): { font: Font; text: string }[] {
    const runs: { font: Font; text: string }[] = []
    for (const character of text) {
      const font = fontOf(character)
      if (!font) continue
      const last = runs.at(-1)
      if (last?.font === font) last.text += character
      else runs.push({ font, text: character })
    }
    return runs
  }

  return {
    covers: (text) => [...text].every((character) => fontOf(character) !== undefined),
    measure: (text, size) =>
      splitRuns(text).reduce(
        (sum, { font, text }) => sum + (font.layout(text).advanceWidth / font.unitsPerEm) * size,
        0,
      ),
    outline(text, { x, y, size }) {
      let at = x
      const paths: string[] = []
      for (const { font, text: part } of splitRuns(text)) {
        const scale = size / font.unitsPerEm
        const { glyphs, positions } = font.layout(part)
        for (const [index, { path }] of glyphs.entries()) {
          const { xAdvance = 0, xOffset = 0, yOffset = 0 } = positions[index] ?? {}
          paths.push(path.transform(scale, 0, 0, -scale, at + xOffset * scale, y - yOffset * scale).toSVG())
          at += xAdvance * scale
        }
      }
      return paths.join('')
    },
  }
}

const ELLIPSIS = '…'

/**
 * Breaks a text into lines. Cuts words that are wider than a line, and ends with an ellipsis what does not fit.
 * @returns the lines, and whether the whole text fits
 */
export function breakLines(
  face: Pick<Face, 'measure'>,
  text: string,
  { size, width, maxLines }: { size: number; width: number; maxLines: number },
): { lines: string[]; fits: boolean } {
  const fitsLine = (line: string) => face.measure(line, size) <= width
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ').flatMap((word) => cutWord(word, fitsLine))) {
    const longer = line === '' ? word : `${line} ${word}`
    if (fitsLine(longer)) {
      line = longer
      continue
    }
    lines.push(line)
    line = word
  }
  lines.push(line)
  if (lines.length <= maxLines) return { lines, fits: true }
  const kept = lines.slice(0, maxLines)
  let last = [...(kept.at(-1) ?? '')]
  while (last.length > 0 && !fitsLine(last.join('') + ELLIPSIS)) last = last.slice(0, -1)
  kept[maxLines - 1] = last.join('').trimEnd() + ELLIPSIS
  return { lines: kept, fits: false }
}

function cutWord(word: string, fitsLine: (part: string) => boolean): string[] {
  const parts: string[] = []
  let part = ''
  for (const character of word) {
    if (part !== '' && !fitsLine(part + character)) {
      parts.push(part)
      part = ''
    }
    part += character
  }
  return [...parts, part]
}
