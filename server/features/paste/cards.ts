import { and, eq, gt, inArray, sql } from 'drizzle-orm'
import { paste } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import type { LinkCard } from '#src/contract/linkCard.ts'
import { deriveKeys } from './crypto.ts'

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
