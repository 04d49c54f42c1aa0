import type { HighlightRuns } from './highlightStyles.ts'
import type { PasteView } from './pasteAnswers.ts'

export type { CreatedPaste, LockedPasteView, PasteFlags, PasteView } from './pasteAnswers.ts'
export { type PasteLanguage, pasteLanguages } from './pasteLanguages.ts'

/** The documented call that creates a paste. The form sends to it. */
export const PASTE_CALL = '/api/paste'
export const MAX_PASTE_BYTES = 1024 * 1024

export type PasteSize = { bytes: number; lines: number }

/** `fullSize` is set if `paste` contains only the beginning of the text. */
export type HighlightedPaste = { paste: PasteView; highlights: HighlightRuns; fullSize: PasteSize | null }
