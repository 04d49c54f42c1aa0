import { type PasteFlags, type PasteLanguage, pasteLanguages } from '#src/contract/paste.ts'

export type PasteContent = { language: PasteLanguage | null; bytes: Uint8Array }

/** Packs a paste into bytes: length of the language's name (one byte), the name, the content. */
export function packContent({ language, bytes }: PasteContent): Buffer {
  const name = Buffer.from(language ?? '')
  return Buffer.concat([Buffer.of(name.length), name, bytes])
}

export function unpackContent(packed: Buffer): PasteContent {
  const start = 1 + (packed[0] ?? 0)
  const name = packed.toString('utf8', 1, start)
  return { language: name in pasteLanguages ? (name as PasteLanguage) : null, bytes: packed.subarray(start) }
}

const BURN = 1
const ENCRYPTED = 2
const PASSWORD = 4

export const encodeFlags = ({ burnAfterReading, encrypted, passwordProtected }: PasteFlags): number =>
  (burnAfterReading ? BURN : 0) | (encrypted ? ENCRYPTED : 0) | (encrypted && passwordProtected ? PASSWORD : 0)

export const decodeFlags = (flags: number): PasteFlags => ({
  burnAfterReading: (flags & BURN) !== 0,
  encrypted: (flags & ENCRYPTED) !== 0,
  passwordProtected: (flags & PASSWORD) !== 0,
})
