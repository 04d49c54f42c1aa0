import type { PasteSize, PasteView } from '#src/contract/paste.ts'

/** Guards memory and readers' browsers: of a longer text the page shows the beginning. */
export const MAX_SHOWN_CHARACTERS = 100_000
export const MAX_SHOWN_LINES = 2_000

const LINE_END = 10

/** Returns what the page shows of a paste, and the size of the whole where that is only its beginning. */
export function truncatePaste(paste: PasteView): { paste: PasteView; fullSize: PasteSize | null } {
  const { content, encoding } = paste
  // A multiple of four characters of base64 is whole bytes.
  const end = encoding === 'base64' ? MAX_SHOWN_CHARACTERS : findCutPosition(content)
  if (content.length <= end) return { paste, fullSize: null }
  return { paste: { ...paste, content: content.slice(0, end) }, fullSize: measureBytes(Buffer.from(content, encoding)) }
}

/** Returns where the beginning of a text ends: behind a line, where one ends in its second half. */
function findCutPosition(text: string): number {
  let end = 0
  for (let lines = 0; lines < MAX_SHOWN_LINES && end < text.length; lines++) {
    const next = text.indexOf('\n', end) + 1 || text.length
    if (next > MAX_SHOWN_CHARACTERS) return end > MAX_SHOWN_CHARACTERS / 2 ? end : avoidSplitSurrogate(text)
    end = next
  }
  return end
}

/** A character outside the basic plane is two units: it stays whole. */
function avoidSplitSurrogate(text: string): number {
  const isHalf = /[\ud800-\udbff]/.test(text[MAX_SHOWN_CHARACTERS - 1] ?? '')
  return isHalf ? MAX_SHOWN_CHARACTERS - 1 : MAX_SHOWN_CHARACTERS
}

function measureBytes(bytes: Buffer): PasteSize {
  let lines = bytes.at(-1) === LINE_END ? 0 : 1
  for (let at = bytes.indexOf(LINE_END); at !== -1; at = bytes.indexOf(LINE_END, at + 1)) lines++
  return { bytes: bytes.length, lines }
}
