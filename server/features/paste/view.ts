import { isUtf8 } from 'node:buffer'
import type { paste } from '#db/schema/index.ts'
import type { LockedPasteView, PasteFlags, PasteView } from '#src/contract/paste.ts'
import type { PasteContent } from './content.ts'
import { decodeFlags } from './flags.ts'

type Row = Pick<typeof paste.$inferSelect, 'createdAt' | 'expiresAt' | 'views' | 'flags'>

export function pasteView(id: string, row: Row, { language, bytes }: PasteContent): PasteView {
  const flags = decodeFlags(row.flags)
  return {
    id,
    ...encodeContent(bytes, flags.encrypted),
    language,
    createdAt: row.createdAt,
    expiresAt: row.expiresAt,
    views: row.views,
    ...flags,
  }
}

export const lockedPasteView = (id: string, flags: PasteFlags): LockedPasteView => {
  const { burnAfterReading, encrypted, passwordProtected } = flags
  return { id, content: null, burnAfterReading, encrypted, passwordProtected }
}

function encodeContent(bytes: Uint8Array, encrypted: boolean): Pick<PasteView, 'content' | 'encoding'> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return encrypted || !isUtf8(buffer)
    ? { content: buffer.toString('base64'), encoding: 'base64' }
    : { content: buffer.toString('utf8'), encoding: 'utf-8' }
}
