import type { paste } from '#db/schema/index.ts'
import type { ClosedPaste, PasteFlags, PasteView } from '#src/contract/paste.ts'
import { type Content, encodeContent } from './compression.ts'
import { unpackFlags } from './flags.ts'

type Row = Pick<typeof paste.$inferSelect, 'createdAt' | 'expiresAt' | 'views' | 'flags'>

/** What leaves the server of a paste that is open. */
export function pasteView(id: string, row: Row, { language, bytes }: Content): PasteView {
  const flags = unpackFlags(row.flags)
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

/** What leaves the server of a paste before somebody opens it. */
export const closedView = (id: string, flags: PasteFlags): ClosedPaste => {
  const { burnAfterReading, encrypted, passwordProtected } = flags
  return { id, content: null, burnAfterReading, encrypted, passwordProtected }
}
