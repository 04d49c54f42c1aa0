import { createHmac, timingSafeEqual } from 'node:crypto'
import { eq, getTableColumns, gt } from 'drizzle-orm'
import type { Database } from '#db/client.server.ts'
import { ban, originEpoch } from '#db/schema/index.ts'
import type { Context } from '#server/core/context.ts'
import { errors, formatUtc } from '#server/core/errors.ts'
import { hashOrigin } from '#server/features/moderation/origins/origins.ts'
import { BAN_WIDTHS } from '#src/contract/bans.ts'
import { refusal } from '#src/contract/refusal.ts'

type LiveBan = { id: number; boardId: string | null; reason: string; endsAt: Date; isAppealed: boolean }
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
function findBan({ keys, byHash }: LiveBans, address: string, boardId: string | null, now: Date): LiveBan | null {
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

/** @throws AppError 403 with the ban's reason and end, and a token for an appeal if nobody has appealed yet */
export async function rejectBanned(ctx: Context, boardId: string | null): Promise<void> {
  const found = findBan(await ctx.moderation.bans(), ctx.address, boardId, ctx.now())
  if (!found) return
  const { id, reason, endsAt, isAppealed } = found
  const appealToken = isAppealed ? null : createAppealToken(ctx.secrets.appeals, id)
  throw errors.forbidden(refusal('moderation.banned', { date: formatUtc(endsAt), reason }), {
    ban: { reason, endsAt, appealToken },
  })
}

const TOKEN = /^(\d{1,15})\.([\w-]{43})$/

const sign = (key: Uint8Array, banId: number) => createHmac('sha256', key).update(`appeal ${banId}`).digest()

/** Creates a token that lets a banned visitor appeal, without an account and from any address. */
const createAppealToken = (key: Uint8Array, banId: number): string =>
  `${banId}.${sign(key, banId).toString('base64url')}`

/** @returns the ban's id, or null for an invalid token */
export function verifyAppealToken(key: Uint8Array, token: string): number | null {
  const [, id, mac = ''] = TOKEN.exec(token) ?? []
  const given = Buffer.from(mac, 'base64url')
  return id !== undefined && given.length === 32 && timingSafeEqual(given, sign(key, Number(id))) ? Number(id) : null
}
