import type { PasteSize, PasteView } from '#src/contract/paste.ts'

/** Limits the text on the page, to save memory on the server and in browsers. */
export const MAX_SHOWN_CHARACTERS = 100_000
export const MAX_SHOWN_LINES = 2_000

const LINE_END = 10

export function truncatePaste(paste: PasteView): { paste: PasteView; fullSize: PasteSize | null } {
  const { content, encoding } = paste
  // Base64 can be cut here, because the limit is a multiple of four.
  const end = encoding === 'base64' ? MAX_SHOWN_CHARACTERS : findCutPosition(content)
  if (content.length <= end) return { paste, fullSize: null }
  return { paste: { ...paste, content: content.slice(0, end) }, fullSize: measureBytes(Buffer.from(content, encoding)) }
}

function findCutPosition(text: string): number {
  let end = 0
  for (let lines = 0; lines < MAX_SHOWN_LINES && end < text.length; lines++) {
    const next = text.indexOf('\n', end) + 1 || text.length
    if (next > MAX_SHOWN_CHARACTERS) return end > MAX_SHOWN_CHARACTERS / 2 ? end : avoidSplitSurrogate(text)
    end = next
  }
  return end
}

function avoidSplitSurrogate(text: string): number {
  const isHalf = /[\ud800-\udbff]/.test(text[MAX_SHOWN_CHARACTERS - 1] ?? '')
  return isHalf ? MAX_SHOWN_CHARACTERS - 1 : MAX_SHOWN_CHARACTERS
}

function measureBytes(bytes: Buffer): PasteSize {
  let lines = bytes.at(-1) === LINE_END ? 0 : 1
  for (let at = bytes.indexOf(LINE_END); at !== -1; at = bytes.indexOf(LINE_END, at + 1)) lines++
  return { bytes: bytes.length, lines }
}
