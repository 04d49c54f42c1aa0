import { isUtf8 } from 'node:buffer'
import { type PasteLanguage, type PasteView, pasteLanguages } from '#src/contract/paste.ts'

/** A paste as it is sealed: its language is nobody's business either. */
export type PasteContent = { language: PasteLanguage | null; bytes: Uint8Array }

/** One byte with the length of the language's name, the name, then the paste itself. */
export function packContent({ language, bytes }: PasteContent): Buffer {
  const name = Buffer.from(language ?? '')
  return Buffer.concat([Buffer.of(name.length), name, bytes])
}

/** Takes apart what `packContent` put together. */
export function unpackContent(packed: Buffer): PasteContent {
  const start = 1 + (packed[0] ?? 0)
  const name = packed.toString('utf8', 1, start)
  return { language: name in pasteLanguages ? (name as PasteLanguage) : null, bytes: packed.subarray(start) }
}

/** Bytes as JSON can carry them. */
export function encodeContent(bytes: Uint8Array, encrypted: boolean): Pick<PasteView, 'content' | 'encoding'> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return encrypted || !isUtf8(buffer)
    ? { content: buffer.toString('base64'), encoding: 'base64' }
    : { content: buffer.toString('utf8'), encoding: 'utf-8' }
}
