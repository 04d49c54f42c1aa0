import { isUtf8 } from 'node:buffer'
import { and, eq, gt, inArray, sql } from 'drizzle-orm'
import { paste } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import type { LinkCard } from '#src/contract/links.ts'
import type { LockedPasteView, PasteFlags, PasteSize, PasteView } from '#src/contract/paste.ts'
import { decodeFlags, deriveKeys, type PasteContent } from './crypto.ts'

type Row = Pick<typeof paste.$inferSelect, 'createdAt' | 'expiresAt' | 'views' | 'flags'>

export function pasteView(id: string, row: Row, { bytes, ...content }: PasteContent): PasteView {
  const flags = decodeFlags(row.flags)
  return {
    id,
    ...encodeContent(bytes, flags.encrypted),
    ...content,
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
