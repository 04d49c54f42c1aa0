import { type PasteLanguage, pasteLanguages } from '#src/contract/paste.ts'

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
