import { and, desc, eq, gt, inArray, isNotNull, isNull, lt, type SQL } from 'drizzle-orm'
import type { z } from 'zod'
import { ban, moderator, originEpoch, user as userTable } from '#db/schema/index.ts'
import type { SessionUser } from '#server/core/auth/sessions.ts'
import type { Context } from '#server/core/context.ts'
import { posterLabel } from '#server/features/moderation/origins/findPosters.ts'
import { type BanPage, type BanView, banLimits, type banListInput } from '#src/contract/bans.ts'

/** Lists live bans, newest first: all of them for admins, those of their boards for moderators. */
export async function listBans(
  { db, now }: Context,
  { appeals, before }: z.output<typeof banListInput>,
  user: SessionUser,
): Promise<BanPage> {
  const ownBoards = db.select({ id: moderator.boardId }).from(moderator).where(eq(moderator.userId, user.id))
  const bans = await readBans(
    { db },
    and(
      gt(ban.endsAt, now()),
      user.role === 'admin' ? undefined : inArray(ban.boardId, ownBoards),
      before === undefined ? undefined : lt(ban.id, before),
      appeals ? and(isNotNull(ban.appealedAt), isNull(ban.answeredAt)) : undefined,
    ),
  )
  const page = bans.slice(0, banLimits.perPage).map(({ view }) => view)
  return { bans: page, nextBefore: bans.length > page.length ? (page.at(-1)?.id ?? null) : null }
}

/** A ban with the hash of its poster, which must not leave the server. */
export type ListedBan = { view: BanView; hash: Uint8Array }

/** Reads the newest bans that meet a condition, one more than a page has. */
export async function readBans({ db }: Pick<Context, 'db'>, condition: SQL | undefined): Promise<ListedBan[]> {
  const { id, boardId, width, hash, reason, createdAt, endsAt, appeal, appealedAt, answeredAt } = ban
  const rows = await db
    .select({
      ...{ id, boardId, width, hash, reason, createdAt, endsAt, appeal, appealedAt, answeredAt },
      key: originEpoch.key,
      createdBy: userTable.email,
    })
    .from(ban)
    .innerJoin(originEpoch, eq(originEpoch.id, ban.epochId))
    .leftJoin(userTable, eq(userTable.id, ban.createdBy))
    .where(condition)
    .orderBy(desc(ban.id))
    .limit(banLimits.perPage + 1)
  return rows.map(({ key, hash, ...row }) => ({ view: { ...row, label: posterLabel(key, hash, row.boardId) }, hash }))
}
