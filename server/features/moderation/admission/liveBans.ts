import { eq, getTableColumns, gt } from 'drizzle-orm'
import type { Database } from '#db/client.server.ts'
import { ban, originEpoch } from '#db/schema/index.ts'
import { hashOrigin } from '#server/features/moderation/origins/origins.ts'
import { BAN_WIDTHS } from '#src/contract/bans.ts'

export type LiveBan = { id: number; boardId: string | null; reason: string; endsAt: Date; isAppealed: boolean }
/** The keys that live bans need, and the bans by key, width and hash. */
export type LiveBans = { keys: { id: number; key: Uint8Array }[]; byHash: Map<string, LiveBan[]> }

const hashKey = (epochId: number, width: string, hash: Uint8Array) =>
  `${epochId} ${width} ${Buffer.from(hash).toString('base64')}`

export async function loadLiveBans(db: Database, now: Date): Promise<LiveBans> {
  const rows = await db
    .select({ ...getTableColumns(ban), key: originEpoch.key })
    .from(ban)
    .innerJoin(originEpoch, eq(originEpoch.id, ban.epochId))
    .where(gt(ban.endsAt, now))
  const keys = new Map(rows.map((row) => [row.epochId, { id: row.epochId, key: row.key }]))
  const byHash = new Map<string, LiveBan[]>()
  for (const row of rows) {
    const key = hashKey(row.epochId, row.width, row.hash)
    const { id, boardId, reason, endsAt, appealedAt } = row
    byHash.set(key, [...(byHash.get(key) ?? []), { id, boardId, reason, endsAt, isAppealed: appealedAt !== null }])
  }
  return { keys: [...keys.values()], byHash }
}

/** Returns the ban of this address that ends last. @param boardId null for pastes and shared images */
export function findBan(
  { keys, byHash }: LiveBans,
  address: string,
  boardId: string | null,
  now: Date,
): LiveBan | null {
  const found = keys.flatMap(({ id, key }) => {
    const hashes = hashOrigin(key, address)
    if (!hashes) return []
    return BAN_WIDTHS.flatMap((width) => byHash.get(hashKey(id, width, hashes[width])) ?? [])
  })
  const applies = (one: LiveBan) => one.endsAt > now && (one.boardId === null || one.boardId === boardId)
  return found
    .filter(applies)
    .reduce<LiveBan | null>((last, one) => (last && last.endsAt >= one.endsAt ? last : one), null)
}
