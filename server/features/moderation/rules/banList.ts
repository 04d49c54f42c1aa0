import { desc, eq, type SQL } from 'drizzle-orm'
import { ban, originEpoch, user } from '#db/schema/index.ts'
import type { Context } from '#server/core/context.ts'
import { posterLabel } from '#server/features/moderation/origins/findPosters.ts'
import { type BanView, banLimits } from '#src/contract/bans.ts'

/** A ban with the hash of its poster, which must not leave the server. */
export type ListedBan = { view: BanView; hash: Uint8Array }

/** Reads the newest bans that meet a condition, one more than a page has. */
export async function readBans({ db }: Pick<Context, 'db'>, condition: SQL | undefined): Promise<ListedBan[]> {
  const { id, boardId, width, hash, reason, createdAt, endsAt, appeal, appealedAt, answeredAt } = ban
  const rows = await db
    .select({
      ...{ id, boardId, width, hash, reason, createdAt, endsAt, appeal, appealedAt, answeredAt },
      key: originEpoch.key,
      createdBy: user.email,
    })
    .from(ban)
    .innerJoin(originEpoch, eq(originEpoch.id, ban.epochId))
    .leftJoin(user, eq(user.id, ban.createdBy))
    .where(condition)
    .orderBy(desc(ban.id))
    .limit(banLimits.perPage + 1)
  return rows.map(({ key, hash, ...row }) => ({ view: { ...row, label: posterLabel(key, hash, row.boardId) }, hash }))
}
