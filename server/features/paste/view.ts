import { isUtf8 } from 'node:buffer'
import { and, eq, gt, inArray, sql } from 'drizzle-orm'
import { paste } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import type { LinkCard } from '#src/contract/linkCard.ts'
import type { LockedPasteView, PasteFlags, PasteView } from '#src/contract/paste.ts'
import { decodeFlags, type PasteContent } from './content.ts'
import { deriveKeys } from './crypto.ts'

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

/** The flags of a paste that neither burns nor was encrypted in a browser. */
const PUBLIC = 0

/** Reads cards of public pastes that exist until `until`, by id. Counts no views. */
export async function readPasteCards(
  { db, secrets }: Pick<Services, 'db' | 'secrets'>,
  ids: string[],
  until: Date,
): Promise<Map<string, LinkCard>> {
  const lookups = new Map<string, string>()
  for (const id of ids) {
    const keys = deriveKeys(id, secrets.paste)
    if (keys) lookups.set(Buffer.from(keys.lookup).toString('hex'), id)
  }
  if (lookups.size === 0) return new Map()
  const wanted = [...lookups.keys()].map((lookup) => Buffer.from(lookup, 'hex'))
  const rows = await db
    .select({
      lookup: paste.lookup,
      expiresAt: paste.expiresAt,
      bytes: sql<number>`octet_length(${paste.sealed})`,
    })
    .from(paste)
    .where(and(inArray(paste.lookup, wanted), eq(paste.flags, PUBLIC), gt(paste.expiresAt, until)))
  return new Map(
    rows.map(({ lookup, expiresAt, bytes }) => {
      const id = lookups.get(Buffer.from(lookup).toString('hex')) ?? ''
      return [id, { kind: 'paste', path: `/paste/${id}`, bytes, expiresAt }]
    }),
  )
}
