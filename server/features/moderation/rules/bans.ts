import { and, desc, eq, gt, isNull, type SQL, sql } from 'drizzle-orm'
import type { Transaction } from '#db/client.server.ts'
import { ban, originEpoch, user as userTable } from '#db/schema/index.ts'
import type { Context } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import type { MemberContext } from '#server/core/rpc/procedures.ts'
import { findBoard } from '#server/features/board/boards/boards.ts'
import { moderatorActor, writeLog } from '#server/features/moderation/log/log.ts'
import { findOrigin, posterLabel } from '#server/features/moderation/origins/origins.ts'
import { publishModeration } from '#server/features/moderation/queue/queueEvents.ts'
import { type BanItem, type BanView, type BanWidth, banLimits } from '#src/contract/bans.ts'
import { canModerate } from '#src/contract/board.ts'
import { refusal } from '#src/contract/refusal.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** `boardId` is null for the whole site. */
type NewBan = { boardId: string | null; width: BanWidth; reason: string; endsAt: Date }

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

/** @throws AppError 403 if the user is not an admin (for `null`) or does not moderate the board, 404 */
export async function rejectForeignScope(ctx: MemberContext, boardId: string | null): Promise<void> {
  const { user } = ctx
  if (user.role === 'admin' && boardId === null) return
  if (boardId === null) throw errors.forbidden(refusal('moderation.banSiteForAdmins'))
  const { board } = await findBoard(ctx, boardId)
  if (!canModerate(user, board)) throw errors.forbidden(refusal('auth.forbidden'))
}

/**
 * Inserts a ban and its log entry. If the poster already has a live ban of this scope and width, changes it.
 * @throws AppError 400 for a wrong end, 409 if the item has no stored origin
 */
export async function insertBan(
  { now, user }: Pick<MemberContext, 'now' | 'user'>,
  tx: Transaction,
  { kind, itemId }: BanItem,
  { boardId, width, reason, endsAt }: NewBan,
): Promise<number> {
  const createdAt = now()
  if (endsAt <= createdAt || endsAt.getTime() > createdAt.getTime() + banLimits.days * DAY_MS) {
    throw errors.badRequest(refusal('moderation.banEnds'))
  }
  const from = await findOrigin(tx, kind, itemId)
  const isEpoch = eq(originEpoch.id, from?.epochId ?? 0)
  // The lock makes concurrent bans wait for each other, and the job that deletes the epoch wait for this ban.
  const [epoch] = await tx.select({ id: originEpoch.id }).from(originEpoch).where(isEpoch).for('no key update')
  if (!from || !epoch) throw errors.conflict(refusal('moderation.banNoOrigin'))
  const terms = { reason, endsAt, createdAt, createdBy: user.id, appeal: null, appealedAt: null, answeredAt: null }
  const sameBan = and(
    eq(ban.hash, from[width]),
    eq(ban.width, width),
    boardId === null ? isNull(ban.boardId) : eq(ban.boardId, boardId),
    gt(ban.endsAt, createdAt),
  )
  const [changed] = await tx.update(ban).set(terms).where(sameBan).returning({ id: ban.id })
  const row = { epochId: epoch.id, hash: from[width], width, boardId, ...terms }
  const [stored] = changed ? [changed] : await tx.insert(ban).values(row).returning({ id: ban.id })
  if (!stored) throw new Error('The ban was not inserted')
  await publishModeration(tx, createdAt, 'bans')
  await writeLog(tx, createdAt, { action: 'ban', actor: moderatorActor(user), boardId, reason })
  return stored.id
}

/** Ends a ban and logs it. @throws AppError 404 if the ban has already ended */
export async function endBan({ now, user }: Pick<MemberContext, 'now' | 'user'>, tx: Transaction, banId: number) {
  const answeredAt = sql`case when ${ban.appealedAt} is not null then ${now().toISOString()}::timestamptz end`
  const isLive = and(eq(ban.id, banId), gt(ban.endsAt, now()))
  const ended = { endsAt: now(), answeredAt }
  const [lifted] = await tx.update(ban).set(ended).where(isLive).returning({ boardId: ban.boardId })
  if (!lifted) throw errors.notFound(refusal('moderation.banNotFound'))
  await publishModeration(tx, now(), 'bans')
  await writeLog(tx, now(), { action: 'lift-ban', actor: moderatorActor(user), boardId: lifted.boardId })
}

/** @throws AppError 404 for an unknown or ended ban, 403 for users who may not change it */
export async function rejectForeignBan(ctx: MemberContext, banId: number): Promise<void> {
  const isLive = and(eq(ban.id, banId), gt(ban.endsAt, ctx.now()))
  const [found] = await ctx.db.select({ boardId: ban.boardId }).from(ban).where(isLive)
  if (!found) throw errors.notFound(refusal('moderation.banNotFound'))
  await rejectForeignScope(ctx, found.boardId)
}
