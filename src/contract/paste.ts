import type { HighlightRuns } from './highlightStyles.ts'
import type { PasteView } from './pasteAnswers.ts'

export type { CreatedPaste, LockedPasteView, PasteFlags, PasteView } from './pasteAnswers.ts'
export { type PasteLanguage, pasteLanguages } from './pasteLanguages.ts'

/** The documented call that creates a paste. The form sends to it. */
export const PASTE_CALL = '/api/paste'
export const MAX_PASTE_BYTES = 1024 * 1024

export const pasteMessages = {
  contentRequired: 'Please enter some content to paste',
  tooLarge: 'Pastes can be at most 1 MB',
  notFound: 'Paste not found or expired',
  language: 'Unknown language',
  flag: 'burnAfterReading, encrypted and passwordProtected must be true or false',
  encrypted: 'Encrypted content must be base64 and have a proofHash',
  wrongProof: 'Wrong key or password',
  wrongToken: 'This delete link is not valid',
  pageOnly: 'This paste can only be read on its page',
} as const

export type PasteSize = { bytes: number; lines: number }

/** `fullSize` is set if `paste` contains only the beginning of the text. */
export type HighlightedPaste = { paste: PasteView; highlights: HighlightRuns; fullSize: PasteSize | null }
